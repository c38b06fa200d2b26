import type { ReplyOf } from '#core';
import type { listImportKinds } from '../../contract/api.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';

/** What screens need of kinds. */
export const toKindInfos = (kinds: readonly AnyKind[]): ReplyOf<typeof listImportKinds> =>
  kinds.map(({ id, title, scope, files, sheets }) => ({
    id,
    title,
    scope,
    files: [...files],
    sheets: sheets.map(({ id: sheet, name, required = true, removable = false, columns }) => ({
      id: sheet,
      name,
      required,
      removable,
      columns: columns.map(({ reference, rules: _rules, ...column }) => ({
        ...column,
        required: column.required ?? false,
        key: column.key ?? false,
        values: [...(column.values ?? [])],
        entity: reference?.entity ?? null,
        note: column.note ?? null,
      })),
    })),
  }));
