import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { LocationRow, LocationType } from '#core';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import { buildBridge, describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import {
  applyImport,
  createImport,
  createWorkbook,
  getImport,
  leaveOutImportRows,
  listImportRows,
  pushImport,
  undoImport,
} from '#plugins/imports/api';
import { formatFinding, imports, importsManifest } from '#plugins/imports/testing/server';
import manifest from '../../../plugin.ts';
import {
  buildDocumentRow,
  buildNodeRow,
  buildTagRow,
  buildTourRow,
  documentUid,
  insertTourRows,
  nodeUid,
  tagUid,
} from '../../../testing/server/tour-rows.ts';
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
  buildLocation('upper', 'unit', 'LOC_LEVEL'),
  buildLocation('other', 'site', 'PLATFORM_UNIT'),
  buildLocation('far', 'other', 'LOC_LEVEL'),
  buildLocation('spare', 'other', 'LOC_LEVEL'),
];
type Row = Readonly<Record<string, string | number | null>>;
type Sheets = Readonly<Record<string, readonly Row[]>>;

const buildDeck = (code: string, location: string, changes: Row = {}): Row => ({
  code,
  name: `Deck ${code}`,
  location,
  elevation: 10,
  ...changes,
});
const buildTour = (code: string, location: string, changes: Row = {}): Row => ({
  code,
  name: `Tour ${code}`,
  location,
  ...changes,
});
const buildViewpoint = (code: string, changes: Row = {}): Row => ({
  code,
  tour: 'T1',
  name: `Viewpoint ${code}`,
  x: 0,
  y: 0,
  z: 2,
  heading: 0,
  ...changes,
});
const buildWall = (deck: string, wall: number, ...points: readonly (readonly [number, number])[]): Row[] =>
  points.map(([x, y], index) => ({ deck, wall, point: index + 1, x, y }));
const buildCourse = (line: string, ...points: readonly (readonly [number, number, number])[]): Row[] =>
  points.map(([x, y, z], index) => ({ line, point: index + 1, x, y, z }));
const sheetIds = ['decks', 'walls', 'tours', 'viewpoints', 'links', 'lines', 'courses', 'lineViews', 'tags'];

