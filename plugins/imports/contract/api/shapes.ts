import { Type, type Static } from 'typebox';
import { LocalizedError, nullable } from '#core/api';
import type { ImportValue as ImportValueType, LocalizedText as LocalizedTextType } from '../values.ts';
import { severities } from '../values.ts';

export const Text = Type.Unsafe<LocalizedTextType>(Type.Object({ en: Type.String(), fr: Type.String() }));

const maxTextLength = 32_767;
/** One value. A list is an array of texts. */
export const ImportValue = Type.Unsafe<ImportValueType>(
  nullable(
    Type.Union([
      Type.String({ maxLength: maxTextLength }),
      Type.Number(),
      Type.Boolean(),
      Type.Array(Type.String({ maxLength: maxTextLength }), { maxItems: 1000 }),
    ]),
  ),
);

export const KindId = Type.String({ minLength: 1, maxLength: 64 });
export const SheetId = Type.String({ minLength: 1, maxLength: 64 });
export const ColumnId = Type.String({ minLength: 1, maxLength: 64 });
export const BatchUid = Type.String({ minLength: 1, maxLength: 64 });

/** An error or warning of a row. `message` is an id of `core.validation.*` or of a plugin's refusals. */
export type Finding = Static<typeof Finding>;
export const Finding = Type.Intersect([
  LocalizedError,
  Type.Object({ column: nullable(Type.String()), severity: Type.Enum([...severities]) }),
]);
