import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationRow } from '#core';
import { listContentChecks, listContentFindings } from '#core/api';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { checkContents, formatReport } from '../../core/server/content-checks/check-product.ts';
import contentCheckManifest from '../../plugins/content-check/plugin.ts';
import bridge from '../../plugins/content-check/server/bridges/locations.ts';
import contentCheck from '../../plugins/content-check/server/index.ts';
import { getSetUp } from '../../plugins/locations/contract/api/set-up.ts';
import locationsManifest from '../../plugins/locations/plugin.ts';
import locations from '../../plugins/locations/server/index.ts';
import modelManifest from '../../plugins/model-3d/plugin.ts';
import model from '../../plugins/model-3d/server/index.ts';
import scanManifest from '../../plugins/scan/plugin.ts';
import scan from '../../plugins/scan/server/index.ts';
import tourManifest from '../../plugins/tour/plugin.ts';
import tour from '../../plugins/tour/server/index.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  name: `Name of ${uid}`,
  label: '',
  parent,
  root: 'K',
  locationType,
});

describeOnDatabases('content check', (kind) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [
        enabledPlugin(locationsManifest, { alphabetical: false }, locations),
        enabledPlugin(tourManifest, {}, tour),
        enabledPlugin(scanManifest, { token: false }, scan),
        enabledPlugin(modelManifest, { engine: 'builtin' }, model),
        enabledPlugin(contentCheckManifest, {}, contentCheck),
      ],
      bridges: [{ owner: 'content-check', partner: 'locations', bridge }],
    });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('K', null, 'PRIMARY_LOCATION'),
        buildLocation('K-1', 'K', 'PLATFORM_UNIT'),
        buildLocation('K-2', 'K', 'PLATFORM_UNIT'),
        buildLocation('K-3', 'K', 'PLATFORM_UNIT'),
        { ...buildLocation('L', null, 'PRIMARY_LOCATION'), root: 'L' },
      ]);
    admin = await server.signIn({ flags: ['configure'] });
    const database = server.database.of<unknown>('core');
    // Node A is linked to B alone, B has no picture, C is reached by nobody. The tour of K-2 has no picture at all.
    for (const statement of [
      sql`insert into tour.tour (uid, site, code, name, location) values
        ('t1', 'K', 'T1', 'Tour 1', 'K-1'), ('t2', 'K', 'T2', 'Tour 2', 'K-2')`,
      sql`insert into tour.deck (uid, site, code, name, location, elevation, plan_file, plan_width, plan_height, plan_x,
          plan_y, plan_scale, plan_heading) values
        ('d1', 'K', 'D1', 'Placed', 'K-1', 0, 'f', 10, 10, 0, 0, 1, 0),
        ('d2', 'K', 'D2', 'Without place', 'K-2', 0, 'f', 10, 10, null, null, null, null)`,
      sql`insert into tour.node (uid, site, code, tour, position, name, location, x, y, z, heading, view_pan, view_tilt,
          captured_at, panorama_file)
        select uid, 'K', uid, tour, 1, 'Node ' || uid, location, 0, 0, 1.7, 0, 0, 0,
          case when picture is null then null else now() end, picture
        from (values ('A', 't1', 'K-1', 'f'), ('B', 't1', 'K-1', null), ('C', 't1', 'K-1', 'f')) as row (uid, tour,
          location, picture)`,
      sql`insert into tour.link values ('A', 'B', 'WALK', 0, 0, 1), ('B', 'A', 'WALK', 0, 0, 1)`,
      sql`insert into tour.tag (uid, site, code, type, kind, description, x, y, z, location, search_key) values
        ('g1', 'K', 'PT-1001', 'TAG', 'INSTRUMENT', '', 1, 1, 1, 'K-1', 'PT1001'),
        ('g2', 'K', 'PT 1001', 'TAG', 'INSTRUMENT', '', null, null, null, 'K-2', 'PT1001'),
        ('g3', 'K', 'L-1', 'LINE', 'LINE', '', null, null, null, 'K-1', 'L1'),
        ('g4', 'K', 'L-2', 'LINE', 'LINE', '', null, null, null, 'K-1', 'L2'),
        ('g5', 'K', 'L-3', 'LINE', 'LINE', '', null, null, null, 'K-1', 'L3')`,
      sql`insert into tour.pipe (line, service, nps, dn, outside_diameter, from_tag, to_tag, points) values
        ('g5', 'Water', '2', 50, 0.06, '', '', '[[0,0,0],[1,0,0]]')`,
      sql`insert into tour.tag_view (tag, node, pan, tilt, distance, visible) values ('g4', 'A', 0, 0, 1, 1)`,
      sql`insert into locations.location_picture (location, areas) values
        ('K', ${JSON.stringify([
          { location: 'K-1', polygon: [] },
          { location: 'GONE', polygon: [] },
        ])}::jsonb)`,
      sql`insert into model_3d.model (uid, location, name, version, state, file, bytes, objects, bounds, pose) values
        ('m1', 'K-1', 'Here', 1, 'READY', 'f', 1, 1, '{"min":[-60,-1,0],"max":[-50,1,5]}',
          '{"position":[0,0,0],"heading":180,"scale":1}'),
        ('m2', 'K-1', 'In millimetres', 1, 'READY', 'f', 1, 1, '{"min":[400000,0,0],"max":[900000,9,9]}',
          '{"position":[0,0,0],"heading":0,"scale":1}')`,
      sql`insert into scan.cloud (uid, name, location, kind, source_files, data_file, extent, place, stations) values
        ('c1', 'Here', 'K-1', 'COPC', '[]', 'f', '{"minimum":[-5,-5,0],"maximum":[5,5,5]}', '{}', '[]'),
        ('c2', 'Elsewhere', 'K-1', 'COPC', '[]', 'f', '{"minimum":[0,500,0],"maximum":[9,900,9]}', '{}', '[]')`,
    ])
      await statement.execute(database);
  });
  afterAll(() => server.close());

  const count = async (location: string, token = admin) => {
    const { body } = await server.call(listContentChecks, { params: { location }, token });
    return Object.fromEntries(body.flatMap((check) => (check.count > 0 ? [[check.id, check.count]] : [])));
  };
  const list = async (check: string, location = 'K', token = admin) => {
    const { body } = await server.call(listContentFindings, { params: { location, check }, query: {}, token });
    return body.rows;
  };

  it('[DAT-07] finds missing and contradictory contents, each with the way to its correction', async () => {
    expect(await count('L')).toEqual({ 'locations.siteWithoutUnit': 1 });
    expect(await count('K')).toEqual({
      'locations.deadHotspot': 1,
      'model-3d.modelElsewhere': 1,
      'scan.cloudElsewhere': 1,
      'tour.deckWithoutPlan': 1,
      'tour.equalTags': 2,
      'tour.lineWithoutView': 1,
      'tour.tagWithoutPlace': 1,
      'tour.tourWithoutView': 1,
      'tour.unitWithoutTour': 1,
      'tour.viewpointWithoutLink': 1,
      'tour.viewpointWithoutPicture': 1,
    });
    expect(await list('locations.deadHotspot')).toEqual([{ location: 'K', subject: 'GONE', name: 'GONE' }]);
    expect(await list('model-3d.modelElsewhere')).toMatchObject([{ subject: 'm2', name: 'In millimetres' }]);
    expect(await list('scan.cloudElsewhere')).toMatchObject([{ subject: 'c2' }]);
    expect(await list('tour.deckWithoutPlan')).toMatchObject([{ location: 'K-2', subject: 'd2' }]);
    expect(await list('tour.equalTags')).toEqual([
      { location: 'K-2', subject: 'PT 1001', name: 'PT 1001' },
      { location: 'K-1', subject: 'PT-1001', name: 'PT-1001' },
    ]);
    expect(await list('tour.tagWithoutPlace')).toMatchObject([{ name: 'PT 1001' }]);
    expect(await list('tour.lineWithoutView')).toMatchObject([{ name: 'L-1' }]);
    expect(await list('tour.tourWithoutView')).toMatchObject([{ subject: 't2' }]);
    expect(await list('tour.unitWithoutTour')).toEqual([{ location: 'K-3', subject: 'K-3', name: 'Name of K-3' }]);
    expect(await list('tour.viewpointWithoutLink')).toMatchObject([{ subject: 'C', name: 'Node C' }]);
    expect(await list('tour.viewpointWithoutPicture')).toMatchObject([{ subject: 'B' }]);
  });

  it('reports only findings at accessible locations', async () => {
    const unitAdmin = await server.signIn({ flags: ['configure'], locations: ['K-2'] });
    const expected = {
      'tour.deckWithoutPlan': 1,
      'tour.equalTags': 1,
      'tour.tagWithoutPlace': 1,
      'tour.tourWithoutView': 1,
    };
    expect(await count('K-2', unitAdmin)).toEqual(expected);
    expect(await list('tour.viewpointWithoutLink', 'K-2', unitAdmin)).toEqual([]);
    const { status } = await server.call(listContentChecks, { params: { location: 'K' }, token: unitAdmin });
    expect(status).toBe(403);
  });

  it('is the last step of the set-up', async () => {
    const { body } = await server.call(getSetUp, { token: admin });
    expect(body.steps.at(-1)).toMatchObject({
      id: 'content-check.step',
      state: 'STARTED',
      detail: { message: 'content-check.setUp.count', values: { count: 13 } },
    });
  });

  it('describes the findings for the command line, errors first', async () => {
    const report = await checkContents(server.server);
    expect(formatReport(report).split('\n')).toEqual([
      'error       locations.deadHotspot  1: GONE (K)',
      'error       tour.tourWithoutView  1: Tour 2 (K-2)',
      'error       tour.viewpointWithoutLink  1: Node C (K-1)',
      'error       scan.cloudElsewhere  1: Elsewhere (K-1)',
      'error       model-3d.modelElsewhere  1: In millimetres (K-1)',
      'incomplete  locations.siteWithoutUnit  1: Name of L (L)',
      'incomplete  tour.unitWithoutTour  1: Name of K-3 (K-3)',
      'incomplete  tour.deckWithoutPlan  1: Without place (K-2)',
      'incomplete  tour.viewpointWithoutPicture  1: Node B (K-1)',
      'incomplete  tour.tagWithoutPlace  1: PT 1001 (K-2)',
      'incomplete  tour.lineWithoutView  1: L-1 (K-1)',
      'incomplete  tour.equalTags  2: PT 1001 (K-2), PT-1001 (K-1)',
      '12 checks, 12 with findings.',
    ]);
  });

  it('refuses a check that does not exist', async () => {
    const call = { params: { location: 'K', check: 'tour.none' }, query: {}, token: admin };
    expect((await server.call(listContentFindings, call)).status).toBe(404);
  });

  it('sends as many statements for 300 tags as for two', async () => {
    const counter = new QueryCounter(server.database);
    const countStatements = async () =>
      (await counter.record(() => server.call(listContentChecks, { params: { location: 'K' }, token: admin })))
        .statements.length;
    const before = await countStatements();
    await sql`
      insert into tour.tag (uid, site, code, type, kind, description, location, search_key)
      select 'x' || number, 'K', 'X-' || number, 'TAG', 'VALVE', '', 'K-1', 'X' || number
      from generate_series(1, 300) as number`.execute(server.database.of<unknown>('core'));
    expect(await countStatements()).toBe(before);
    expect(await count('K')).toMatchObject({ 'tour.tagWithoutPlace': 301 });
  });
});