describeOnDatabases('imports of tours', (kind) => {
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
    await sql`truncate tour.tour, tour.deck, tour.tag, tour.document, tour.code, imports.batch cascade`.execute(
      tables(),
    );
    await insertDemo();
  });

  /** Inserts a deck with a plan, a tour with two linked panoramas, and a line with data and a documented tag. */
  const insertDemo = async () => {
    await insertCodes(tables(), [{ site: 'site', kind: 'DECK', code: 'D1', entity: 'deck-D1' }]);
    const deck = {
      uid: 'deck-D1',
      site: 'site',
      code: 'D1',
      name: 'Cellar "deck"',
      location: 'lower',
      elevation: 0.1 + 0.2,
    };
    const plan = {
      plan_file: 'plan',
      plan_width: 10,
      plan_height: 10,
      plan_x: null,
      plan_y: null,
      plan_scale: null,
      plan_heading: null,
    };
    await tables()
      .insertInto('deck')
      .values({ ...deck, ...plan })
      .execute();
    await insertTourRows(server.database, {
      tours: [buildTourRow('T1')],
      nodes: [
        buildNodeRow('N1', { deck: 'deck-D1', heading: 359.999 }),
        buildNodeRow('N2', { deck: 'deck-D1', x: 1 / 3, position: 1 }),
      ],
      tags: [
        buildTagRow('6"-PG-1', { type: 'LINE', kind: 'LINE' }),
        buildTagRow('PSV-1', { line: tagUid('6"-PG-1'), x: 1, y: 2, z: 3 }),
      ],
      documents: [buildDocumentRow('DOC')],
    });
    const pipe = {
      service: 'Gas',
      nps: '6',
      dn: 150,
      outside_diameter: 0.1683,
      from_tag: 'V-1',
      to_tag: '',
      points: '[]',
    };
    await tables()
      .insertInto('pipe')
      .values({ line: tagUid('6"-PG-1'), ...pipe })
      .execute();
    await tables()
      .insertInto('document_link')
      .values({ document: documentUid('DOC'), tag: tagUid('PSV-1') })
      .execute();
    const [from, to] = [nodeUid('N1'), nodeUid('N2')];
    const link = { kind: 'STAIR', pan: 0, tilt: 0, distance: 0 } as const;
    await tables()
      .insertInto('link')
      .values([
        { ...link, from_node: from, to_node: to },
        { ...link, from_node: to, to_node: from },
      ])
      .execute();
  };
  const push = async (sheets: Sheets, options: { mode?: 'REPLACE'; dryRun?: boolean } = {}) => {
    const { status, body } = await server.call(pushImport, {
      token,
      body: {
        uid: randomUUID(),
        kind: 'tour.tags',
        site: 'site',
        mode: options.mode ?? 'UPSERT',
        dryRun: options.dryRun ?? false,
        sheets: sheets as never,
      },
    });
    expect(status).toBeLessThan(300);
    return body;
  };
  const begin = async (mode: 'UPSERT' | 'REPLACE') =>
    (await server.call(createImport, { token, body: { uid: randomUUID(), kind: 'tour.tags', site: 'site', mode } }))
      .body;
  const upload = async (batch: string, name: string, content: BlobPart) => {
    const body = new FormData();
    body.append('files', new Blob([content]), name);
    const url = `${await server.url()}/api/imports/${batch}/files`;
    const reply = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
    await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
  };
  /** Returns the findings of a dry run: sheet, row, column and message. */
  const check = async (sheets: Sheets) =>
    (await push(sheets, { dryRun: true })).findings.map(({ sheet, row, column, message, severity }) =>
      [sheet, row, column, message, severity === 'WARNING' ? 'warning' : ''].join(' ').trim(),
    );
  const read = async (query: ReturnType<typeof sql<{ row: string }>>) =>
    (await query.execute(tables())).rows.map(({ row }) => row);
  const readAll = async () => ({
    decks: await read(
      sql`select concat_ws(' ', code, name, location, elevation, floor) as row from tour.deck order by code`,
    ),
    walls: await read(sql`select concat_ws(' ', code, walls) as row from tour.deck where walls <> '[]' order by code`),
    tours: await read(sql`
      select concat_ws(' ', tour.code, tour.name, tour.location, node.code) as row
      from tour.tour left join tour.node on node.uid = start_node order by tour.code`),
    viewpoints: await read(sql`
      select concat_ws(' ', node.code, tour.code, deck.code, node.location, position, x, heading, view_pan) as row
      from tour.node join tour.tour on tour.uid = tour left join tour.deck on deck.uid = deck order by node.code`),
    links: await read(sql`
      select concat_ws(' ', a.code, b.code, kind, round(pan), round(distance)) as row
      from tour.link join tour.node a on a.uid = from_node join tour.node b on b.uid = to_node order by a.code, b.code`),
    lines: await read(sql`
      select concat_ws(' ', code, description, service, nps, dn, outside_diameter, from_tag, to_tag) as row
      from tour.tag left join tour.pipe on pipe.line = uid where type = 'LINE' order by code`),
    courses: await read(sql`
      select concat_ws(' ', code, points) as row from tour.pipe join tour.tag on tag.uid = pipe.line
      where points <> '[]' order by code`),
    lineViews: await read(sql`
      select concat_ws(' ', tag.code, node.code, pan, tilt, distance, visible) as row from tour.tag_view
      join tour.tag on tag.uid = tag_view.tag join tour.node on node.uid = tag_view.node where tag.type = 'LINE'
      order by tag.code, node.code`),
    tags: await read(sql`
      select concat_ws(' ', tag.code, tag.kind, line.code, count(node)) as row
      from tour.tag left join tour.tag line on line.uid = tag.line left join tour.tag_view on tag_view.tag = tag.uid
      where tag.type = 'TAG' group by tag.uid, line.code order by tag.code`),
    codes: await read(
      sql`select concat_ws(' ', kind, code, replaced_at is null) as row from tour.code order by kind, code`,
    ),
  });
  const undo = async (batch: string) =>
    (await server.call(undoImport, { token, params: { batch }, body: { dryRun: false } })).body;

  const newSite: Sheets = {
    decks: [buildDeck('D2', 'upper', { floor: 'GRATED', elevation: 0.3 }), buildDeck('D3', 'far')],
    walls: [...buildWall('d2', 7, [0, 0], [4.125, 0], [4.125, 3]), ...buildWall('D1', 1, [1, 1], [1, 2])],
    tours: [buildTour('T2', 'OTHER', { start: 'm2' }), buildTour('t1', 'unit', { name: 'Renamed', start: 'n2' })],
    viewpoints: [
      buildViewpoint('N3', { deck: 'd2', y: 10, heading: 360 }),
      buildViewpoint('M1', { tour: 'T2', deck: 'D2', heading: 90 }),
      buildViewpoint('M2', { tour: 't2', deck: 'D3', x: 5 }),
      buildViewpoint('n2', { name: 'Second', deck: 'D2', x: 3, heading: 10 }),
    ],
    links: [
      { from: 'N1', to: 'N3' },
      { from: 'M1', to: 'M2', kind: 'LADDER' },
    ],
    lines: [
      { number: '2"-W-1', location: 'far', service: 'Water', nps: '2', dn: 50, outsideDiameter: 60.3, from: 'P-1' },
      { number: '6"-PG-1', location: 'lower', description: 'Export' },
    ],
    courses: [
      ...buildCourse('2"-w-1', [0, 0, 1], [4.125, 0, 1], [4.125, 0, 3]),
      ...buildCourse('6"-PG-1', [1, 1, 0.1 + 0.2], [1, 2, 0]),
    ],
    lineViews: [
      { line: '2"-W-1', viewpoint: 'm2', pan: 0, tilt: -12.5, distance: 3.25 },
      { line: '6"-PG-1', viewpoint: 'N1', pan: 1 / 3, tilt: 0, distance: 2, visible: 0.4 },
    ],
    tags: [{ number: 'PT-1', kind: 'INSTRUMENT', location: 'far', line: '2"-w-1', x: 0, y: 0, z: 2 }],
  };

  it('[DAT-02] [DAT-03] [IMP-01:tours] write all sheets in one change, with directions, views and codes, and are undone', async () => {
    const before = await readAll();
    const { import: batch, findings } = await push(newSite);
    expect(findings).toEqual([]);
    expect(batch.sheets.map(({ sheet, added, changed }) => [sheet, added, changed])).toEqual([
      ['decks', 2, 0],
      ['walls', 5, 0],
      ['tours', 1, 1],
      ['viewpoints', 3, 1],
      ['links', 2, 0],
      ['lines', 1, 1],
      ['courses', 5, 0],
      ['lineViews', 2, 0],
      ['tags', 1, 0],
    ]);
    expect(await readAll()).toEqual({
      decks: [
        'D1 Cellar "deck" lower 0.30000000000000004 UNKNOWN',
        'D2 Deck D2 upper 0.3 GRATED',
        'D3 Deck D3 far 10 UNKNOWN',
      ],
      walls: [
        'D1 [{"number": 1, "points": [[1, 1], [1, 2]]}]',
        'D2 [{"number": 7, "points": [[0, 0], [4.125, 0], [4.125, 3]]}]',
      ],
      tours: ['T2 Tour T2 other M2', 't1 Renamed unit n2'],
      viewpoints: [
        'M1 T2 D2 other 0 0 90 90',
        'M2 T2 D3 far 1 5 0 0',
        'N1 t1 D1 lower 0 0 359.999 0',
        'N3 t1 D2 upper 2 0 0 0',
        'n2 t1 D2 upper 1 3 10 10',
      ],
      links: [
        'M1 M2 LADDER 90 5',
        'M2 M1 LADDER 270 5',
        'N1 N3 WALK 0 10',
        'N1 n2 STAIR 90 3',
        'N3 N1 WALK 180 10',
        'n2 N1 STAIR 270 3',
      ],
      lines: ['2"-W-1  Water 2 50 0.0603 P-1 ', '6"-PG-1 Export Gas 6 150 0.1683 V-1 '],
      courses: ['2"-W-1 [[0, 0, 1], [4.125, 0, 1], [4.125, 0, 3]]', '6"-PG-1 [[1, 1, 0.30000000000000004], [1, 2, 0]]'],
      lineViews: ['2"-W-1 M2 0 -12.5 3.25 1', '6"-PG-1 N1 0.3333333333333333 0 2 0.4'],
      tags: ['PSV-1 VALVE 6"-PG-1 4', 'PT-1 INSTRUMENT 2"-W-1 5'],
      codes: expect.arrayContaining(['NODE N2 f', 'NODE n2 t', 'TOUR T1 f', 'TOUR t1 t', 'TAG PT-1 t']),
    });
    expect(await undo(batch.uid)).toMatchObject({ kept: 0, blocked: 0 });
    const undone = await readAll();
    expect({ ...undone, links: before.links, tags: before.tags }).toEqual(before);
    expect(undone.links.map((row) => row.slice(0, 11))).toEqual(['N1 N2 STAIR', 'N2 N1 STAIR']);
  });

  it('set the first view of visitors, which turns with the panorama unless the file sets it', async () => {
    const readViews = () =>
      read(sql`select concat_ws(' ', code, heading, view_pan, view_tilt) as row from tour.node order by code`);
    await push({ viewpoints: [buildViewpoint('N2', { heading: 10, viewPan: 40, viewTilt: -5 })] });
    expect((await readViews())[1]).toBe('N2 10 40 -5');
    await push({ viewpoints: [buildViewpoint('N2', { heading: 30 })] });
    expect((await readViews())[1]).toBe('N2 30 60 -5');
    const row = buildViewpoint('N2', { heading: 30, viewPan: 60, viewTilt: -5 });
    expect((await push({ viewpoints: [row] }, { dryRun: true })).import.sheets[3]).toMatchObject({ unchanged: 1 });
    await push({ viewpoints: [buildViewpoint('N2', { heading: 30, viewPan: null, viewTilt: null })] });
    expect((await readViews())[1]).toBe('N2 30 30 0');
  });

  it('undo each row separately, and keep rows that were edited later with their codes', async () => {
    const { import: batch } = await push(newSite);
    await push({ viewpoints: [buildViewpoint('M1', { tour: 'T2', x: 7 })] });
    const report = await undo(batch.uid);
    expect(report.rows.map(({ table, name, outcome }) => [table, name, outcome])).toEqual(
      expect.arrayContaining([['node', 'Viewpoint M1', 'KEPT']]),
    );
    const after = await readAll();
    expect(after.viewpoints.map((row) => row.split(' ')[0])).toEqual(['M1', 'N1', 'N2']);
    expect(after.codes).toEqual(expect.arrayContaining(['NODE M1 t', 'NODE N1 t', 'TOUR T2 t']));
  });

  it('[IMP-06] report each wrong cell of decks, tours and viewpoints', async () => {
    expect(
      await check({
        decks: [
          buildDeck('D2', 'unit'),
          buildDeck('D3', 'lower'),
          buildDeck('D4', 'upper'),
          buildDeck('D5', 'upper'),
          buildDeck('D1', 'far'),
          buildDeck('D_6', 'far', { name: null, elevation: 'high', floor: 'Wood' }),
          buildDeck('D7', 'nowhere'),
        ],
        tours: [
          buildTour('T2', 'unit'),
          buildTour('T3', 'far', { start: 'N1' }),
          buildTour('T1', 'other'),
          buildTour('T4', 'other', { start: 'X1' }),
          buildTour('T4', 'site'),
        ],
        viewpoints: [
          buildViewpoint('N1', { tour: 'T3' }),
          buildViewpoint('N3', { tour: 'T9', deck: 'D9' }),
          buildViewpoint('N4', { heading: 361, x: 2e8, z: null }),
          buildViewpoint('N5', { name: 'Bell\u0007' }),
        ],
      }),
    ).toEqual(
      expect.arrayContaining([
        'decks 2 location tour.refused.noLevel',
        'decks 3 location tour.refused.deckExists',
        'decks 5 location tour.refused.deckExists',
        'decks 6 location tour.refused.staysThere',
        'decks 7 code core.validation.specialCharsExceptDash',
        'decks 7 name core.validation.mandatoryField',
        'decks 7 elevation core.validation.number',
        'decks 7 floor imports.refused.enum',
        'decks 8 location imports.refused.reference',
        'tours 2 location tour.refused.tourExists',
        'tours 4 location tour.refused.staysThere',
        'tours 5 start imports.refused.reference',
        'tours 6 code imports.refused.duplicateRow',
        'viewpoints 2 tour tour.refused.staysThere',
        'viewpoints 3 tour imports.refused.reference',
        'viewpoints 3 deck imports.refused.reference',
        'viewpoints 4 heading core.validation.max',
        'viewpoints 4 x core.validation.max',
        'viewpoints 4 z core.validation.mandatoryField',
        'viewpoints 5 name core.validation.characters',
      ]),
    );
    await push({ viewpoints: [buildViewpoint('OLD')] });
    await push({ viewpoints: [buildViewpoint('old')] });
    await sql`update tour.code set entity = 'else' where code = 'OLD'`.execute(tables());
    await sql`delete from tour.node where code = 'old'`.execute(tables());
    expect(await check({ viewpoints: [buildViewpoint('Old')] })).toContain(
      'viewpoints 2 code core.validation.duplicate',
    );
    expect(await check({ tours: [buildTour('T3', 'far', { start: 'N1' })] })).toEqual([
      'tours 2 start tour.refused.startElsewhere',
    ]);
  });

  it('[IMP-06] [VAL-10] name the value of a code that is not unique', async () => {
    const { findings } = await push(
      {
        tours: [buildTour('T4', 'other'), buildTour('t4', 'site')],
        viewpoints: [buildViewpoint('N3'), buildViewpoint('N4'), buildViewpoint('N3')],
        tags: [
          { number: 'N1', kind: 'VALVE', location: 'far' },
          { number: 'V-1', kind: 'VALVE', location: 'far' },
          { number: 'V-1', kind: 'PUMP', location: 'far' },
        ],
      },
      { dryRun: true },
    );
    const isDuplicate = ({ message }: { readonly message: string }): boolean => /duplicate/i.test(message);
    expect(
      findings
        .filter(isDuplicate)
        .map((finding) => [finding.sheet, finding.row, formatFinding(finding, undefined, 'en', {})].join(' ')),
    ).toEqual([
      'tours 3 Duplicate value t4 found (also in row 2)',
      'viewpoints 4 Duplicate value N3 found (also in row 2)',
      'tags 4 Duplicate value V-1 found (also in row 3)',
    ]);
  });

  it('[IMP-06] report each wrong cell of links, lines and tags, and unreachable viewpoints', async () => {
    const problems = await check({
      tours: [buildTour('T2', 'other')],
      viewpoints: ['N3', 'N4', 'N5'].map((code) => buildViewpoint(code)).concat(buildViewpoint('M1', { tour: 'T2' })),
      links: [
        { from: 'N3', to: 'n3' },
        { from: 'N1', to: 'X1' },
        { from: 'N1', to: 'M1' },
        { from: 'N3', to: 'N2', kind: 'WALK' },
        { from: 'N2', to: 'N3', kind: 'STAIR' },
        { from: 'N4', to: 'N5' },
        { from: 'N1', to: 'N2', kind: 'RAMP' },
        { from: 'N2', to: 'N1', kind: 'WALK' },
      ],
      lines: [
        { number: 'L-1', location: 'far', service: 'Gas', dn: 1.5, outsideDiameter: 0, nps: '6.5' },
        { number: 'PSV-1', location: 'far' },
        { number: 'L-2', location: 'far', to: 'V-1' },
        { number: 'L-3', location: null },
      ],
      tags: [
        { number: 'L-1', kind: 'VALVE', location: 'far', line: 'L-3' },
        { number: 'P-1', kind: 'VALVE', location: 'far', line: 'PSV-9', x: 1 },
      ],
    });
    expect(problems.toSorted()).toEqual(
      [
        'viewpoints 3 code tour.refused.unreachable warning',
        'viewpoints 4 code tour.refused.unreachable warning',
        'links 2 to tour.refused.selfLink',
        'links 3 to imports.refused.reference',
        'links 4 to tour.refused.linkBetweenTours',
        'links 6 kind tour.refused.otherKindBack',
        'links 8 kind imports.refused.enum',
        'lines 2 dn core.validation.integer',
        'lines 2 outsideDiameter core.validation.min',
        'lines 2 nps tour.refused.nps',
        'lines 3 number core.validation.duplicate',
        'lines 4 service tour.refused.endsNeedSize',
        'lines 5 location core.validation.mandatoryField',
        'tags 2 number core.validation.duplicate',
        'tags 3 line imports.refused.reference',
        'tags 3 y core.validation.mandatoryField',
        'tags 3 z core.validation.mandatoryField',
      ].toSorted(),
    );
  });

  it('[DAT-04] remove only rows that nothing refers to, and report the rows that are kept', async () => {
    await push(newSite);
    const { import: unchangedBatch } = await push(
      {
        tags: [
          { number: 'PSV-1', kind: 'VALVE', location: 'lower' },
          { number: 'PT-1', kind: 'INSTRUMENT', location: 'far' },
        ],
      },
      { mode: 'REPLACE' },
    );
    expect(unchangedBatch.sheets.map(({ removed }) => removed)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    await push({
      decks: [buildDeck('D9', 'spare')],
      tours: [buildTour('T9', 'spare')],
      lines: [{ number: 'L-9', location: 'far' }],
      tags: [{ number: 'T-9', kind: 'VALVE', location: 'far', line: 'L-9' }],
    });
    const before = await readAll();
    const { import: batch, findings } = await push(
      {
        decks: [buildDeck('D3', 'far')],
        tours: [buildTour('T2', 'other', { start: 'M2' })],
        viewpoints: [buildViewpoint('M2', { tour: 'T2', deck: 'D3', x: 5 })],
        links: [{ from: 'n2', to: 'N1', kind: 'STAIR' }],
        lines: [{ number: '2"-W-1', location: 'far' }],
        tags: [{ number: 'PT-1', kind: 'INSTRUMENT', location: 'far' }],
      },
      { mode: 'REPLACE' },
    );
    expect(
      findings.map(({ sheet, message, values }) => `${sheet} ${message} ${String(values?.['name'])}`).toSorted(),
    ).toEqual([
      'decks tour.refused.deckInUse D1',
      'decks tour.refused.deckInUse D2',
      'lines tour.refused.lineInUse 6"-PG-1',
      'links tour.refused.linkBack n2',
      'tags tour.refused.tagInUse PSV-1',
      'tours tour.refused.tourInUse t1',
      'viewpoints tour.refused.viewpointInUse N1',
      'viewpoints tour.refused.viewpointInUse n2',
    ]);
    const { codes: _, ...after } = await readAll();
    expect(Object.values(after).map((rows) => rows.map((row) => row.split(' ')[0]))).toEqual([
      ['D1', 'D2', 'D3'],
      ['D1', 'D2'],
      ['T2', 't1'],
      ['M2', 'N1', 'n2'],
      ['N1', 'n2'],
      ['2"-W-1', '6"-PG-1'],
      ['2"-W-1', '6"-PG-1'],
      ['2"-W-1', '6"-PG-1'],
      ['PSV-1', 'PT-1'],
    ]);
    expect(await undo(batch.uid)).toMatchObject({ kept: 0, blocked: 0 });
    expect((await readAll()).codes).toEqual(before.codes);
  });

  it('[IMP-07] export rows that change nothing, in JSON and in a workbook', async () => {
    await push(newSite);
    const { body: file } = await server.call(createWorkbook, {
      token,
      params: { kind: 'tour.tags' },
      body: { site: 'site', language: 'fr', rows: true },
    });
    const headers = { authorization: `Bearer ${token}` };
    const content = await (await fetch(`${await server.url()}${file.address}`, { headers })).arrayBuffer();
    const reimport = await begin('REPLACE');
    await upload(reimport.uid, file.name, content);
    const { body: preview } = await server.call(getImport, { token, params: { batch: reimport.uid } });
    const unchangedSheets = [3, 5, 2, 5, 6, 2, 5, 2, 2].map((rows) => ({
      rows,
      unchanged: rows,
      changed: 0,
      added: 0,
      removed: 0,
      withErrors: 0,
    }));
    expect(preview).toMatchObject({ phase: 'PREVIEW', findings: [], sheets: unchangedSheets });
    const { rows } = await sql<{ sheet: string; values: Row }>`
      select sheet, values from imports.staged_row where batch = ${reimport.uid}`.execute(tables());
    const sheets = Object.fromEntries(
      sheetIds.map((id) => [id, rows.flatMap(({ sheet, values }) => (sheet === id ? [values] : []))]),
    );
    const { import: secondBatch } = await push(sheets, { mode: 'REPLACE' });
    expect(secondBatch.sheets).toMatchObject(unchangedSheets);
  });

  it('[IMP-03] wait until a person confirms that common column names mean coordinates in the site frame', async () => {
    const uploadWithHeader = async (xHeader: string) => {
      const { uid } = await begin('UPSERT');
      const columns = ['Tag Number', 'Kind', 'Location Code', xHeader, 'Y (m)', 'Z (m)'];
      await upload(uid, 'tags.csv', `${columns.join(',')}\nPT-9,VALVE,lower,500000,1,2`);
      return (await server.call(getImport, { token, params: { batch: uid } })).body.phase;
    };
    expect([await uploadWithHeader('X (m)'), await uploadWithHeader('Easting (m)')]).toEqual(['PREVIEW', 'COLUMNS']);
  });

  it('find coordinates and headings by their German and Norwegian names', async () => {
    const findColumns = async (...headers: readonly string[]) => {
      const { uid } = await begin('UPSERT');
      await upload(uid, 'viewpoints.csv', `${['Viewpoint Code', ...headers].join(',')}\nN9,1,2,3,4`);
      const { body } = await server.call(getImport, { token, params: { batch: uid } });
      return body.sheets.flatMap(({ headers: matches }) => matches.map(({ column }) => column));
    };
    const columns = ['code', 'x', 'y', 'z', 'heading'];
    expect(await findColumns('Ost (m)', 'Nord (m)', 'Höhe (m)', 'Richtung')).toEqual(columns);
    expect(await findColumns('Øst', 'Nord', 'Høyde', 'Retning (°)')).toEqual(columns);
  });

  it('[DAT-02] change walls point by point, and report rows that form no wall', async () => {
    await push(newSite);
    const walls = [{ deck: 'D2', wall: 7, point: 2, x: 5, y: 0 }, ...buildWall('D2', 8, [9, 9], [9, 10])];
    const { import: batch } = await push({ walls });
    const before = await readAll();
    expect(before.walls[1]).toBe(
      'D2 [{"number": 7, "points": [[0, 0], [5, 0], [4.125, 3]]}, {"number": 8, "points": [[9, 9], [9, 10]]}]',
    );
    const problems = await check({
      walls: [
        { deck: 'D2', wall: 7, point: 5, x: 1, y: 1 },
        { deck: 'D2', wall: 7, point: 3, x: 5, y: 0 },
        ...buildWall('D1', 2, [0, 0]),
        { deck: 'D9', wall: 0, point: 1.5, x: null, y: 'east' },
      ],
    });
    expect(problems.toSorted()).toEqual([
      'walls 2 point tour.refused.wallPoints',
      'walls 3 point tour.refused.wallPoints',
      'walls 3 x tour.refused.pointTwice',
      'walls 4 point tour.refused.wallPoints',
      'walls 5 deck imports.refused.reference',
      'walls 5 point core.validation.decimals',
      'walls 5 wall core.validation.min',
      'walls 5 x core.validation.mandatoryField',
      'walls 5 y core.validation.number',
    ]);
    await undo(batch.uid);
    expect((await readAll()).walls[1]).toBe('D2 [{"number": 7, "points": [[0, 0], [4.125, 0], [4.125, 3]]}]');
    await push({ walls: buildWall('D1', 1, [1, 1], [1, 2]) }, { mode: 'REPLACE' });
    expect((await readAll()).walls).toEqual(['D1 [{"number": 1, "points": [[1, 1], [1, 2]]}]']);
  });

  it('[DAT-02] change courses and views of lines, report rows that form no course or view, and are undone', async () => {
    await push(newSite);
    // Undoing a deletion of an earlier version leaves views whose visibility is unknown.
    await sql`update tour.tag_view set given = null, visible = null where pan = 0`.execute(tables());
    await sql`update tour.tag_view set given = null where pan > 0`.execute(tables());
    const before = await readAll();
    const view = { line: '2"-W-1', viewpoint: 'M2', tilt: -12.5, distance: 3.25 };
    const sameReply = await push({ lineViews: [{ ...view, pan: 0 }] }, { dryRun: true });
    expect(sameReply.import.sheets.map(({ unchanged }) => unchanged)).toContain(1);
    const { import: moveBatch } = await push({ lineViews: [{ ...view, pan: 5 }] });
    expect((await readAll()).lineViews[0]).toBe('2"-W-1 M2 5 -12.5 3.25');
    await undo(moveBatch.uid);
    expect((await readAll()).lineViews).toEqual(before.lineViews);
    const { import: batch } = await push(
      {
        courses: buildCourse('6"-pg-1', [9, 9, 9], [9, 9, 10]),
        lineViews: [{ line: '6"-PG-1', viewpoint: 'N1', pan: 90, tilt: 1, distance: 3 }],
      },
      { mode: 'REPLACE' },
    );
    const after = await readAll();
    expect(after.courses).toEqual(['6"-PG-1 [[9, 9, 9], [9, 9, 10]]']);
    expect(after.lineViews).toEqual(['6"-PG-1 N1 90 1 3 0.4']);
    await undo(batch.uid);
    expect(await readAll()).toMatchObject({ courses: before.courses, lineViews: before.lineViews });
    await sql`update tour.tag set x = 1, y = 1, z = 1 where code = '2"-W-1'`.execute(tables());
    const problems = await check({
      lines: [
        { number: 'L-1', location: 'far' },
        {
          ...{ number: '2"-W-1', location: 'far', from: '' },
          ...{ service: null, nps: null, dn: null, outsideDiameter: null },
        },
      ],
      courses: [
        { line: '6"-PG-1', point: 4, x: 1, y: 1, z: 1 },
        { line: '2"-W-1', point: 2, x: 0, y: 0, z: 1 },
        ...buildCourse('L-1', [0, 0, 0], [1, 1, 1]),
        { line: 'PSV-1', point: 0, x: null, y: 'east', z: 1 },
      ],
      lineViews: [
        { line: '2"-W-1', viewpoint: 'N1', pan: 0, tilt: 0, distance: 1 },
        { line: '6"-PG-1', viewpoint: 'M1', pan: 360, tilt: 0, distance: 1 },
        { line: '6"-PG-1', viewpoint: 'X1', pan: 361, tilt: -91, distance: null, visible: 2 },
      ],
    });
    expect(problems.toSorted()).toEqual(
      [
        'courses 2 point tour.refused.coursePoints',
        'courses 3 line tour.refused.courseWithoutSize',
        'courses 3 x tour.refused.pointTwice',
        'courses 4 line tour.refused.courseWithoutSize',
        'courses 5 line tour.refused.courseWithoutSize',
        'courses 6 line imports.refused.reference',
        'courses 6 point core.validation.min',
        'courses 6 x core.validation.mandatoryField',
        'courses 6 y core.validation.number',
        'lines 3 service tour.refused.courseNeedsSize',
        'lineViews 2 line tour.refused.lineHasPlace',
        'lineViews 3 pan tour.refused.panFullTurn',
        'lineViews 4 viewpoint imports.refused.reference',
        'lineViews 4 pan core.validation.max',
        'lineViews 4 tilt core.validation.min',
        'lineViews 4 distance core.validation.mandatoryField',
        'lineViews 4 visible core.validation.max',
      ].toSorted(),
    );
  });

  it('[DAT-02] keep the lines, courses and walls of rows that a person left out', async () => {
    await push({
      walls: buildWall('D1', 1, [1, 1], [1, 2], [1, 3]),
      lines: [{ number: 'L-2', location: 'lower', service: 'Gas', nps: '6', dn: 150, outsideDiameter: 168.3 }],
      courses: [
        ...buildCourse('6"-PG-1', [0, 0, 0], [0, 0, 1], [0, 0, 2]),
        ...buildCourse('L-2', [1, 0, 0], [1, 0, 1]),
      ],
    });
    const before = await readAll();
    const { import: faultyBatch } = await push(
      {
        walls: [1, 3].map((point) => ({ deck: 'D1', wall: 1, point, x: 1, y: point })),
        lines: [{ number: '6"-PG-1', location: 'lower', description: 'New' }],
        courses: [
          ...[1, 3].map((point) => ({ line: '6"-PG-1', point, x: 0, y: 0, z: 9 })),
          { line: 'L-2', point: 1, x: 1, y: 0, z: 9 },
        ],
      },
      { mode: 'REPLACE', dryRun: true },
    );
    const params = { batch: faultyBatch.uid };
    for (const sheet of ['walls', 'courses'])
      for (const { id } of (await server.call(listImportRows, { token, params, query: { sheet, state: 'ERROR' } })).body
        .rows)
        await server.call(leaveOutImportRows, { token, params, body: { sheet, leftOut: true, row: id } });
    const { body: batch } = await server.call(getImport, { token, params });
    expect(batch.sheets.map(({ sheet, withErrors, leftOut }) => [sheet, withErrors, leftOut])).toEqual(
      expect.arrayContaining([
        ['walls', 0, 2],
        ['courses', 0, 3],
      ]),
    );
    for (const sheet of ['walls', 'courses', 'lines'])
      expect(
        (await server.call(listImportRows, { token, params, query: { sheet, state: 'REMOVED' } })).body.rows.flatMap(
          ({ findings }) => findings.map(({ message }) => message),
        ),
      ).toEqual(sheet === 'lines' ? ['tour.refused.lineInUse'] : []);
    const body = { version: batch.version, remove: true, backup: false };
    const { body: applying } = await server.call(applyImport, { token, params, body });
    expect(await server.service(Jobs).waitForCompletion(applying.job ?? '')).toMatchObject({ result: 'SUCCESS' });
    const after = await readAll();
    expect([after.courses, after.walls]).toEqual([before.courses, before.walls]);
    expect(after.lines).toEqual(['6"-PG-1 New Gas 6 150 0.1683 V-1 ', 'L-2  Gas 6 150 0.1683  ']);
  });

  it('run as many statements for 60 rows of each sheet as for three', async () => {
    const count = async (size: number) => {
      const codes = Array.from({ length: size }, (_, index) => `${size}-${index}`);
      const sheets: Sheets = {
        walls: codes.slice(0, 50).flatMap((_, index) => buildWall('D1', index + 1, [0, 0], [1, 1])),
        viewpoints: codes.map((code) => buildViewpoint(code)),
        links: codes.map((code) => ({ from: code, to: 'N1' })),
        lines: codes.map((code) => ({
          number: `L-${code}`,
          location: 'lower',
          service: 'Gas',
          nps: '6',
          dn: 150,
          outsideDiameter: 168.3,
        })),
        courses: codes.flatMap((code) => buildCourse(`L-${code}`, [0, 0, 0], [1, 1, 1])),
        lineViews: codes.map((code) => ({ line: `L-${code}`, viewpoint: code, pan: 1, tilt: 1, distance: 1 })),
        tags: codes.map((code) => ({ number: `T-${code}`, kind: 'VALVE', location: 'lower', line: `L-${code}` })),
      };
      const { statements } = await new QueryCounter(server.database).record(() => push(sheets));
      return statements.filter((statement) => /tour\.|imports\./.test(statement)).length;
    };
    expect(await count(60)).toBe(await count(3));
  });
});
