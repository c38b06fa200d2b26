import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { enabledPlugin } from '#core/server';
import { buildBridge, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { masters, mastersImports, mastersManifest, type MastersTables } from '#plugins/masters/testing/server';
import { createImport } from '../../contract/api.ts';
import manifest from '../../plugin.ts';
import { checkFully } from '../../testing/full-check.ts';
import imports from '../index.ts';
import type { ImportsTables } from '../tables.ts';

const rowCount = 20_001;

describeOnDatabases('imports of several groups of rows', (kind) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(manifest, { endSessions: true }, imports), enabledPlugin(mastersManifest, {}, masters)],
      bridges: [buildBridge('masters', 'imports', mastersImports)],
    });
    token = await server.signIn({ flags: ['import', 'configure'] });
  });
  afterAll(() => server.close());

  it('compare the rows at the ends of groups like all others, and keep no current rows', async () => {
    const tables = server.server.database.of<ImportsTables>('imports');
    await server.server.database
      .of<MastersTables>('masters')
      .insertInto('master')
      .values(
        [1, 10_000, 10_001, 20_000, 20_001].map((number) => ({
          uid: `m${number}`,
          type: 'ACTIVITY',
          name: `Master ${number}`,
          french_name: null,
          active: number !== 10_001,
          position: 0,
          parent: null,
        })),
      )
      .execute();
    const { uid } = (
      await server.call(createImport, {
        token,
        body: { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT' },
      })
    ).body;
    await sql`
      insert into imports.staged_row (batch, sheet, number, cells, values)
      select ${uid}, 'masters', number, '[]',
        jsonb_build_object('type', 'ACTIVITY', 'name', 'MASTER ' || number, 'status', 'Active')
      from generate_series(1, ${rowCount}) as number order by number`.execute(tables);
    await checkFully(server, uid);
    const { rows } = await sql<{ state: string; numbers: readonly number[] }>`
      select state, array_agg(number order by number) as numbers from imports.staged_row
      where batch = ${uid} and state <> 'ADDED' group by state`.execute(tables);
    expect(rows.map(({ state, numbers }) => [state, numbers])).toEqual([
      ['CHANGED', [1, 10_000, 10_001, 20_000, 20_001]],
    ]);
    const { added, changed } = await sql<{ added: number; changed: number }>`
      select (counts -> 'masters' ->> 'added')::int as added, (counts -> 'masters' ->> 'changed')::int as changed
      from imports.batch where uid = ${uid}`
      .execute(tables)
      .then((result) => result.rows[0]!);
    expect([added, changed]).toEqual([rowCount - 5, 5]);
    expect(await tables.selectFrom('current_row').select('key').execute()).toEqual([]);
  });
});
