import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { definePlugin, defaultSiteRecord, type LocationRow, type LocationType } from '#core';
import { updateLocation, createLocation, deleteLocation, listAuditEntries, undoChange } from '#core/api';
import { enabledPlugin, Jobs, LocationStore, Roles, serverPlugin, SiteStore } from '#core/server';
import { buildBridge, describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { createImport, createWorkbook, getImport, listImports, pushImport, undoImport } from '#plugins/imports/api';
import { formatFinding, imports, importsManifest } from '#plugins/imports/testing/server';
import manifest from '../../../plugin.ts';
import locations from '../../index.ts';
import type { LocationsTables } from '../../tables.ts';
import locationImports from '../imports.ts';

const buildRow = (uid: string, parent: string | null, locationType: LocationType): LocationRow => ({
  uid,
  parent,
  root: uid.charAt(0),
  locationType,
  name: `Name of ${uid}`,
  label: '',
});
const initialRows = [
  buildRow('K', null, 'PRIMARY_LOCATION'),
  buildRow('K-1', 'K', 'PLATFORM_UNIT'),
  buildRow('K-1-A', 'K-1', 'LOC_LEVEL'),
  buildRow('K-2', 'K', 'PLATFORM_UNIT'),
  buildRow('L', null, 'PRIMARY_LOCATION'),
  buildRow('L-1', 'L', 'PLATFORM_UNIT'),
];
const triangle = '10,10; 90,10; 50,33.3333';

/** A plugin whose items belong to locations. */
const warehouseManifest = definePlugin({
  id: 'warehouse',
  title: 'warehouse.title',
  settings: Type.Object({}, { additionalProperties: false }),
  access: [],
  requires: [],
  bridges: [],
});
const warehouse = serverPlugin<typeof warehouseManifest, { item: { location: string } }>()({
  migrations: [{ id: 'warehouse-0001-create-item', up: 'create table item (location text)' }],
  api: (_api, context) => context.registerLocationContents('warehouse.contents.items', 'item'),
});

type Row = Readonly<Record<string, string | number | null>>;
type Sheets = Readonly<Record<string, readonly Row[]>>;
const buildSite = (code: string, changes: Row = {}): Row => ({
  code,
  name: `Site ${code}`,
  locationType: 'PRIMARY_LOCATION',
  timeZone: 'Europe/Oslo',
  ...changes,
});
const buildUnit = (code: string, parent: string, changes: Row = {}): Row => ({
  code,
  name: `Unit ${code}`,
  locationType: 'PLATFORM_UNIT',
  parent,
  ...changes,
});
/** Adds a site, with its rows in any order, changes another site, and adds hotspots to both. */
const workbook: Sheets = {
  locations: [
    buildUnit('M-2', 'M', { sequence: 1 }),
    { code: 'M-1-A', name: 'Deck', label: 'EL +12', locationType: 'LOC_LEVEL', parent: 'm-1' },
    buildUnit('M-1', 'M', { sequence: 2.5 }),
    buildSite('M', { timeZone: 'Asia/Kolkata', crs: 25832, originEast: 0.1, rotation: -17.25, unit: 'ftUS' }),
    buildUnit('K-1', 'K', { name: 'Renamed', locationType: 'LOC_GROUP' }),
  ],
  hotspots: [
    { map: 'M', target: 'M-1', points: triangle },
    { map: 'm', target: 'M-1-A', points: '0,0; 100,0; 100,100; 0,0' },
    { map: 'K', target: 'K-2', points: triangle },
  ],
};

describeOnDatabases('imports of locations', (kind) => {
  let server: TestServer;
  let token: string;
  const core = () => server.database.of('core');
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [
        enabledPlugin(importsManifest, { endSessions: false }, imports),
        enabledPlugin(manifest, { alphabetical: false }, locations),
        enabledPlugin(warehouseManifest, {}, warehouse),
      ],
      bridges: [buildBridge('locations', 'imports', locationImports)],
    });
    token = await server.signIn({ flags: ['import', 'configure'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await sql`truncate core.location, core.change, locations.location_picture, imports.batch cascade`.execute(core());
    await server.service(LocationStore).upsert(initialRows);
    await server.service(SiteStore).save('K', defaultSiteRecord('Europe/Oslo'));
  });

  const push = async (
    sheets: Sheets,
    {
      mode = 'UPSERT',
      dryRun = false,
      callerToken = token,
    }: { mode?: 'UPSERT' | 'REPLACE'; dryRun?: boolean; callerToken?: string } = {},
  ) => {
    const { status, body } = await server.call(pushImport, {
      token: callerToken,
      body: { uid: randomUUID(), kind: 'locations.locations', mode, dryRun, sheets: sheets as never },
    });
    expect(status).toBeLessThan(300);
    return body;
  };
  /** Returns the findings of a dry run: row, column and message of each. */
  const check = async (sheets: Sheets, callerToken = token) =>
    (await push(sheets, { dryRun: true, callerToken })).findings.map(({ sheet, row, column, message }) =>
      [sheet, row, column, message].join(' '),
    );
  const read = async () => {
    const { rows } = await sql<{ row: string }>`
      select concat_ws(' ', uid, parent, root, location_type, name, time_zone, crs, unit) as row
      from core.location left join core.site on site.location = uid
      order by root, parent nulls first, position`.execute(core());
    const { rows: areas } = await sql<{ row: string }>`
      select concat_ws(' ', location, area ->> 'location', area -> 'polygon') as row
      from locations.location_picture cross join jsonb_array_elements(areas) as area order by location, 1`.execute(
      core(),
    );
    return { locations: rows.map(({ row }) => row), areas: areas.map(({ row }) => row) };
  };
  const listCodes = async () => (await read()).locations.map((row) => row.split(' ')[0]);
  const undo = async (batch: string, dryRun = false) =>
    (await server.call(undoImport, { token, params: { batch }, body: { dryRun } })).body;

  it('[DAT-01] [DAT-05] [DAT-09] [IMP-01:locations] write sites, their trees and map hotspots in one change, and are undone', async () => {
    const before = await read();
    expect((await push(workbook, { dryRun: true })).import).toMatchObject({
      phase: 'PREVIEW',
      sheets: [{ added: 4 }, {}],
    });
    expect(await read()).toEqual(before);
    const { import: finishedImport, findings } = await push(workbook);
    expect(findings).toEqual([]);
    expect(finishedImport.sheets.map(({ sheet, added, changed }) => [sheet, added, changed])).toEqual([
      ['locations', 4, 1],
      ['hotspots', 3, 0],
    ]);
    const after = await read();
    expect(after).toEqual({
      locations: [
        'K K PRIMARY_LOCATION Name of K Europe/Oslo m',
        'K-1 K K LOC_GROUP Renamed',
        'K-2 K K PLATFORM_UNIT Name of K-2',
        'K-1-A K-1 K LOC_LEVEL Name of K-1-A',
        'L L PRIMARY_LOCATION Name of L',
        'L-1 L L PLATFORM_UNIT Name of L-1',
        'M M PRIMARY_LOCATION Site M Asia/Kolkata 25832 ftUS',
        'M-2 M M PLATFORM_UNIT Unit M-2',
        'M-1 M M PLATFORM_UNIT Unit M-1',
        'M-1-A M-1 M LOC_LEVEL Deck',
      ],
      areas: [
        'K K-2 [[0.1, 0.1], [0.9, 0.1], [0.5, 0.333333]]',
        'M M-1 [[0.1, 0.1], [0.9, 0.1], [0.5, 0.333333]]',
        'M M-1-A [[0, 0], [1, 0], [1, 1]]',
      ],
    });
    expect((await server.service(LocationStore).find('M'))?.site?.frame.rotation).toBe(-17.25);
    const report = await undo(finishedImport.uid);
    expect(report).toMatchObject({ kept: 0, blocked: 0 });
    expect(await read()).toEqual(before);
    const auditor = await server.signIn({ flags: ['userManagement'] });
    const { body: audit } = await server.call(listAuditEntries, { token: auditor, query: { area: 'CONTENT' } });
    expect(audit.rows.slice(0, 2)).toMatchObject([
      { action: 'location.changeUndone', change: { uid: report.change } },
      { action: 'locations.locationsImported', change: { uid: finishedImport.change } },
    ]);
    const redone = await server.call(undoChange, { params: { change: report.change! }, body: {}, token });
    expect([redone.status, await read()]).toEqual([200, after]);
  });

  it('[DAT-05] undo unchanged locations, and name the locations that stay', async () => {
    const { import: finishedImport } = await push(workbook);
    const credentials = { token };
    await server.call(createLocation, {
      ...credentials,
      body: { uid: 'M-1-B', name: 'Added', label: '', locationType: 'LOC_LEVEL', parent: 'M-1' },
    });
    await server.call(updateLocation, {
      ...credentials,
      params: { location: 'K-1' },
      body: { name: 'Edited', label: '', locationType: 'LOC_GROUP', version: 2 },
    });
    const { rows } = await undo(finishedImport.uid, true);
    expect(rows.map(({ table, name, outcome, reason }) => [table, name, outcome, reason?.message])).toEqual(
      expect.arrayContaining([
        ['location', 'Edited', 'KEPT', 'core.refused.undoChanged'],
        ['location', 'Unit M-1', 'BLOCKED', 'core.refused.undoChanged'],
        ['location', 'Site M', 'BLOCKED', 'core.refused.undoChanged'],
      ]),
    );
    await undo(finishedImport.uid);
    expect(await listCodes()).toEqual(['K', 'K-1', 'K-2', 'K-1-A', 'L', 'L-1', 'M', 'M-1', 'M-1-B']);
    expect((await read()).areas).toEqual([]);
    expect((await server.service(LocationStore).find('M'))?.site?.timeZone).toBe('Asia/Kolkata');
  });

  it('[IMP-06] name each wrong cell of locations', async () => {
    expect(
      await check({
        locations: [
          buildSite('N', { timeZone: 'Europe/Atlantis', crs: 5 }),
          buildSite('O', { parent: 'K', timeZone: null }),
          buildUnit('n', 'K'),
          buildUnit('P', 'Q'),
          buildUnit('R', 'T', { locationType: 'LOC_GROUP' }),
          buildUnit('T', 'R', { locationType: 'LOC_GROUP' }),
          buildUnit('U', 'K-1', { timeZone: 'UTC', unit: 'm' }),
          { code: 'V', name: null, locationType: 'LOC_LEVEL', parent: null },
          buildUnit('W_1', 'K', { name: 'x'.repeat(151) }),
          buildUnit('k-2', 'L'),
          buildUnit('K-1', 'K', { locationType: 'LOC_LEVEL' }),
          { code: 'K', name: 'K', locationType: 'PRIMARY_LOCATION', timeZone: null },
        ],
      }),
    ).toEqual([
      'locations 2 crs core.validation.min',
      'locations 2 timeZone core.validation.timeZone',
      'locations 3 parent locations.refused.place',
      'locations 3 timeZone core.validation.mandatoryField',
      'locations 4 code imports.refused.duplicateRow',
      'locations 5 parent imports.refused.reference',
      'locations 6 parent locations.refused.cycle',
      'locations 7 parent locations.refused.cycle',
      'locations 8 parent locations.refused.place',
      'locations 8 timeZone locations.refused.noSite',
      'locations 8 unit locations.refused.noSite',
      'locations 9 name core.validation.mandatoryField',
      'locations 9 parent core.validation.mandatoryField',
      'locations 10 code core.validation.specialCharsExceptDash',
      'locations 10 name core.validation.maxLength',
      'locations 11 code locations.refused.codeStays',
      'locations 11 parent locations.refused.otherSite',
      'locations 12 locationType locations.refused.children',
      'locations 12 parent locations.refused.place',
      'locations 13 timeZone core.validation.mandatoryField',
    ]);
  });

  it('[IMP-06] [VAL-10] name the value of a code that is not unique', async () => {
    const { findings } = await push(
      { locations: [buildUnit('N', 'K'), buildUnit('N', 'L'), buildUnit(' n ', 'K')] },
      { dryRun: true },
    );
    expect(findings.map((finding) => [finding.row, formatFinding(finding, undefined, 'en', {})])).toEqual([
      [3, 'Duplicate value N found (also in row 2)'],
      [4, 'Duplicate value n found (also in row 2)'],
    ]);
  });

  it('report an unknown type or parent alone, without problems that only follow from it', async () => {
    const unknownType = 'Anlage' as LocationType;
    expect(
      await check({
        locations: [
          buildSite('N', { locationType: unknownType, crs: 25832, originEast: 1, rotation: 2, unit: 'm' }),
          buildUnit('N-1', 'N'),
          buildUnit('K-9', 'K', { locationType: unknownType, parent: null, timeZone: 'UTC' }),
          buildUnit('P', 'gone'),
          buildUnit('K-2', 'P'),
        ],
        hotspots: [
          { map: 'N', target: 'N-1', points: triangle },
          { map: 'K', target: 'K-2', points: triangle },
        ],
      }),
    ).toEqual([
      'locations 2 locationType imports.refused.enum',
      'locations 4 locationType imports.refused.enum',
      'locations 5 parent imports.refused.reference',
      'locations 6 parent locations.refused.place',
    ]);
    expect(await check({ locations: [buildUnit('K-9', 'K', { parent: null, timeZone: 'UTC' })] })).toEqual([
      'locations 2 parent core.validation.mandatoryField',
      'locations 2 timeZone locations.refused.noSite',
    ]);
  });

  it('[IMP-06] name each wrong cell of hotspots', async () => {
    const hotspot = (target: string, points: string, map = 'K') => ({ map, target, points });
    expect(
      await check({
        locations: [buildUnit('K-9', 'K')],
        hotspots: [
          hotspot('K-9', triangle),
          hotspot('L-1', triangle),
          hotspot('K-1', '10,10; 90,90; 90,10; 10,90'),
          hotspot('K-2', '10,10; 101,10; 50,50'),
          hotspot('K-1-A', '10,10; 90,10'),
          hotspot('K', 'A,B'),
          hotspot('k-9', triangle, 'k'),
          hotspot('gone', triangle),
          hotspot('K', triangle, 'K-1'),
          hotspot('L-1', Array.from({ length: 65 }, (_, i) => `${i},${(i * i) / 50}`).join('; '), 'L'),
        ],
      }),
    ).toEqual([
      'hotspots 3 target locations.refused.targetElsewhere',
      'hotspots 4 points imports.refused.polygon',
      'hotspots 5 points imports.refused.range',
      'hotspots 6 points imports.refused.polygon',
      'hotspots 7 points imports.refused.points',
      'hotspots 8 target imports.refused.duplicateRow',
      'hotspots 9 target imports.refused.reference',
      'hotspots 10 target locations.refused.targetElsewhere',
      'hotspots 11 points imports.refused.tooManyPoints',
    ]);
  });

  it('[DAT-04] remove only locations without contents, and remove them from roles too', async () => {
    await push(workbook);
    const { uid: role } = await server
      .service(Roles)
      .create({ name: `Crew ${randomUUID()}`, flags: [], allLocations: false, locations: ['M-2'] });
    await server.call(deleteLocation, { params: { location: 'L-1' }, token });
    await sql`insert into warehouse.item values ('K-1-A')`.execute(core());
    const before = await read();
    const { import: finishedImport, findings } = await push(
      {
        locations: [buildUnit('K-2', 'K'), buildUnit('M-3', 'M')],
        hotspots: [{ map: 'K', target: 'K-2', points: triangle }],
      },
      { mode: 'REPLACE' },
    );
    expect(findings.map(({ column, message, values }) => [column, message, values?.['name']]).toSorted()).toEqual([
      ['code', 'locations.refused.inUse', 'Name of K'],
      ['code', 'locations.refused.inUse', 'Name of K-1-A'],
      ['code', 'locations.refused.inUse', 'Renamed'],
      ['code', 'locations.refused.inUse', 'Site M'],
    ]);
    expect([await listCodes(), (await server.service(Roles).find(role))?.locations]).toEqual([
      ['K', 'K-1', 'K-2', 'K-1-A', 'M', 'M-3'],
      [],
    ]);
    expect((await read()).areas).toHaveLength(1);
    expect(await undo(finishedImport.uid)).toMatchObject({ kept: 0, blocked: 0 });
    expect([await read(), (await server.service(Roles).find(role))?.locations]).toEqual([before, ['M-2']]);
  });

  it('[ACC-04] change only locations that the admin can access', async () => {
    const limitedToken = await server.signIn({ flags: ['import', 'configure'], locations: ['K-1'] });
    expect(
      await check(
        {
          locations: [
            buildSite('N'),
            buildUnit('K-3', 'K'),
            buildUnit('L-1', 'K-1', { locationType: 'LOC_LEVEL' }),
            buildUnit('K-1', 'K', { name: 'Mine' }),
            { code: 'K-1-B', name: 'New', locationType: 'LOC_LEVEL', parent: 'K-1' },
          ],
          hotspots: [{ map: 'K', target: 'K-1', points: triangle }],
        },
        limitedToken,
      ),
    ).toEqual([
      'locations 2 locationType locations.refused.siteNeedsAll',
      'locations 3 parent imports.refused.reference',
      'locations 4 code core.validation.duplicate',
      'hotspots 2 map imports.refused.reference',
    ]);
    const { import: siteImport } = await push({ locations: [buildUnit('K-1', 'K', { name: 'Theirs' })] });
    const { import: ownImport } = await push(
      { locations: [{ code: 'K-1-A', name: 'Mine', locationType: 'LOC_LEVEL', parent: 'K-1' }] },
      { mode: 'REPLACE', callerToken: limitedToken },
    );
    expect(ownImport.sheets[0]).toMatchObject({ changed: 1, withErrors: 0 });
    expect(await listCodes()).toContain('K-1');
    const { body } = await server.call(listImports, { token: limitedToken, query: { kind: 'locations.locations' } });
    expect(body.rows.map(({ uid }) => uid)).not.toContain(siteImport.uid);
    expect(body.rows.map(({ uid }) => uid)).toContain(ownImport.uid);
    expect((await server.call(getImport, { token: limitedToken, params: { batch: siteImport.uid } })).status).toBe(403);
    expect(
      (
        await server.call(undoImport, {
          token: limitedToken,
          params: { batch: siteImport.uid },
          body: { dryRun: false },
        })
      ).status,
    ).toBe(403);
  });

  it('[IMP-07] export a workbook that changes nothing when it is imported', async () => {
    await push(workbook);
    const { body: file } = await server.call(createWorkbook, {
      token,
      params: { kind: 'locations.locations' },
      body: { language: 'fr', rows: true },
    });
    expect(file.name).toBe('LOCATION_IMPORT_FILE.xlsx');
    const headers = { authorization: `Bearer ${token}` };
    const content = await (await fetch(`${await server.url()}${file.address}`, { headers })).arrayBuffer();
    const { body: createdImport } = await server.call(createImport, {
      token,
      body: { uid: randomUUID(), kind: 'locations.locations', mode: 'REPLACE' },
    });
    const form = new FormData();
    form.append('files', new Blob([content]), file.name);
    const filesUrl = `${await server.url()}/api/imports/${createdImport.uid}/files`;
    const reply = await fetch(filesUrl, { method: 'POST', body: form, headers });
    await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
    const { body: reimport } = await server.call(getImport, { token, params: { batch: createdImport.uid } });
    const noChanges = { changed: 0, added: 0, removed: 0, withErrors: 0 };
    expect(reimport).toMatchObject({
      phase: 'PREVIEW',
      findings: [],
      sheets: [
        { ...noChanges, rows: 10, unchanged: 10 },
        { ...noChanges, rows: 3, unchanged: 3 },
      ],
    });
    const jsonForm = new FormData();
    jsonForm.append('files', new Blob(['{"Feuille1":[{"Code":"K-2"}]}']), 'units.json');
    const { uid } = (
      await server.call(createImport, {
        token,
        body: { uid: randomUUID(), kind: 'locations.locations', mode: 'UPSERT' },
      })
    ).body;
    const jsonFilesUrl = `${await server.url()}/api/imports/${uid}/files`;
    const jsonReply = await fetch(jsonFilesUrl, { method: 'POST', body: jsonForm, headers });
    await server.service(Jobs).waitForCompletion(((await jsonReply.json()) as { job: string }).job);
    expect((await server.call(getImport, { token, params: { batch: uid } })).body.refusal).toEqual({
      message: 'imports.refused.noKnownSheet',
      values: { found: 'Feuille1', sheets: 'Locations, Hotspots' },
    });
  });

  it('keep hotspots of locations that the admin cannot access', async () => {
    const area = (location: string) => ({
      location,
      polygon: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    });
    await server.database
      .of<LocationsTables>('locations')
      .insertInto('location_picture')
      .values({ location: 'K-1', areas: JSON.stringify([area('K-1-A'), area('L-1')]), version: 1 })
      .execute();
    const limitedToken = await server.signIn({ flags: ['import'], locations: ['K-1'] });
    await push(
      { hotspots: [{ map: 'K-1', target: 'K-1', points: triangle }] },
      { mode: 'REPLACE', callerToken: limitedToken },
    );
    expect((await read()).areas.map((row) => row.split(' ').slice(0, 2).join(' '))).toEqual(['K-1 K-1', 'K-1 L-1']);
  });

  it('need as many statements for 300 locations as for three', async () => {
    const count = async (size: number) => {
      const codes = Array.from({ length: size }, (_, index) => `U-${size}-${index}`);
      const sheets = {
        locations: codes.map((code) => buildUnit(code, 'K')),
        hotspots: codes.map((code) => ({ map: code, target: code, points: triangle })),
      };
      const { statements } = await new QueryCounter(server.database).record(() => push(sheets));
      return statements.filter((statement) => /location_picture|core\.location|imports\./.test(statement)).length;
    };
    expect(await count(300)).toBe(await count(3));
  });
});
