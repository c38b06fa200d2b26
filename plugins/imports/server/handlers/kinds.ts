import type { ReplyOf } from '#core';
import type { Caller } from '#core/server';
import type { ImportColumn } from '#plugins/imports';
import type { listFollowingKinds, listImportKinds } from '../../contract/api.ts';
import { findPlace, readScope, type ImportContext } from '../import-context.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { findFollowingKinds } from '../queries/following-kinds.ts';

/** The parts of kinds that screens need. */
export const toKindInfos = (kinds: readonly AnyKind[]): ReplyOf<typeof listImportKinds> =>
  kinds.map(({ id, title, scope, follows = null, sideEffect = null, files, sheets }) => ({
    id,
    title,
    scope,
    follows,
    sideEffect,
    files: [...files],
    sheets: sheets.map(({ id: sheet, name, required = true, removable = false, columns }) => ({
      id: sheet,
      name,
      required,
      removable,
      columns: columns.map(
        ({
          reference,
          synonymHeaders: _headers,
          rules: _rules,
          synonyms: _synonyms,
          picture: _picture,
          periodEdge: _periodEdge,
          terms,
          ...column
        }) => ({
          ...column,
          ...(terms ? { terms: terms.map(toChoice) } : {}),
          ...(isReferenced(sheets, sheet, column.id) ? { named: true } : {}),
          required: column.required ?? false,
          key: column.key ?? false,
          values: (column.values ?? []).map(toChoice),
          entity: reference?.entity ?? null,
          note: column.note ?? null,
        }),
      ),
    })),
  }));

const toChoice = ({ value, label }: NonNullable<ImportColumn['values']>[number]) => ({ value, label });

/** Whether a column of the sheets refers to the values of another one. */
const isReferenced = (sheets: AnyKind['sheets'], sheet: string, column: string): boolean =>
  sheets.some(({ columns }) =>
    columns.some(({ reference }) => reference?.within?.sheet === sheet && reference.within.column === column),
  );

/** @throws `noAccess` (403) to the kind or the site; `invalidRequest` (400) if the location is no site */
export async function readFollowingKinds(
  context: ImportContext,
  caller: Caller,
  id: string,
  site: string,
): Promise<ReplyOf<typeof listFollowingKinds>> {
  const kind = context.kinds.get(id, caller);
  const scope = await readScope(context, await findPlace(context, caller, { scope: 'SITE' }, site));
  const followingKinds = await findFollowingKinds(context.tables, context.kinds.list(caller), kind.id, scope);
  return followingKinds.map(({ kind: following, hasRows }) => ({ kind: following.id, hasRows }));
}
