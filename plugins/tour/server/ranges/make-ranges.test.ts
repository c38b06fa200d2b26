import { Readable } from 'node:stream';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationRow } from '#core';
import { undoChange } from '#core/api';
import { enabledPlugin, FileStore, Jobs, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { castRanges } from '#plugins/model-3d/testing/server';
import { SiteSurfaces } from '#plugins/tour';
import { findSurface, openTour } from '../../contract/api.ts';
import { listRanges, makeRanges, deleteRanges, stopRanges } from '../../contract/api/ranges.ts';
import { updateNodes, getTourContent } from '../../contract/api/tour-content.ts';
import manifest from '../../plugin.ts';
import { buildNodeRow, buildTourRow, insertTourRows, nodeUid, tourUid } from '../../testing/server/tour-rows.ts';
import tour from '../index.ts';
import { tourSchema, type TourTables } from '../tables.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
/** Two triangles of a wall 4 m north of the site's origin, and one that is far away. */
const wall = Float64Array.from(
  [
    [-5, 4, -5, 5, 4, -5, 5, 4, 5],
    [-5, 4, -5, 5, 4, 5, -5, 4, 5],
    [900, 900, 0, 901, 900, 0, 900, 901, 0],
  ].flat(),
);

describeOnDatabases('computed range images', (kind) => {
  let server: TestServer;
  let admin: string;
  let isModelOfSite = false;
  let isScanned = false;
  /** Called before triangles are yielded. */
  let onRead: () => Promise<unknown> = () => Promise.resolve();

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, tour)] });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('bare', 'site', 'PLATFORM_UNIT'),
      ]);
    admin = await server.signIn({ flags: ['configure'] });
    server.service(SiteSurfaces).register({
      source: 'MODEL',
      hasSurfaces: (locations) =>
        Promise.resolve(locations.includes('unit') || (isModelOfSite && locations.includes('site'))),
      async *computeRanges(_, views, signal) {
        await onRead();
        yield* castRanges(views, Readable.from([wall]), signal);
      },
    });
    const picture = await sharp({ create: { width: 1024, height: 512, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const put = async () =>
      (
        await server
          .service(FileStore)
          .put({ name: 'a.jpg', mediaType: 'image/jpeg', audience: { kind: 'location', location: 'unit' } }, picture)
      ).id;
    const level = { width: 1024, height: 512, columns: 2, rows: 1 };
    const pyramid = JSON.stringify({ tileSize: 512, levels: [level], mesh: false });
    const node = async (code: string, x: number, changes = {}) =>
      buildNodeRow(code, {
        location: 'unit',
        x,
        y: 0,
        z: 0,
        heading: 30,
        pyramid,
        panorama_file: await put(),
        ...changes,
      });
    await insertTourRows(server.database, {
      tours: [buildTourRow('T1'), buildTourRow('T2', { location: 'bare' })],
      nodes: [
        await node('N1', 0),
        await node('N2', 500, { position: 1 }),
        await node('N3', 1, { position: 2, range_file: 'measured' }),
        await node('B1', 0, { tour: tourUid('T2'), location: 'bare' }),
      ],
    });
  });
  afterAll(() => server.close());

  const at = (uid = tourUid('T1'), location = 'unit') => ({ params: { location, tour: uid }, token: admin });
  const readTourRanges = async () =>
    (await server.call(listRanges, { params: { location: 'unit' }, token: admin })).body.find(
      ({ tour: uid }) => uid === tourUid('T1'),
    )!;
  const make = async () => {
    const { status, body } = await server.call(makeRanges, at());
    expect(status).toBe(201);
    return server.service(Jobs).waitForCompletion(body.job);
  };
  const openNode = async () =>
    (await server.call(openTour, { params: { location: 'unit' }, query: {}, token: admin })).body.nodes.find(
      ({ code }) => code === 'N1',
    )!;
  const findNorth = async (pan: number) =>
    (
      await server.call(findSurface, {
        params: { location: 'unit', node: nodeUid('N1') },
        query: { pan, tilt: 0 },
        token: admin,
      })
    ).body.point;
  const move = async (x: number) => {
    const { nodes } = (await server.call(getTourContent, { params: { location: 'unit' }, token: admin })).body;
    const { uid, name, deck, heading, version } = nodes.find(({ code }) => code === 'N1')!;
    const movedNode = { uid, name, deck, heading, version, position: [x, 0, 0] as const };
    const reply = await server.call(updateNodes, { ...at(), body: { nodes: [movedNode] } });
    expect(reply.status).toBe(200);
    return reply.body.change!;
  };

  it('computes ranges of viewpoints without measured ranges, marks them, and drops the ranges of a moved viewpoint', async () => {
    expect(await readTourRanges()).toMatchObject({ measured: 1, computed: 0, missing: 2, job: null, result: null });
    expect((await make()).result).toBe('WARNING');
    const { result, ...counts } = await readTourRanges();
    expect(counts).toMatchObject({ measured: 1, computed: 1, missing: 1 });
    expect(result).toMatchObject({ made: 1, blind: ['N2'], changed: [], stopped: false });
    // The wall covers 10 m by 10 m at 4 m: 4 atan(25 / (4 sqrt(16 + 50))) of the 4 pi of a sphere.
    expect(result!.coverage).toBeCloseTo(Math.atan(25 / (4 * Math.sqrt(66))) / Math.PI, 2);
    expect((await openNode()).picture).toMatchObject({ mesh: true, ranges: { width: 1024, source: 'MODEL' } });
    const point = await findNorth(40);
    expect(point![1]).toBeCloseTo(4, 2);
    expect(point![0]).toBeCloseTo(4 * Math.tan((40 * Math.PI) / 180), 1);
    expect(await findNorth(180)).toBeNull();

    const change = await move(0.5);
    expect((await openNode()).picture).not.toHaveProperty('ranges');
    expect([(await openNode()).picture?.mesh, await findNorth(0), (await readTourRanges()).computed]).toEqual([
      false,
      null,
      0,
    ]);
    const undone = await server.call(undoChange, { params: { change }, body: {}, token: admin });
    expect([undone.status, (await readTourRanges()).computed]).toEqual([200, 0]);

    expect((await make()).result).toBe('WARNING');
    expect((await readTourRanges()).computed).toBe(1);
    const removal = await server.call(deleteRanges, at());
    expect([removal.status, (await readTourRanges()).computed, await findNorth(0)]).toEqual([200, 0, null]);
    await server.call(undoChange, { params: { change: removal.body.change! }, body: {}, token: admin });
    expect([(await readTourRanges()).computed, (await findNorth(0))?.[1]]).toEqual([1, expect.closeTo(4, 2)]);
  });

  it('tells admins whether there is a surface at, above or below a location', async () => {
    const hasSurfaces = async (location: string) =>
      (await server.call(getTourContent, { params: { location }, token: admin })).body.hasSurfaces;
    expect(await Promise.all(['site', 'unit', 'bare'].map(hasSurfaces))).toEqual([true, true, false]);
    isModelOfSite = true;
    expect(await hasSurfaces('bare')).toBe(true);
    isModelOfSite = false;
  });

  it('uses the nearer surface of model and point cloud, and drops the ranges when one of them has changed', async () => {
    await server.call(deleteRanges, at());
    server.service(SiteSurfaces).register({
      source: 'CLOUD',
      hasSurfaces: (locations) => Promise.resolve(isScanned && locations.includes('unit')),
      async *computeRanges(_, views) {
        for (const { width } of views) {
          const ranges = new Uint16Array((width * width) / 2).fill(9000);
          // The middle of the image is 30 degrees east of north.
          for (let row = 0; row < width / 2; row++)
            ranges.fill(3000, row * width + width / 2 - 9, row * width + width / 2);
          yield ranges;
        }
      },
    });
    isScanned = true;
    await make();
    const distance = async (pan: number) => Math.hypot(...((await findNorth(pan)) ?? []));
    expect((await openNode()).picture?.ranges?.source).toBe('CLOUD');
    expect([await distance(29), await distance(0), await distance(180)]).toEqual([
      expect.closeTo(3, 2),
      expect.closeTo(4, 2),
      expect.closeTo(9, 2),
    ]);
    const tables = server.database.of('tour');
    const drop = (location: string) =>
      tables.transaction().execute((transaction) => server.service(SiteSurfaces).dropRanges(location, transaction));
    await drop('bare');
    // A change that is not committed drops nothing.
    await expect(
      tables.transaction().execute(async (transaction) => {
        await server.service(SiteSurfaces).dropRanges('site', transaction);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await server.service(Jobs).notifyRunners();
    await expect
      .poll(async () => (await sql`select from core.job where state <> 'completed'`.execute(tables)).rows.length)
      .toBe(0);
    expect((await readTourRanges()).computed).toBe(2);
    await drop('site');
    await server.service(Jobs).notifyRunners();
    await expect.poll(readTourRanges).toMatchObject({ measured: 1, computed: 0 });
    expect([(await openNode()).picture?.mesh, await findNorth(0)]).toEqual([false, null]);
    isScanned = false;
  });

  it('skips a viewpoint that was moved during the computation, and stops on request', async () => {
    await server.call(deleteRanges, at());
    onRead = () => move(1);
    expect((await make()).result).toBe('WARNING');
    expect((await readTourRanges()).result).toMatchObject({ made: 0, changed: ['N1'] });
    onRead = async () => {
      expect((await server.call(makeRanges, at())).status).toBe(409);
      expect((await readTourRanges()).job).toMatchObject({ total: null });
      await server.call(stopRanges, at());
    };
    expect((await make()).result).toBe('SUCCESS');
    expect((await readTourRanges()).result).toMatchObject({ made: 0, stopped: true });
    onRead = () => Promise.resolve();
    expect(await server.call(makeRanges, at(tourUid('T2'), 'bare'))).toMatchObject({
      status: 409,
      refusal: { message: expect.stringMatching(/no 3D model and no point cloud/) },
    });
    await server.database
      .of<TourTables>(tourSchema)
      .updateTable('node')
      .set({ range_file: 'measured' })
      .where('code', 'in', ['N1', 'N2'])
      .execute();
    expect(await server.call(makeRanges, at())).toMatchObject({
      status: 409,
      refusal: { message: expect.stringMatching(/lacks distances/) },
    });
  });

  it('ignores models at locations that the author cannot access', async () => {
    isModelOfSite = true;
    const target = { location: 'bare', tour: tourUid('T2') };
    const limitedToken = await server.signIn({ flags: ['configure'], locations: ['bare'] });
    expect(await server.call(makeRanges, { params: target, token: limitedToken })).toMatchObject({
      status: 409,
      refusal: { message: expect.stringMatching(/no 3D model and no point cloud/) },
    });
    const { status, body } = await server.call(makeRanges, { params: target, token: admin });
    expect(status).toBe(201);
    await server.service(Jobs).waitForCompletion(body.job);
  });
});
