import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { BodyOf } from '#core';
import type { CallAuthor } from '#core/server';
import type { ImportColumn, ImportSheet } from '#plugins/imports';
import type { renameImportReferences } from '../../contract/api.ts';
import { getBatch, toStagedImport, type ImportContext } from '../import-context.ts';
import { listItems } from '../queries/check-rows.ts';
import type { StagedImport } from '../queries/sheet-rows.ts';
import type { ImportsTables } from '../tables.ts';
import { changeRows, type RowChange } from './change-rows.ts';

type Body = BodyOf<typeof renameImportReferences>;

/**
 * Writes a corrected code also into the cells that name the former one, in the columns that refer to it. Changes
 * nothing if another row still has the former code, or unless exactly one row without an error has the new one: cells
 * that name two different things would then name the same one for ever.
 *
 * @throws `notFound` (404); `conflict` (409) outside of the preview
 */
export async function renameReferences(
  context: ImportContext,
  author: CallAuthor,
  uid: string,
  body: Body,
): Promise<{ readonly cells: number }> {
  const batch = await getBatch(context, author.caller, uid);
  if (body.dryRun) {
    const stagedImport = await toStagedImport(context, batch, context.kinds.get(batch.kind, author.caller));
    return context.tables.transaction().execute(async (transaction) => {
      const changes = await findReferences(transaction, stagedImport, body);
      return { cells: changes.reduce((sum, { ids }) => sum + ids.length, 0) };
    });
  }
  const cells = await changeRows(context, author, uid, (transaction, stagedImport) =>
    findReferences(transaction, stagedImport, body),
  );
  return { cells };
}

async function findReferences(
  transaction: Transaction<ImportsTables>,
  stagedImport: StagedImport,
  body: Body,
): Promise<readonly RowChange[]> {
  const { batch, kind } = stagedImport;
  const referringColumns = kind.sheets.flatMap((sheet) =>
    sheet.columns.flatMap((column) =>
      column.reference?.within?.sheet === body.sheet && column.reference.within.column === body.column
        ? [{ sheet, column }]
        : [],
    ),
  );
  const codeFinders = new Set(referringColumns.flatMap(({ column }) => column.reference?.find ?? []));
  const codeQueries = [...codeFinders].map((find) => sql`select code from (${find(stagedImport.scope)}) as known`);
  if (!(await isUnambiguousRename(transaction, batch, body, codeQueries))) return [];
  const changes: RowChange[] = [];
  for (const { sheet, column } of referringColumns)
    changes.push(await findReferringRows(transaction, batch, sheet, column, body));
  return changes;
}

/**
 * Whether the rename is unambiguous: no row has the former code, exactly one row has the new one, without an error in
 * it, and nothing outside of the import has the new one.
 */
async function isUnambiguousRename(
  transaction: Transaction<ImportsTables>,
  batch: string,
  { sheet, column, from, to }: Body,
  codeQueries: readonly RawBuilder<unknown>[],
): Promise<boolean> {
  const withCode = (code: string): RawBuilder<unknown> => sql`
    select id from imports.staged_row
    where batch = ${batch} and sheet = ${sheet} and number is not null and not left_out
      and lower(values ->> ${column}) = lower(${code}::text)`;
  const codeExists =
    codeQueries.length === 0
      ? sql`false`
      : sql`exists (
          select from (${sql.join(codeQueries, sql` union all `)}) as known where lower(code) = lower(${to}::text))`;
  const { rows } = await sql<{ isUnambiguous: boolean }>`
    select not exists (${withCode(from)}) and (select count(*) from (${withCode(to)}) as row) = 1
      and not exists (
        select from imports.finding
        where row in (${withCode(to)}) and column_id = ${column} and severity = 'ERROR')
      and not (${codeExists}) as "isUnambiguous"`.execute(transaction);
  return rows[0]?.isUnambiguous === true;
}

async function findReferringRows(
  transaction: Transaction<ImportsTables>,
  batch: string,
  sheet: ImportSheet,
  column: ImportColumn,
  { from, to }: Pick<Body, 'from' | 'to'>,
): Promise<RowChange> {
  const { rows } = await sql<{ id: string }>`
    select distinct id::text as id from imports.staged_row cross join lateral ${listItems(column)} as item
    where batch = ${batch} and sheet = ${sheet.id} and number is not null and not left_out
      and lower(item) = lower(${from})`.execute(transaction);
  const ids = rows.map(({ id }) => id);
  return {
    sheet,
    ids,
    write: async () => {
      const renamedItem = sql`case when lower(item) = lower(${from}) then ${to}::text else item end`;
      const value =
        column.type === 'LIST'
          ? sql`(select jsonb_agg(${renamedItem} order by place)
              from ${listItems(column)} with ordinality as listed (item, place))`
          : sql`to_jsonb(${to}::text)`;
      await sql`
        update imports.staged_row set edits = edits || jsonb_build_object(${column.id}::text, ${value})
        where id = any(${ids}::bigint[])`.execute(transaction);
    },
  };
}
