import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { LocationUid, nullable } from '#core/api';
import { columnTypes, importFileKinds } from '../values.ts';
import { KindId, Text } from './shapes.ts';

const optionalNumber = Type.Optional(Type.Number());

/** A column of a kind, for screens: rules and texts. */
export type ImportColumnInfo = Static<typeof ImportColumnInfo>;
export const ImportColumnInfo = Type.Object({
  id: Type.String(),
  header: Text,
  /** Whether a person confirms each synonym of the header. */
  confirmsSynonyms: Type.Optional(Type.Boolean()),
  type: Type.Enum([...columnTypes]),
  required: Type.Boolean(),
  key: Type.Boolean(),
  minLength: optionalNumber,
  maxLength: optionalNumber,
  min: optionalNumber,
  max: optionalNumber,
  decimals: optionalNumber,
  integerDigits: optionalNumber,
  values: Type.Array(Type.Object({ value: Type.String(), label: Text })),
  /** Further codes that messages of the column name. */
  terms: Type.Optional(Type.Array(Type.Object({ value: Type.String(), label: Text }))),
  /** Whether columns of the same kind refer to its values. */
  named: Type.Optional(Type.Boolean()),
  /** What the values must exist as. Null for other columns. */
  entity: nullable(Text),
  note: nullable(Text),
});

export type ImportSheetInfo = Static<typeof ImportSheetInfo>;
export const ImportSheetInfo = Type.Object({
  id: Type.String(),
  name: Type.String(),
  required: Type.Boolean(),
  removable: Type.Boolean(),
  columns: Type.Array(ImportColumnInfo),
});

export type ImportKindInfo = Static<typeof ImportKindInfo>;
export const ImportKindInfo = Type.Object({
  id: Type.String(),
  title: Text,
  scope: Type.Enum(['NONE', 'SITE', 'LOCATIONS']),
  /** Id of another kind, to whose imports a workbook of this kind can be added. */
  follows: nullable(Type.String()),
  /** An effect of applying rows that an undo cannot take back. */
  sideEffect: nullable(Text),
  files: Type.Array(Type.Object({ title: Text, kind: Type.Enum([...importFileKinds]), required: Type.Boolean() })),
  sheets: Type.Array(ImportSheetInfo),
});

export const listImportKinds = endpoint('GET', '/api/imports/kinds', {
  summary: 'Lists the kinds of imports that the caller may use, with their sheets and columns, in their order.',
  access: 'import',
  reply: Type.Array(ImportKindInfo),
});

/** A kind whose workbook can be added to an import of another kind. */
export type FollowingKind = Static<typeof FollowingKind>;
export const FollowingKind = Type.Object({
  kind: Type.String(),
  hasRows: Type.Boolean({
    description: 'Whether the site has rows of the kind. Then an import that removes rows needs its workbook.',
  }),
});

export const listFollowingKinds = endpoint('GET', '/api/imports/kinds/:kind/following', {
  summary:
    'Lists the kinds whose workbooks can be added to an import of this kind, because their rows refer to its rows.',
  access: 'import',
  params: Type.Object({ kind: KindId }),
  query: Type.Object({ site: LocationUid }, { additionalProperties: false }),
  reply: Type.Array(FollowingKind),
});

/** A file to download. */
export type PreparedFile = Static<typeof PreparedFile>;
export const PreparedFile = Type.Object({ address: Type.String(), name: Type.String() });

export const createWorkbook = endpoint('POST', '/api/imports/kinds/:kind/workbook', {
  summary:
    'Prepares a workbook of a kind: its template, or today’s rows in the same layout. Kinds of the scope SITE need `site`.',
  access: 'import',
  params: Type.Object({ kind: KindId }),
  body: Type.Object(
    {
      site: Type.Optional(LocationUid),
      language: Type.Enum(['en', 'fr']),
      rows: Type.Boolean({ description: 'Whether it contains today’s rows.' }),
    },
    { additionalProperties: false },
  ),
  reply: PreparedFile,
});
