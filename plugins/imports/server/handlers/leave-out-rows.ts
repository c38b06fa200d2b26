import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { BodyOf } from '#core';
import { invalidRequest, type CallAuthor } from '#core/server';
import type { leaveOutImportRows } from '../../contract/api.ts';
import type { ImportContext } from '../import-context.ts';
import { getSheet } from '../kinds/kind-registry.ts';
import type { ImportsTables } from '../tables.ts';
import { changeRows } from './change-rows.ts';

type Body = BodyOf<typeof leaveOutImportRows>;

/**
 * Leaves rows out of an import, or includes them again.
 *
 * @throws `invalidRequest` (400) if a whole sheet would be left out; `notFound` (404); `conflict` (409) outside of the
 *   preview
 */
export async function leaveOutRows(
  context: ImportContext,
  author: CallAuthor,
  uid: string,
  body: Body,
): Promise<{ readonly rows: number }> {
  const { sheet, leftOut, row, problem } = body;
  if (leftOut && row === undefined && problem === undefined)
    throw invalidRequest('A row or a problem is needed.', [
      { pointer: '/row', message: 'core.validation.mandatoryField' },
    ]);
  const rows = await changeRows(context, author, uid, async (transaction, { kind, mode }) => {
    const { rows: matchingRows } = await sql<{ id: string }>`
      select id::text as id from imports.staged_row as row
      where batch = ${uid} and sheet = ${sheet} and number is not null and left_out <> ${leftOut}
        and ${row === undefined ? sql`true` : sql`id = ${row}::bigint`}
        and ${problem === undefined ? sql`true` : hasProblem(uid, problem)}`.execute(transaction);
    const ids = matchingRows.map(({ id }) => id);
    const changedSheet = getSheet(kind, sheet);
    // While any row of a sheet is left out, nothing is removed from that sheet. So leaving out the first row, and
    // including the last one again, affects all rows.
    const affectsAll =
      mode === 'REPLACE' && changedSheet.removable === true && !(await hasOtherLeftOut(transaction, uid, sheet, ids));
    return [
      {
        sheet: changedSheet,
        ids,
        affectsAll,
        write: async () => {
          await sql`update imports.staged_row set left_out = ${leftOut} where id = any(${ids}::bigint[])`.execute(
            transaction,
          );
          await sql`delete from imports.finding where row = any(${ids}::bigint[])`.execute(transaction);
        },
      },
    ];
  });
  return { rows };
}

async function hasOtherLeftOut(
  transaction: Transaction<ImportsTables>,
  batch: string,
  sheet: string,
  ids: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from imports.staged_row
    where batch = ${batch} and sheet = ${sheet} and left_out and id <> all(${[...ids]}::bigint[]) limit 1`.execute(
    transaction,
  );
  return rows.length > 0;
}

/** Whether a staged row (`row` in the query) has the problem, as `listProblems` groups them. */
const hasProblem = (
  batch: string,
  { column, finding, value }: NonNullable<Body['problem']>,
): RawBuilder<unknown> => sql`
  coalesce(row.values -> ${column}::text, 'null') = ${JSON.stringify(value)}::jsonb and exists (
    select from imports.finding
    where finding.batch = ${batch} and finding.row = row.id and column_id is not distinct from ${column}
      and message = ${finding.message}
      and coalesce(finding.values, '{}') - 'row' = ${JSON.stringify(finding.values ?? {})}::jsonb - 'row')`;
