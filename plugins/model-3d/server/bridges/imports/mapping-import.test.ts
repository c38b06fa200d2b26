import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { LocationRow, LocationType } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { buildBridge, describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { pushImport, undoImport } from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import { buildTagRow, buildTourRow, insertTourRows, tagUid, tour, tourManifest } from '#plugins/tour/testing/server';
import manifest from '../../../plugin.ts';
import { buildStoredObject, insertPublishedModels } from '../../../testing/server/model-rows.ts';
import model3d from '../../index.ts';
import { modelSchema, type ModelTables } from '../../tables.ts';
import mappingImports from '../imports.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationType): LocationRow => ({
  uid,
  parent,
  root: 'site',
  locationType,
  name: uid,
  label: '',
});
type Row = Readonly<Record<string, string | null>>;
const numbers = Array.from({ length: 40 }, (_, index) => `V-${index + 1}`);
const buildRow = (element: string, tag: string, changes: Row = {}): Row => ({
  tour: 'T1',
  model: 'Module',
  element,
  tag,
  ...changes,
});

describeOnDatabases('imports of 3D mappings', (database) => {
  let server: TestServer;
  let token: string;
  const tables = () => server.database.of<ModelTables>(modelSchema);
  beforeAll(async () => {
    server = await startTestServer({
      database,
      plugins: [
        enabledPlugin(importsManifest, { endSessions: false }, imports),
        enabledPlugin(tourManifest, {}, tour),
        enabledPlugin(manifest, { engine: 'builtin' }, model3d),
      ],
      bridges: [buildBridge('model-3d', 'imports', mappingImports)],
    });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('deck', 'unit', 'LOC_LEVEL'),
        buildLocation('other', 'site', 'PLATFORM_UNIT'),
      ]);
    await insertTourRows(server.database, {
      tours: [buildTourRow('T1', { location: 'unit' }), buildTourRow('T2', { location: 'other' })],
      tags: numbers.map((number) => buildTagRow(number, { location: 'unit' })),
    });
    token = await server.signIn({ flags: ['import', 'configure'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await tables().deleteFrom('model').execute();
    const objects = [...numbers, 'v-1'].map((key) => buildStoredObject(key));
    await insertPublishedModels(server.database, ['m1'], objects, { name: 'Module', location: 'deck' });
    await insertPublishedModels(server.database, ['m2', 'm3'], objects, { name: 'Twin', location: 'other' });
    await tables()
      .insertInto('mapping')
      .values([
        { model: 'm1', object: 'V-1', kind: 'TAG', target: tagUid('V-2') },
        { model: 'm1', object: 'V-3', kind: 'TAG', target: tagUid('V-3'), rule: 'NAME' },
        { model: 'm1', object: 'V-9', kind: 'TAG', target: null },
      ])
      .execute();
  });
  const push = async (rows: readonly Row[], options: { mode?: 'REPLACE'; dryRun?: boolean } = {}) => {
    const { status, body } = await server.call(pushImport, {
      token,
      body: {
        uid: randomUUID(),
        kind: 'model-3d.mapping',
        site: 'site',
        mode: options.mode ?? 'UPSERT',
        dryRun: options.dryRun ?? false,
        sheets: { mappings: rows } as never,
      },
    });
    expect(status).toBeLessThan(300);
    return body;
  };
  const read = async () =>
    (
      await sql<{ row: string }>`
        select concat_ws(' ', model, object, coalesce(target, '-'), rule) as row from model_3d.mapping order by 1`.execute(
        tables(),
      )
    ).rows.map(({ row }) => row);

  it('[DAT-05] [DAT-09] [RTE-10:3d-mapping] link elements with precedence over rules, and can be undone', async () => {
    const before = await read();
    const rows = [
      buildRow('V-1', 'v-2'),
      buildRow('V-3', 'V-4'),
      buildRow('V-5', 'V-5', { model: 'module', tour: 't1' }),
      buildRow('V-1', 'V-1', { model: 'm2', tour: 'T2' }),
    ];
    expect((await push(rows, { dryRun: true })).import).toMatchObject({ phase: 'PREVIEW', sheets: [{ added: 3 }] });
    expect(await read()).toEqual(before);
    const { import: batch, findings } = await push(rows);
    expect(findings).toEqual([]);
    expect(batch.sheets[0]).toMatchObject({ rows: 4, added: 3, withErrors: 0 });
    expect(await read()).toEqual([
      `m1 V-1 ${tagUid('V-2')}`,
      `m1 V-3 ${tagUid('V-4')}`,
      `m1 V-5 ${tagUid('V-5')}`,
      'm1 V-9 -',
      `m2 V-1 ${tagUid('V-1')}`,
    ]);
    const { body: undone } = await server.call(undoImport, {
      token,
      params: { batch: batch.uid },
      body: { dryRun: false },
    });
    expect(undone).toMatchObject({ kept: 0, blocked: 0 });
    expect(await read()).toEqual(before);
  });

  it('change nothing if exported rows are imported again, and remove missing rows on demand', async () => {
    const rows = [buildRow('V-1', 'V-2'), buildRow('V-5', 'V-5'), buildRow('V-1', 'V-1', { model: 'm2', tour: 'T2' })];
    await push(rows.slice(1));
    const { import: repeatedBatch } = await push(rows, { mode: 'REPLACE' });
    expect(repeatedBatch.sheets[0]).toMatchObject({ rows: 3, unchanged: 3, removed: 0 });
    await push(rows.slice(1, 2), { mode: 'REPLACE' });
    expect((await read()).filter((row) => !row.endsWith('NAME'))).toEqual([`m1 V-5 ${tagUid('V-5')}`, 'm1 V-9 -']);
  });

  it('accept any tour below a model that is above all tours, such as the model of a whole site', async () => {
    const objects = [buildStoredObject('V-1'), buildStoredObject('V-2')];
    await insertPublishedModels(server.database, ['m4'], objects, { name: 'Whole', location: 'site' });
    const rows = [
      buildRow('V-1', 'V-1', { model: 'Whole', tour: 'T1' }),
      buildRow('V-2', 'V-2', { model: 'Whole', tour: 'T2' }),
    ];
    const { import: batch, findings } = await push(rows);
    expect([findings, batch.sheets[0]]).toMatchObject([[], { added: 2, withErrors: 0 }]);
    const { import: repeatedBatch } = await push(rows.slice(0, 1), { dryRun: true });
    expect(repeatedBatch.sheets[0]).toMatchObject({ rows: 1, unchanged: 1 });
  });

  it('tell elements apart by case, as GlobalIds are', async () => {
    const rows = [buildRow('V-1', 'V-1'), buildRow('v-1', 'V-3')];
    const { import: batch, findings } = await push(rows);
    expect([findings, batch.sheets[0]]).toMatchObject([[], { added: 1, changed: 1, withErrors: 0 }]);
    expect(await read()).toEqual(expect.arrayContaining([`m1 V-1 ${tagUid('V-1')}`, `m1 v-1 ${tagUid('V-3')}`]));
    const { import: repeatedBatch } = await push(rows, { mode: 'REPLACE' });
    expect(repeatedBatch.sheets[0]).toMatchObject({ unchanged: 2, removed: 0 });
  });

  it('name each wrong cell', async () => {
    const { findings } = await push(
      [
        buildRow('V-1', 'V-99'),
        buildRow('V-99', 'V-1'),
        buildRow('V-4', 'V-4', { tour: 'T2' }),
        buildRow('V-4', 'V-4', { model: 'Twin' }),
        buildRow('V-6', 'V-6', { tour: null, tag: null }),
      ],
      { dryRun: true },
    );
    const findingTexts = findings.map(({ row, column, message }) => `${row} ${column} ${message}`);
    expect(findingTexts.toSorted()).toEqual([
      '2 tag imports.refused.reference',
      '3 element model-3d.refused.noSuchElement',
      '4 tour model-3d.refused.otherTour',
      '5 model imports.refused.reference',
      '6 tag core.validation.mandatoryField',
      '6 tour core.validation.mandatoryField',
    ]);
  });

  it('need as many statements for 40 rows as for three', async () => {
    const count = async (size: number) => {
      const rows = numbers.slice(0, size).map((number) => buildRow(number, number));
      const { statements } = await new QueryCounter(server.database).record(() => push(rows));
      return statements.filter((statement) => /model_3d\.|imports\./.test(statement)).length;
    };
    expect(await count(40)).toBe(await count(3));
  });
});
