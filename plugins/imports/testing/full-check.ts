import { sql } from 'kysely';
import type { TestServer } from '#core/testing/server';
import { ImportKinds } from '#plugins/imports';
import type { KindRegistry } from '../server/kinds/kind-registry.ts';
import { checkRows } from '../server/queries/check-rows.ts';
import type { ImportsTables } from '../server/tables.ts';

/**
 * Reads the staged rows of an import with their states and findings, and its counts, without ids, so that two imports
 * can be compared.
 */
export async function readStagedRows(server: TestServer, batch: string): Promise<readonly string[]> {
  const tables = server.server.database.of<ImportsTables>('imports');
  const { rows } = await sql<{ row: string }>`
    select jsonb_build_array(sheet, number, key, state, values, before, defaulted, (
      select jsonb_agg(jsonb_build_array(column_id, message, finding.values, severity, checked)
        order by column_id, message, finding.values, severity)
      from imports.finding where finding.row = staged_row.id
    ))::text as row
    from imports.staged_row where batch = ${batch}
    union all select counts::text from imports.batch where uid = ${batch}`.execute(tables);
  return rows.map(({ row }) => row).toSorted();
}

/** Checks all rows of an import again. */
export async function checkFully(server: TestServer, uid: string): Promise<void> {
  const tables = server.server.database.of<ImportsTables>('imports');
  const batch = await tables.selectFrom('batch').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow();
  const kind = (server.service(ImportKinds) as KindRegistry).find(batch.kind);
  if (!kind) throw new Error(`There is no kind '${batch.kind}'.`);
  const scope = { site: batch.site, locations: batch.locations, timeZone: 'UTC' };
  await tables
    .transaction()
    .execute((transaction) =>
      checkRows(transaction, { batch: uid, kind, scope, mode: batch.mode, author: batch.author, api: batch.api }),
    );
}
