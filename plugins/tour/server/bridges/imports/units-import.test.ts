import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { defaultSiteRecord, type LocationRow, type LocationType, type SiteUnit } from '#core';
import { enabledPlugin, Jobs, LocationStore, SiteStore } from '#core/server';
import { buildBridge, describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import {
  applyImport,
  chooseImportColumns,
  createImport,
  createWorkbook,
  getImport,
  listImportRows,
  pushImport,
  updateImportRow,
} from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import manifest from '../../../plugin.ts';
import { buildNodeRow, buildTagRow, buildTourRow, insertTourRows } from '../../../testing/server/tour-rows.ts';
import tour from '../../index.ts';
import { insertCodes } from '../../queries/codes.ts';
import type { TourTables } from '../../tables.ts';
import tourImports from '../imports.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationType): LocationRow => ({
  uid,
  parent,
  root: 'site',
  locationType,
  name: uid,
  label: '',
});
const siteRows = [
  buildLocation('site', null, 'PRIMARY_LOCATION'),
  buildLocation('unit', 'site', 'PLATFORM_UNIT'),
  buildLocation('lower', 'unit', 'LOC_LEVEL'),
];
type Row = Readonly<Record<string, string | number | null>>;
type ColumnChoice = { readonly header: string; readonly column: string | null; readonly unit?: 'm' | 'ft' | 'ftUS' };

