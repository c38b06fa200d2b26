import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BodyOf, LocationRow } from '#core';
import { undoChange } from '#core/api';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import {
  buildBridge,
  describeAccess,
  describeOnDatabases,
  QueryCounter,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import { createImport, createWorkbook, getImport, pushImport, undoImport } from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import { deleteEstimation, getEstimation, listEstimations, saveEstimation } from '../contract/api.ts';
import manifest from '../plugin.ts';
import expenseImports from './bridges/imports.ts';
import expense from './index.ts';
import type { ExpenseTables } from './tables.ts';

const plugin = enabledPlugin(manifest, {}, expense);
describeAccess('access to expense estimations', [plugin]);

const buildLocation = (uid: string, parent: string | null, name: string): LocationRow => ({
  uid,
  parent,
  root: parent ?? uid,
  locationType: parent === null ? 'PRIMARY_LOCATION' : 'PLATFORM_UNIT',
  name,
  label: '',
});
const figures = { fixedCost: 1500, perDiem: 250.5, tripDays: 3, tourHours: 2 };

describeOnDatabases('expense estimations', (kind) => {
  let server: TestServer;
  let token: string;
  const tables = () => server.database.of<ExpenseTables>('expense');
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(importsManifest, { endSessions: true }, imports), plugin],
      bridges: [buildBridge('expense', 'imports', expenseImports)],
    });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('K', null, 'Kestrel'),
        buildLocation('K-1', 'K', 'Unit'),
        buildLocation('H', null, 'Heron'),
        buildLocation('X', null, 'Extra'),
      ]);
    token = await server.signIn({ flags: ['import', 'configure'], locations: ['K', 'H'] });
  });
  afterAll(() => server.close());
  beforeEach(() => sql`truncate expense.estimation`.execute(tables()));

  const save = (location: string, changes: Partial<BodyOf<typeof saveEstimation>> = {}) =>
    server.call(saveEstimation, { token, params: { location }, body: { ...figures, version: 0, ...changes } });
  const read = async (location: string) => (await server.call(getEstimation, { token, params: { location } })).body;
  const list = async (query: object = {}) => (await server.call(listEstimations, { token, query })).body;
  const undo = (change: string | null) =>
    server.call(undoChange, { token, params: { change: String(change) }, body: {} });
  const push = async (rows: readonly Readonly<Record<string, unknown>>[], dryRun = false) =>
    (
      await server.call(pushImport, {
        token,
        body: {
          uid: randomUUID(),
          kind: 'expense.expense',
          site: 'K',
          mode: 'UPSERT',
          dryRun,
          sheets: { estimations: rows as never },
        },
      })
    ).body;

  it('[ADM-08] are saved for a site, changed, deleted and undone', async () => {
    expect(await read('K')).toEqual({
      location: 'K',
      fixedCost: null,
      perDiem: null,
      tripDays: null,
      tourHours: null,
      version: 0,
    });
    expect((await save('K')).status).toBe(200);
    expect(await read('K')).toEqual({ location: 'K', ...figures, version: 1 });
    const updateReply = await save('K', { fixedCost: 999_999_999.99, perDiem: 0.07, version: 1 });
    expect(await read('K')).toMatchObject({ fixedCost: 999_999_999.99, perDiem: 0.07, version: 2 });
    expect(await save('K', { tripDays: 4, version: 1 })).toMatchObject({
      status: 409,
      body: { current: { fixedCost: 999_999_999.99, version: 2 } },
    });
    expect((await undo(updateReply.body.change)).status).toBe(200);
    expect(await read('K')).toMatchObject({ ...figures, version: 3 });
    const deletionReply = await server.call(deleteEstimation, {
      token,
      params: { location: 'K' },
      query: { version: 3 },
    });
    expect(await read('K')).toMatchObject({ fixedCost: null, version: 0 });
    await undo(deletionReply.body.change);
    expect(await read('K')).toMatchObject(figures);
  });

  it('[ADM-08] [VAL-01] [VAL-03] [VAL-05] [VAL-06] [VAL-07] [VAL-12] are refused by the rules of the form', async () => {
    const readFieldErrors = async (values: object) =>
      ((await save('K', values)).body as { fields?: readonly object[] }).fields;
    const buildFieldError = (pointer: string, name: string, values?: object) => [
      { pointer, message: `core.validation.${name}`, ...(values ? { values } : {}) },
    ];
    expect(await readFieldErrors({ fixedCost: -1 })).toEqual(buildFieldError('/fixedCost', 'positive'));
    expect(await readFieldErrors({ perDiem: 1_000_000_000 })).toEqual(
      buildFieldError('/perDiem', 'integerDigits', { count: 9 }),
    );
    for (const field of ['fixedCost', 'perDiem', 'tripDays', 'tourHours'])
      expect(await readFieldErrors({ [field]: 1.005 })).toEqual(buildFieldError(`/${field}`, 'decimals', { count: 2 }));
    expect(await readFieldErrors({ tripDays: 0 })).toEqual(buildFieldError('/tripDays', 'min', { min: 0.01 }));
    expect(await readFieldErrors({ tripDays: 365.01 })).toEqual(buildFieldError('/tripDays', 'max', { max: 365 }));
    expect(await readFieldErrors({ tourHours: 24.5 })).toEqual(buildFieldError('/tourHours', 'max', { max: 24 }));
    expect((await save('K-1')).status).toBe(400);
    expect((await save('X')).status).toBe(403);
    expect(await read('K')).toMatchObject({ version: 0 });
  });

  it('are listed for accessible sites by name and state', async () => {
    await save('K');
    const uids = async (query: object) => (await list(query)).rows.map(({ location }) => location);
    expect(await uids({})).toEqual(['H', 'K']);
    expect(await uids({ text: ' kes' })).toEqual(['K']);
    expect(await uids({ state: 'MISSING' })).toEqual(['H']);
    expect(await list({ state: 'COMPLETE' })).toMatchObject({ total: 1, rows: [{ location: 'K', ...figures }] });
    expect(await list({ offset: 1, limit: 1 })).toMatchObject({ total: 2, offset: 1, rows: [{ location: 'K' }] });
    const counter = new QueryCounter(server.database);
    const { statements } = await counter.record(() => list());
    expect(statements.filter((text) => text.includes('expense.estimation'))).toHaveLength(1);
  });

  it('[ADM-08] [DAT-05] [DAT-09] [VAL-12] are imported, compared with the current ones, refused with the wrong cell, and undone', async () => {
    const undoBatch = async (batch: string) =>
      (await server.call(undoImport, { token, params: { batch }, body: { dryRun: false } })).body;
    const before = await list();
    const dryRun = await push([{ location: 'k', ...figures }], true);
    expect(dryRun.import).toMatchObject({ phase: 'PREVIEW', sheets: [{ added: 1 }] });
    expect(await list()).toEqual(before);
    const added = await push([{ location: 'k', ...figures }]);
    expect(added.import.result).toBe('SUCCESS');
    expect(await read('K')).toMatchObject({ ...figures, version: 1 });
    expect(await undoBatch(added.import.uid)).toMatchObject({ reversed: 1, kept: 0, blocked: 0 });
    expect(await list()).toEqual(before);
    await push([{ location: 'K', ...figures }]);
    const unchangedResult = await push([{ location: 'K', ...figures }]);
    expect(unchangedResult.import.sheets[0]).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    const changedResult = await push([{ location: 'K', ...figures, perDiem: 300.25 }]);
    expect(changedResult.import.sheets[0]).toMatchObject({ changed: 1 });
    expect(await read('K')).toMatchObject({ ...figures, perDiem: 300.25, version: 2 });
    expect(await undoBatch(changedResult.import.uid)).toMatchObject({ reversed: 1, kept: 0, blocked: 0 });
    expect(await read('K')).toMatchObject(figures);
    const { findings } = await push(
      [
        { location: 'K', fixedCost: -1, perDiem: 1_000_000_000, tripDays: 366, tourHours: 1.234 },
        { location: 'H', ...figures },
      ],
      true,
    );
    expect(new Set(findings.map(({ column, message, values }) => [column, message, values]))).toEqual(
      new Set([
        ['fixedCost', 'core.validation.positive', {}],
        ['perDiem', 'core.validation.integerDigits', { count: 9 }],
        ['tripDays', 'core.validation.max', { max: 365 }],
        ['tourHours', 'core.validation.decimals', { count: 2 }],
        ['location', 'imports.refused.reference', { value: 'H', entity: expect.anything() }],
      ]),
    );
    const zeroResult = await push([{ location: 'K', ...figures, tripDays: 0, tourHours: 0 }], true);
    expect(zeroResult.findings.map(({ column, message, values }) => [column, message, values]).toSorted()).toEqual([
      ['tourHours', 'core.validation.min', { min: 0.01 }],
      ['tripDays', 'core.validation.min', { min: 0.01 }],
    ]);
  });

  it('[ADM-08] are exported to a workbook that changes nothing', async () => {
    await save('K', { fixedCost: 0.1, tourHours: 7.05 });
    const { body: file } = await server.call(createWorkbook, {
      token,
      params: { kind: 'expense.expense' },
      body: { language: 'fr', rows: true, site: 'K' },
    });
    expect(file.name).toBe('EXPENSE_IMPORT_FILE.xlsx');
    const headers = { authorization: `Bearer ${token}` };
    const workbook = await fetch(`${await server.url()}${file.address}`, { headers });
    const { body: batch } = await server.call(createImport, {
      token,
      body: { uid: randomUUID(), kind: 'expense.expense', site: 'K', mode: 'UPSERT' },
    });
    const form = new FormData();
    form.append('files', new Blob([await workbook.arrayBuffer()]), file.name);
    const url = `${await server.url()}/api/imports/${batch.uid}/files`;
    const { job } = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as { job: string };
    await server.service(Jobs).waitForCompletion(job);
    const { body } = await server.call(getImport, { token, params: { batch: batch.uid } });
    expect(body).toMatchObject({ phase: 'PREVIEW', findings: [] });
    expect(body.sheets[0]).toMatchObject({ rows: 1, added: 0, changed: 0, unchanged: 1 });
  });
});
