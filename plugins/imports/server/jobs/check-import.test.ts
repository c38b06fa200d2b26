import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { enabledPlugin, Jobs } from '#core/server';
import { startTestServer, type TestServer } from '#core/testing/server';
import { masters, mastersManifest, type MastersTables } from '#plugins/masters/testing/server';
import { finding, ImportKinds, type ImportKind, type ImportSheet } from '#plugins/imports';
import { createImport, getImport } from '../../contract/api.ts';
import manifest from '../../plugin.ts';
import imports from '../index.ts';
import type { ImportsTables } from '../tables.ts';

const sheetCount = 5;

/** A sheet whose check takes some time, and warns of each row. */
const buildSlowSheet = (id: string): ImportSheet => ({
  id,
  name: id,
  columns: [{ id: 'code', header: { en: 'Code', fr: 'Code' }, type: 'CODE', key: true, required: true }],
  current: () => sql`select null::jsonb as values where false`,
  check: ({ rows }) => sql`
    select ${finding('code', 'core.validation.mandatoryField', {}, 'WARNING')} from (${rows(id)}) as row
    where (select count(*) from generate_series(1, 300000)) > 0`,
});

const sheets = Array.from({ length: sheetCount }, (_, index) => buildSlowSheet(`S${index}`));
const slowKind: ImportKind<MastersTables> = {
  id: 'masters.slow',
  title: { en: 'Slow', fr: 'Lent' },
  order: 99,
  scope: 'NONE',
  fileName: () => 'SLOW.xlsx',
  files: [],
  readme: [],
  sheets,
  changes: { apply: async () => ({ change: null }) },
  apply: async () => {},
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    database: 'embedded',
    plugins: [enabledPlugin(manifest, { endSessions: true }, imports), enabledPlugin(mastersManifest, {}, masters)],
  });
  server.service(ImportKinds).register(slowKind);
});
afterAll(() => server.close());

it('lets a call run several queries between two steps on the embedded database', async () => {
  const token = await server.signIn({ flags: ['import', 'configure'] });
  const { uid: batch } = (
    await server.call(createImport, { token, body: { uid: randomUUID(), kind: slowKind.id, mode: 'UPSERT' } })
  ).body;
  const form = new FormData();
  const rows = Object.fromEntries(sheets.map(({ id }) => [id, [{ code: 'A' }]]));
  form.append('files', new Blob([JSON.stringify(rows)]), 'slow.json');
  const { status } = await fetch(`${await server.url()}/api/imports/${batch}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect(status).toBeLessThan(300);
  const tables = server.server.database.of<ImportsTables>('imports');
  /** How many queries, one after the other, saw each number of checked sheets. */
  const queryCounts = new Map<number, number>();
  for (let checkedSheets = 0; checkedSheets < sheetCount;) {
    const { count } = await tables
      .selectFrom('finding')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('checked', '=', true)
      .executeTakeFirstOrThrow();
    checkedSheets = Number(count);
    queryCounts.set(checkedSheets, (queryCounts.get(checkedSheets) ?? 0) + 1);
  }
  for (let checkedSheets = 1; checkedSheets < sheetCount; checkedSheets += 1)
    expect(queryCounts.get(checkedSheets)).toBeGreaterThanOrEqual(10);
  const { job } = (await server.call(getImport, { token, params: { batch } })).body;
  if (job !== null) await server.service(Jobs).waitForCompletion(job);
});
