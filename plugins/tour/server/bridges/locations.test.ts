import { afterAll, beforeAll, expect, it } from 'vitest';
import { undoChange } from '#core/api';
import { enabledPlugin, LocationStore, type ServerBridge } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { updateSetUp, getSetUp } from '#plugins/locations/api';
import { SiteSurfaces } from '#plugins/tour';
import { locations, locationsManifest } from '#plugins/locations/testing/server';
import manifest from '../../plugin.ts';
import { buildNodeRow, buildTagRow, buildTourRow, insertTourRows, nodeUid } from '../../testing/server/tour-rows.ts';
import tour from '../index.ts';
import { tourSchema, type TourTables } from '../tables.ts';
import bridge from './locations.ts';

describeOnDatabases('the set-up list', (kind) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [
        enabledPlugin(locationsManifest, { alphabetical: false }, locations),
        enabledPlugin(manifest, {}, tour),
      ],
      bridges: [{ owner: 'tour', partner: 'locations', bridge: bridge as ServerBridge }],
    });
    admin = await server.signIn({ flags: ['configure'] });
  });
  afterAll(() => server.close());
  const read = async (token = admin) => (await server.call(getSetUp, { token })).body;
  const summarize = async (token = admin) =>
    (await read(token)).steps.map(({ id, state, detail }) => [id, state, detail.message, detail.values]);
  const location = (uid: string, parent: string | null, locationType: 'PRIMARY_LOCATION' | 'PLATFORM_UNIT') =>
    ({ uid, name: uid, label: '', parent, root: 'site', locationType }) as const;

  it('counts contents at accessible locations, with the same number of statements for many rows', async () => {
    expect(await summarize()).toEqual([
      ['locations.sites', 'TODO', 'locations.setUp.noSite', {}],
      ['tour.decks', 'TODO', 'tour.setUp.decksCount', { count: 0, placed: 0 }],
      ['tour.viewpoints', 'TODO', 'tour.setUp.viewpointsCount', { count: 0, pictured: 0 }],
      ['tour.align', 'TODO', 'tour.setUp.aligned', { count: 0, aligned: 0 }],
      ['tour.tags', 'TODO', 'tour.setUp.tagsCount', { count: 0, unseen: 0 }],
    ]);
    const database = server.database;
    const tables = database.of<TourTables>(tourSchema);
    await server
      .service(LocationStore)
      .upsert([
        location('site', null, 'PRIMARY_LOCATION'),
        location('lower', 'site', 'PLATFORM_UNIT'),
        location('upper', 'site', 'PLATFORM_UNIT'),
      ]);
    const counter = new QueryCounter(database as never);
    const deck = { site: 'site', elevation: 0, plan_scale: 0.1, plan_heading: 0, plan_width: 100, plan_height: 100 };
    // The plan is 10 m wide. Its points have residuals, because they are 0.1 m further apart than on the plan.
    const points = [0, 0.5, 1].map((x) => ({ x, y: 0.5, east: 10.1 * x + (x === 0.5 ? 0.1 : 0), north: 0 }));
    await tables
      .insertInto('deck')
      .values([
        {
          ...deck,
          uid: 'd1',
          code: 'D1',
          name: 'D1',
          location: 'lower',
          plan_file: 'f',
          plan_x: 5,
          plan_y: 0,
          plan_points: JSON.stringify(points),
        },
        {
          uid: 'd2',
          site: 'site',
          code: 'D2',
          name: 'D2',
          location: 'upper',
          elevation: 5,
          plan_file: null,
          plan_width: null,
          plan_height: null,
          plan_x: null,
          plan_y: null,
          plan_scale: null,
          plan_heading: null,
        },
      ])
      .execute();
    await insertTourRows(database, {
      tours: [buildTourRow('T1', { location: 'site' })],
      nodes: [
        ...['N1', 'N2', 'N3'].map((code) => buildNodeRow(code)),
        buildNodeRow('N4', { panorama_file: null, captured_at: null }),
        buildNodeRow('N5', { location: 'upper' }),
      ],
      tags: ['A', 'B'].map((code) => buildTagRow(code)),
    });
    const alignment = {
      x: 0,
      y: 0,
      z: 2,
      heading: 0,
      panorama_file: 'none',
      tie_count: 4,
      ties: '[]',
      aligned_at: new Date(),
    };
    await tables
      .insertInto('alignment')
      .values([
        { node: nodeUid('N1'), residual: 0.2, ...alignment },
        { node: nodeUid('N2'), residual: 0.7, ...alignment },
        { node: nodeUid('N3'), residual: 0.2, ...alignment, heading: 1 },
      ])
      .execute();
    await tables
      .insertInto('tag_view')
      .values({ tag: 'tag-A', node: nodeUid('N1'), pan: 0, tilt: 0, distance: 1, visible: 1 })
      .execute();
    await read();
    const smallSummary = await counter.record(() => summarize());
    expect(smallSummary.result).toEqual([
      ['locations.sites', 'STARTED', 'locations.setUp.withoutRecord', { count: 1 }],
      [
        'tour.decks',
        'STARTED',
        'tour.setUp.decksResidual',
        { count: 2, placed: 1, residual: expect.closeTo(0.067, 3) },
      ],
      ['tour.viewpoints', 'STARTED', 'tour.setUp.viewpointsCount', { count: 5, pictured: 4 }],
      ['tour.align', 'STARTED', 'tour.setUp.aligned', { count: 4, aligned: 1 }],
      ['tour.tags', 'DONE', 'tour.setUp.tagsCount', { count: 2, unseen: 1 }],
    ]);
    await insertTourRows(database, {
      nodes: Array.from({ length: 50 }, (_, index) => buildNodeRow(`M${index}`)),
      tags: Array.from({ length: 50 }, (_, index) => buildTagRow(`M${index}`)),
    });
    const largerSummary = await counter.record(() => summarize());
    expect(largerSummary.result[4]).toEqual(['tour.tags', 'DONE', 'tour.setUp.tagsCount', { count: 52, unseen: 51 }]);
    expect(largerSummary.statements).toHaveLength(smallSummary.statements.length);
    const limitedToken = await server.signIn({ flags: ['configure'], locations: ['upper'] });
    const readAlign = async () => (await summarize(limitedToken)).find(([id]) => id === 'tour.align');
    expect(await readAlign()).toEqual(['tour.align', 'TODO', 'tour.setUp.alignNeeds', { count: 1 }]);
    server.service(SiteSurfaces).register({
      source: 'MODEL',
      hasSurfaces: async (locationUids) => locationUids.includes('upper'),
      async *computeRanges() {},
    });
    expect(await readAlign()).toEqual(['tour.align', 'TODO', 'tour.setUp.aligned', { count: 1, aligned: 0 }]);
    expect((await summarize(limitedToken)).map(([id, state]) => [id, state])).toEqual([
      ['locations.sites', 'TODO'],
      ['tour.decks', 'STARTED'],
      ['tour.viewpoints', 'DONE'],
      ['tour.align', 'TODO'],
      ['tour.tags', 'TODO'],
    ]);
  });

  it('skips a step or the whole list for all admins, and shows both again on request', async () => {
    const change = (step: string | null, hidden: boolean) =>
      server.call(updateSetUp, { token: admin, body: { step, hidden } });
    expect((await change('tour.unknown', true)).status).toBe(404);
    await change('tour.align', true);
    await change('tour.align', true);
    await change(null, true);
    const otherAdmin = await server.signIn({ flags: ['configure'] });
    const readSkipped = async () => {
      const { dismissed, steps } = await read(otherAdmin);
      return [dismissed, ...steps.filter((step) => step.skipped).map(({ id }) => id)];
    };
    expect(await readSkipped()).toEqual([true, 'tour.align']);
    const entry = await server.database
      .of<{ change: { uid: string; action: string; subject: string; at: Date } }>('core')
      .selectFrom('change')
      .select(['uid', 'action'])
      .where('action', '=', 'locations.setUpSkipped')
      .where('subject', '=', 'tour.align')
      .execute();
    expect(entry).toHaveLength(1);
    const undone = await server.call(undoChange, { token: admin, params: { change: entry[0]!.uid }, body: {} });
    expect(undone.status).toBe(200);
    await change(null, false);
    expect(await readSkipped()).toEqual([false]);
  });
});