describeOnDatabases('lengths in imports', (kind) => {
  let server: TestServer;
  let token: string;
  const tables = () => server.database.of<TourTables>('tour');
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(importsManifest, { endSessions: false }, imports), enabledPlugin(manifest, {}, tour)],
      bridges: [buildBridge('tour', 'imports', tourImports)],
    });
    await server.service(LocationStore).upsert(siteRows);
    token = await server.signIn({ flags: ['import', 'configure'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await sql`truncate tour.tour, tour.deck, tour.tag, tour.code, imports.batch, imports.header_choice cascade`.execute(
      tables(),
    );
    await setUnit('ftUS');
  });

  const setUnit = async (unit: SiteUnit) => {
    const record = defaultSiteRecord('UTC');
    await server.service(SiteStore).save('site', { ...record, frame: { ...record.frame, unit } });
  };
  const get = async (batch: string) => (await server.call(getImport, { token, params: { batch } })).body;
  const settle = async (batch: string) => {
    const { job } = await get(batch);
    if (job !== null) await server.service(Jobs).waitForCompletion(job);
    return get(batch);
  };
  const upload = async (content: BlobPart, name = 'Tags.csv') => {
    const body = { uid: randomUUID(), kind: 'tour.tags', site: 'site', mode: 'UPSERT' as const };
    const { uid } = (await server.call(createImport, { token, body })).body;
    const form = new FormData();
    form.append('files', new Blob([content]), name);
    const url = `${await server.url()}/api/imports/${uid}/files`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(url, { method: 'POST', headers, body: form })).status).toBeLessThan(300);
    return settle(uid);
  };
  const toCsv = (x: string, y: string, z: string, ...rows: readonly string[]) =>
    [`Tag Number;Kind;Location Code;${x};${y};${z}`, ...rows.map((row) => row.replaceAll(' ', ';'))].join('\n');
  const choose = async (batch: string, ...headers: readonly ColumnChoice[]) => {
    const body = { sheet: 'tags', headers: [...headers] };
    const { status } = await server.call(chooseImportColumns, { token, params: { batch }, body });
    return { ...(await settle(batch)), status };
  };
  const listRows = async (batch: string) =>
    (await server.call(listImportRows, { token, params: { batch }, query: { sheet: 'tags' } })).body.rows;
  const listPlaces = async (batch: string) =>
    (await listRows(batch)).map(({ values: { number, x, y, z } }) => [number, x, y, z]);
  const readTags = async () =>
    (
      await sql<{ tag: unknown }>`select jsonb_build_array(code, x, y, z) as tag from tour.tag order by code`.execute(
        tables(),
      )
    ).rows.map(({ tag }) => tag);
  const push = async (sheets: Readonly<Record<string, readonly Row[]>>, dryRun = true) => {
    const { status, body } = await server.call(pushImport, {
      token,
      body: { uid: randomUUID(), kind: 'tour.tags', site: 'site', mode: 'UPSERT', dryRun, sheets: sheets as never },
    });
    expect(status).toBeLessThan(300);
    return body;
  };

  it('wait at a site in feet until a person chooses the unit, and are stored in metres', async () => {
    const batch = await upload(toCsv('X', 'Y', 'Z', 'V-1 VALVE unit 3937 0 -3.937', 'V-2 VALVE unit high 1 1'));
    expect(batch).toMatchObject({ phase: 'COLUMNS' });
    const headers = batch.sheets.find(({ sheet }) => sheet === 'tags')!.headers;
    expect(headers.map(({ siteUnit, unit }) => [siteUnit, unit])).toEqual(headers.map(() => ['ftUS', undefined]));
    const [x, y, z] = ['X', 'Y', 'Z'].map((header) => ({ header, column: header.toLowerCase() })) as [
      ColumnChoice,
      ColumnChoice,
      ColumnChoice,
    ];
    expect((await choose(batch.uid, x, { ...y, unit: 'ftUS' }, { ...z, unit: 'ftUS' })).phase).toBe('COLUMNS');
    const wrongColumn = { header: 'Kind', column: 'kind', unit: 'ft' } as const;
    expect((await choose(batch.uid, wrongColumn)).status).toBe(400);
    const unit = 'ftUS';
    expect((await choose(batch.uid, { ...x, unit })).phase).toBe('PREVIEW');
    expect(await listPlaces(batch.uid)).toEqual([
      ['V-1', 1200, 0, -1.2],
      ['V-2', 'high', 0.304801, 0.304801],
    ]);
    // Corrections are in metres, as the grid shows them.
    const row = (await listRows(batch.uid))[1]!.id;
    const correction = { token, params: { batch: batch.uid, row }, body: { column: 'x', value: '12.5' } };
    expect((await server.call(updateImportRow, correction)).body.values['x']).toBe(12.5);
    const { version } = await get(batch.uid);
    const body = { version, remove: false, backup: false };
    await server.call(applyImport, { token, params: { batch: batch.uid }, body });
    expect((await settle(batch.uid)).phase).toBe('DONE');
    expect(await readTags()).toEqual([
      ['V-1', 1200, 0, -1.2],
      ['V-2', 12.5, 0.304801, 0.304801],
    ]);
    // The choice is not remembered, because files in metres may have the same header.
    expect((await upload(toCsv('X', 'Y', 'Z', 'V-3 VALVE unit 1 2 3'))).phase).toBe('COLUMNS');
  });

  it('are read in the unit of their header, or in the unit that a person chooses instead', async () => {
    await setUnit('m');
    const file = toCsv('X (ft)', 'Y (ftUS)', 'Z (m)', 'V-1 VALVE unit 10000 3937 1.5');
    const { uid, phase } = await upload(file);
    expect([phase, await listPlaces(uid)]).toEqual(['PREVIEW', [['V-1', 3048, 1200, 1.5]]]);
    await choose(uid, { header: 'X (ft)', column: 'x', unit: 'ftUS' }, { header: 'Y (ftUS)', column: 'y', unit: 'm' });
    expect(await listPlaces(uid)).toEqual([['V-1', 3048.006096, 3937, 1.5]]);
    const plain = await upload(toCsv('X', 'Y', 'Z', 'V-1 VALVE unit 1 2 3'));
    expect([plain.phase, await listPlaces(plain.uid)]).toEqual(['PREVIEW', [['V-1', 1, 2, 3]]]);
    // In the United States, `ft` may mean both units.
    await setUnit('ftUS');
    expect((await upload(file)).phase).toBe('COLUMNS');
  });

  it('wait once for the choice of a unit if the column was remembered without the unit in its header', async () => {
    await setUnit('m');
    // A choice that was stored before units were converted. It means metres.
    await sql`insert into imports.header_choice (kind, sheet, header, column_id) values ('tour.tags', 'tags', 'survey (ft)', 'z')`.execute(
      tables(),
    );
    const file = toCsv('X (m)', 'Y (m)', 'Survey (ft)', 'V-1 VALVE unit 1 2 10');
    const survey = { header: 'Survey (ft)', column: 'z' };
    const pushedRow = { number: 'V-1', kind: 'VALVE', location: 'unit', x: 1, y: 2, 'Survey (ft)': 10 };
    const pushRow = async () => {
      const body = { uid: randomUUID(), kind: 'tour.tags', site: 'site', mode: 'UPSERT' as const, dryRun: true };
      const { status, refusal } = await server.call(pushImport, {
        token,
        body: { ...body, sheets: { tags: [pushedRow] } },
      });
      return [status, refusal.refusal?.message];
    };
    const batch = await upload(file);
    expect(batch.phase).toBe('COLUMNS');
    expect(batch.sheets.find(({ sheet }) => sheet === 'tags')!.headers[5]).toMatchObject({
      ...survey,
      by: 'REMEMBERED',
      unitUnseen: true,
    });
    expect(await pushRow()).toEqual([400, 'imports.refused.unclearUnit']);
    expect((await choose(batch.uid, survey)).phase).toBe('COLUMNS');
    expect((await upload(file)).phase).toBe('COLUMNS');
    expect((await choose(batch.uid, { ...survey, unit: 'ft' })).phase).toBe('PREVIEW');
    expect(await listPlaces(batch.uid)).toEqual([['V-1', 1, 2, 3.048]]);
    const secondBatch = await upload(file);
    expect([secondBatch.phase, await listPlaces(secondBatch.uid)]).toEqual(['PREVIEW', [['V-1', 1, 2, 3.048]]]);
    expect(await pushRow()).toEqual([200, undefined]);
    // A choice of metres that contradicts the header applies to one file only.
    expect((await choose(secondBatch.uid, { ...survey, unit: 'm' })).phase).toBe('PREVIEW');
    expect(await listPlaces(secondBatch.uid)).toEqual([['V-1', 1, 2, 10]]);
    expect((await upload(file)).phase).toBe('COLUMNS');
  });

  it('are metres in exports and requests, also at a site in feet', async () => {
    const { import: batch } = await push(
      { tags: [{ number: 'V-1', kind: 'VALVE', location: 'unit', x: 1 / 3, y: 3937, z: 0.3048 }] },
      false,
    );
    expect(batch.phase).toBe('DONE');
    expect(await readTags()).toEqual([['V-1', 1 / 3, 3937, 0.3048]]);
    const { body: file } = await server.call(createWorkbook, {
      token,
      params: { kind: 'tour.tags' },
      body: { site: 'site', language: 'fr', rows: true },
    });
    const headers = { authorization: `Bearer ${token}` };
    const content = await (await fetch(`${await server.url()}${file.address}`, { headers })).arrayBuffer();
    const reimport = await upload(content, file.name);
    expect(reimport.phase).toBe('PREVIEW');
    expect(reimport.sheets.find(({ sheet }) => sheet === 'tags')).toMatchObject({ unchanged: 1, changed: 0 });
  });

  /** A deck of 20 m by 10 m at height 10, and a tag far from it. */
  const insertDeck = async () => {
    await insertCodes(tables(), [{ site: 'site', kind: 'DECK', code: 'D1', entity: 'deck-D1' }]);
    await tables()
      .insertInto('deck')
      .values({
        ...{ uid: 'deck-D1', site: 'site', code: 'D1', name: 'Deck', location: 'lower', elevation: 10 },
        ...{ plan_file: null, plan_width: null, plan_height: null },
        ...{ plan_x: null, plan_y: null, plan_scale: null, plan_heading: null },
        walls: JSON.stringify([
          {
            number: 1,
            points: [
              [0, 0],
              [20, 10],
            ],
          },
        ]),
      })
      .execute();
    await insertTourRows(server.database, {
      tours: [buildTourRow('T1')],
      nodes: [buildNodeRow('N1', { deck: 'deck-D1', x: 5, y: 5, z: 11 })],
      tags: [buildTagRow('FAR', { location: 'unit', x: 9000, y: 0, z: 0 })],
    });
  };
  const buildTag = (number: string, x: number | string | null, y: number | null, z: number | null): Row => ({
    ...{ number, kind: 'VALVE', location: 'unit', x, y, z },
  });
  const findFar = (findings: Awaited<ReturnType<typeof push>>['findings']) =>
    findings.flatMap(({ sheet, row, column, message, values, severity }) =>
      message === 'tour.refused.farFromDecks' ? [[sheet, row, column, severity, values?.['distance']]] : [],
    );

  it('have a warning for each new or moved position that is far from all decks', async () => {
    const tags = [
      buildTag('A', 1254, 5, 10),
      buildTag('B', 10, -600, 10),
      buildTag('C', 10, 5, 600),
      buildTag('D', 519, 5, 10),
      buildTag('E', null, null, null),
      buildTag('F', 'east', 1e6, 1),
      buildTag('G', 2e8, 0, 0),
      buildTag('FAR', 9000, 0, 0),
    ];
    expect(findFar((await push({ tags })).findings)).toEqual([]);
    await insertDeck();
    const viewpoint = { code: 'N2', tour: 'T1', name: 'Far', x: 0, y: 0, z: 2000, heading: 0 };
    const { import: batch, findings } = await push({
      tags,
      viewpoints: [viewpoint, { ...viewpoint, code: 'N1', z: 11 }],
    });
    expect(findFar(findings)).toEqual([
      ['viewpoints', 2, 'z', 'WARNING', 1990],
      ['tags', 2, 'x', 'WARNING', 1234],
      ['tags', 3, 'y', 'WARNING', 600],
      ['tags', 4, 'z', 'WARNING', 590],
    ]);
    expect(batch.sheets.find(({ sheet }) => sheet === 'tags')).toMatchObject({ withWarnings: 3 });
    // If the deck is 2 km long, a distance of 1.9 km is near.
    await sql`update tour.deck set plan_file = 'plan', plan_width = 1200, plan_height = 1600, plan_x = 0, plan_y = 0, plan_scale = 1, plan_heading = 30`.execute(
      tables(),
    );
    expect(findFar((await push({ tags: [buildTag('A', 2900, 5, 10), buildTag('B', 3100, 5, 10)] })).findings)).toEqual([
      ['tags', 3, 'x', 'WARNING', 2100],
    ]);
    // More than 100 km is far, however large a misplaced viewpoint makes the extent.
    await sql`update tour.node set x = 1000000 where code = 'N1'`.execute(tables());
    expect(
      findFar((await push({ tags: [buildTag('A', -90_000, 5, 10), buildTag('B', -150_000, 5, 10)] })).findings),
    ).toEqual([['tags', 3, 'x', 'WARNING', 149_000]]);
  });

  it('are compared with decks with as many statements for 60 rows as for three', async () => {
    await insertDeck();
    const count = async (size: number) => {
      const tags = Array.from({ length: size }, (_, index) => buildTag(`${size}-${index}`, 5000, index, 0));
      const { statements } = await new QueryCounter(server.database).record(() => push({ tags }));
      return statements.filter((statement) => /\b(tour|imports)"?\./.test(statement)).length;
    };
    const statementsForThree = await count(3);
    expect(statementsForThree).toBeGreaterThan(0);
    expect(await count(60)).toBe(statementsForThree);
  });
});
