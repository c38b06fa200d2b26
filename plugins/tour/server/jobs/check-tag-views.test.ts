import { pino } from 'pino';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationRow } from '#core';
import { enabledPlugin, Jobs, LocationStore, type ServerContext } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { Tours } from '#plugins/tour';
import { getTag, listNodeTags } from '../../contract/api.ts';
import { getContentTag, listContentTags } from '../../contract/api/tag-content.ts';
import manifest from '../../plugin.ts';
import {
  buildNodeRow,
  buildTagRow,
  buildTourRow,
  insertTourRows,
  nodeUid,
  tagUid,
} from '../../testing/server/tour-rows.ts';
import { maxSettledSubjects } from '../contents/settle-tag-views.ts';
import plugin from '../index.ts';
import { findEarlierRanges } from '../queries/node-ranges.ts';
import type { TourTables } from '../tables.ts';
import { checkTagViewsJob, runCheckTagViews } from './check-tag-views.ts';

const site: LocationRow = {
  uid: 'K',
  name: 'K',
  label: '',
  parent: null,
  root: 'K',
  locationType: 'PRIMARY_LOCATION',
};
const siteColumns = { site: 'K', location: 'K' };
/** More tags than a change settles itself. */
const numbers = Array.from({ length: maxSettledSubjects + 20 }, (_, index) => `V-${String(index).padStart(3, '0')}`);
const toPosition = (index: number, shift = 0): readonly [number, number, number] => [index / 2 + shift, 5, 2];

describeOnDatabases('views of many tags', (database) => {
  let server: TestServer;
  let token: string;
  let context: ServerContext<TourTables> | undefined;
  beforeAll(async () => {
    const watchedPlugin: typeof plugin = {
      ...plugin,
      api: (api, serverContext) => {
        context = serverContext;
        return plugin.api?.(api, serverContext);
      },
    };
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, watchedPlugin)] });
    await server.service(LocationStore).upsert([site]);
    token = await server.signIn({ flags: ['configure'] });
    await insertTourRows(server.database, {
      tours: [buildTourRow('T1', siteColumns)],
      nodes: ['A', 'B', 'C'].map((code, index) =>
        buildNodeRow(code, { ...siteColumns, x: index * 20, position: index }),
      ),
      tags: numbers.map((number) => buildTagRow(number, siteColumns)),
    });
  });
  afterAll(() => server.close());

  const tables = () => server.database.of<TourTables>('tour');
  const readViews = async () =>
    (
      await sql<{ view: string }>`
        select concat_ws(' ', tag.code, node.code, round(pan::numeric, 6), round(tilt::numeric, 6),
          round(distance::numeric, 6), visible) as view
        from tour.tag_view join tour.tag on tag.uid = tag_view.tag join tour.node on node.uid = tag_view.node
        order by view`.execute(tables())
    ).rows.map(({ view }) => view);
  const countMoved = async () =>
    (
      await tables()
        .selectFrom('moved_place')
        .select(({ fn }) => fn.countAll<number>().as('moved'))
        .executeTakeFirstOrThrow()
    ).moved;
  /** Runs the job until it has saved this number of steps, then stops it like a killed process. */
  const run = async (steps = Infinity): Promise<void> => {
    const killController = new AbortController();
    let savedCount = 0;
    await runCheckTagViews(context!, {
      signal: killController.signal,
      log: pino({ level: 'silent' }),
      progress: async () => {
        savedCount += 1;
        if (savedCount >= steps) killController.abort();
      },
    });
  };
  const readTag = async (number: string) => ({
    details: (await server.call(getContentTag, { token, params: { location: 'K', tag: tagUid(number) } })).body,
    visited: (await server.call(getTag, { token, params: { location: 'K', number } })).body,
  });
  const readPins = async () =>
    (await server.call(listNodeTags, { token, params: { location: 'K', node: nodeUid('C') } })).body.length;

  it('finds the earlier range images of any number of nodes', async () => {
    // A statement cannot have as many parameters.
    const nodes = Array.from({ length: 70_000 }, (_, index) => `node-${index}`);
    expect(await findEarlierRanges({ tables: tables() }, nodes)).toEqual(new Map());
  });

  it('computes the same views in a job as within a change of few tags', async () => {
    const tags = numbers.map((number, index) => ({ tag: tagUid(number), position: toPosition(index) }));
    const placeResult = await server
      .service(Tours)
      .placeTags({ caller: { uid: 'admin' }, requestId: 'r' }, 'K', tags, ['K']);
    expect(placeResult.placed).toHaveLength(numbers.length);
    await expect.poll(countMoved, { interval: 20, timeout: 20_000 }).toBe(0);
    const views = await readViews();
    expect(views.length).toBeGreaterThan(numbers.length);
    await sql`delete from tour.tag_view`.execute(tables());
    for (let start = 0; start < tags.length; start += maxSettledSubjects) {
      const part = tags.slice(start, start + maxSettledSubjects);
      const uids = part.map(({ tag }) => tag);
      await tables().updateTable('tag').set({ x: null, y: null, z: null }).where('uid', 'in', uids).execute();
      await server.service(Tours).placeTags({ caller: { uid: 'admin' }, requestId: 'r' }, 'K', part, ['K']);
      expect(await countMoved()).toBe(0);
    }
    expect(await readViews()).toEqual(views);
  });

  it('shows no views until the job has computed them, and continues a killed job', async () => {
    const before = await readViews();
    await sql`update tour.tag set x = x + 3`.execute(tables());
    await sql`update tour.node set z = z + 1 where code = 'C'`.execute(tables());
    await sql`
      insert into tour.moved_place (type, uid, site)
      select 'TAG', uid, site from tour.tag union all select 'NODE', uid, site from tour.node where code = 'C'`.execute(
      tables(),
    );
    expect(await readTag(numbers[0]!)).toMatchObject({
      details: { viewsPending: true, views: 0, seenFrom: [] },
      visited: { viewsPending: true, seenFrom: [] },
    });
    const listReply = await server.call(listContentTags, { token, params: { location: 'K' }, query: { limit: 1 } });
    expect(listReply.body.rows[0]).toMatchObject({ viewsPending: true, views: 0 });
    expect(await readPins()).toBe(0);
    await expect(run(1)).rejects.toThrow();
    const remainingCount = await countMoved();
    expect(remainingCount).toBeGreaterThan(0);
    expect(remainingCount).toBeLessThan(numbers.length);
    const pinCount = await readPins();
    expect(pinCount).toBeGreaterThan(0);
    await run();
    expect(await countMoved()).toBe(0);
    expect(await readPins()).toBeGreaterThan(pinCount);
    const after = await readViews();
    expect(after).not.toEqual(before);
    const { details, visited } = await readTag(numbers[0]!);
    expect([details.viewsPending, visited.viewsPending, details.views]).toEqual([undefined, undefined, 2]);
    // All at once.
    await sql`delete from tour.tag_view`.execute(tables());
    await sql`insert into tour.moved_place (type, uid, site) select 'NODE', uid, site from tour.node`.execute(tables());
    await run();
    expect(await readViews()).toEqual(after);
  });

  it('skips deleted tags', async () => {
    await sql`insert into tour.moved_place (type, uid, site) values ('TAG', 'gone', 'K')`.execute(tables());
    const id = await server.service(Jobs).start(checkTagViewsJob, {}, null);
    expect(await server.service(Jobs).waitForCompletion(id)).toMatchObject({ result: 'SUCCESS' });
    expect(await countMoved()).toBe(0);
  });
});
