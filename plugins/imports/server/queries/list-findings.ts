import { sql, type Kysely } from 'kysely';
import type { ReplyOf } from '#core';
import type { pushImport } from '../../contract/api.ts';
import type { ImportsTables } from '../tables.ts';

type PushedFindings = ReplyOf<typeof pushImport>['findings'];

/** Lists the first findings in the order of sheets and rows. */
export async function listFirstFindings(
  tables: Kysely<ImportsTables>,
  batch: string,
  limit: number,
): Promise<PushedFindings> {
  const { rows } = await sql<PushedFindings[number]>`
    select finding.sheet, coalesce(row.number, 0) as row, column_id as column, message, finding.severity,
      coalesce(finding.values, '{}') as values
    from imports.finding join imports.staged_row as row on row.id = finding.row
    where finding.batch = ${batch} order by row.id, column_id, severity, message limit ${limit}`.execute(tables);
  return [...rows];
}
