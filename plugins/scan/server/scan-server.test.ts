import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultSiteRecord, type DemoFile, type DemoPlant } from '#core';
import type { DemoNode, TourDemo } from '#plugins/tour';
import { enabledPlugin, LocationStore, SiteStore, type ServerContext } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { openTour } from '#plugins/tour/api';
import { buildNodeRow, buildTourRow, insertTourRows, nodeUid, tour, tourManifest } from '#plugins/tour/testing/server';
import { updateStation, getScanContent } from '../contract/api/admin.ts';
import { openScans, setScanToken } from '../contract/api.ts';
import { listClouds } from '../contract/api/cloud.ts';
import type { ScanDemo } from '../contract/index.ts';
import manifest from '../plugin.ts';
import seedDemo from './demo.ts';
import scan from './index.ts';
import type { ScanTables } from './tables.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-scan-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const exactMillimetres = 4000;
async function createRangeFile(): Promise<DemoFile> {
  const file = path.join(folder, 'r.webp');
  await sharp({
    create: {
      width: 1024,
      height: 512,
      channels: 3,
      background: { r: exactMillimetres >> 8, g: exactMillimetres & 255, b: 0 },
    },
  })
    .webp({ lossless: true })
    .toFile(file);
  return {
    path: file,
    name: 'r.webp',
    mediaType: 'image/webp',
    bytes: fs.statSync(file).size,
    width: 1024,
    height: 512,
  };
}

async function buildPlant(): Promise<DemoPlant & TourDemo & ScanDemo> {
  const range = await createRangeFile();
  const buildNode = (code: string, location: string, x: number): DemoNode => ({
    code,
    name: `Node ${code}`,
    tour: 'T1',
    deck: 'D1',
    location,
    position: [x, 1, 2],
    heading: 30,
    view: { pan: 10, tilt: -5 },
    capturedAt: '2026-03-01T10:00:00.000Z',
    panorama: range,
    range,
    thumbnail: range,
  });
  return {
    name: 'Test plant',
    locations: [],
    decks: [{ code: 'D1', name: 'Deck', location: 'lower', elevation: 0, map: range, extent }],
    tours: [{ code: 'T1', name: 'Tour', location: 'unit', startNode: 'N1' }],
    nodes: [buildNode('N1', 'lower', 0), buildNode('N2', 'upper', 4)],
    links: [],
    tags: [],
    lines: [],
    documents: [],
    clouds: [{ code: 'C1', name: 'Cloud', location: 'unit', capturedAt: '2026-03-01T10:00:00.000Z', points }],
    loginBackgrounds: [],
  };
}

const extent = { west: 0, south: 0, east: 40, north: 30 };
async function* points() {
  yield {
    count: 2,
    positions: Float64Array.of(0, 0, 0, 1, 1, 1),
    colors: new Uint16Array(6),
    intensities: Float32Array.of(0, 1),
  };
}

const locations = [
  { uid: 'site', name: 'Site', label: 'Site', parent: null, root: 'site', locationType: 'PRIMARY_LOCATION' as const },
  { uid: 'unit', name: 'Unit', label: 'Unit', parent: 'site', root: 'site', locationType: 'PLATFORM_UNIT' as const },
  { uid: 'lower', name: 'Lower', label: 'Lower', parent: 'unit', root: 'site', locationType: 'LOC_LEVEL' as const },
  { uid: 'upper', name: 'Upper', label: 'Upper', parent: 'unit', root: 'site', locationType: 'LOC_LEVEL' as const },
];

describeOnDatabases('scans', (kind) => {
  let server: TestServer;
  let tokenServer: TestServer;
  const startServer = async (tokenRequired: boolean): Promise<TestServer> => {
    let context: ServerContext<ScanTables> | undefined;
    const pluginWithContext = {
      ...scan,
      api: (...[api, startContext]: Parameters<NonNullable<typeof scan.api>>) =>
        void ((context = startContext), scan.api?.(api, startContext)),
    };
    const testServer = await startTestServer({
      database: kind,
      plugins: [
        enabledPlugin(tourManifest, {}, tour),
        enabledPlugin(manifest, { token: tokenRequired }, pluginWithContext),
      ],
    });
    await testServer.service(LocationStore).upsert(locations);
    if (!context) throw new Error('The plugin was not mounted.');
    const plant = await buildPlant();
    await insertTourRows(testServer.database, {
      tours: [buildTourRow('T1')],
      nodes: plant.nodes.map(({ code, name, location, position: [x, y, z] }, position) =>
        buildNodeRow(code, { position, name, location, x, y, z, heading: 30 }),
      ),
    });
    await seedDemo(context, plant);
    return testServer;
  };
  beforeAll(async () => {
    [server, tokenServer] = [await startServer(false), await startServer(true)];
  });
  afterAll(async () => {
    await server.close();
    await tokenServer.close();
  });

  it('returns the capture day of each station in the time zone of the site', async () => {
    const token = await server.signIn({ flags: ['scanAccess'] });
    const fetchDays = async () =>
      (await server.call(openScans, { params: { location: 'unit' }, token })).body.stations.map(({ day }) => day);
    expect(await fetchDays()).toEqual(['2026-03-01', '2026-03-01']);
    const sites = server.service(SiteStore);
    await sites.save('site', defaultSiteRecord('Pacific/Kiritimati'));
    expect(await fetchDays()).toEqual(['2026-03-02', '2026-03-02']);
  });

  it('lists the stations that the caller can access, with the tiles of their ranges', async () => {
    const tokenOfAll = await server.signIn(await server.addPerson({ flags: ['scanAccess'] }));
    const response = () => server.call(openScans, { params: { location: 'unit' }, token: tokenOfAll });
    await expect.poll(async () => (await response()).body.stations.every(({ ranges }) => ranges !== null)).toBe(true);
    const { body } = await response();
    expect(body.token).toEqual({ state: 'NONE', expiresAt: null });
    expect(body.stations.map(({ name, node, picture }) => [name, node, picture])).toEqual([
      ['Node N1', 'node-N1', null],
      ['Node N2', 'node-N2', null],
    ]);
    expect(body.stations[0]).toMatchObject({
      position: [0, 1, 2],
      heading: 30,
      ranges: { width: 1024, height: 512, tileSize: 512, sigma: 0.003 },
    });
    const tokenOfLower = await server.signIn(await server.addPerson({ flags: ['scanAccess'], locations: ['lower'] }));
    expect(
      (await server.call(openScans, { params: { location: 'lower' }, token: tokenOfLower })).body.stations.map(
        ({ name }) => name,
      ),
    ).toEqual(['Node N1']);
    expect((await server.call(openScans, { params: { location: 'upper' }, token: tokenOfLower })).status).toBe(403);
    const tokenWithoutAccess = await server.signIn(await server.addPerson({ flags: ['vrAccess'] }));
    expect((await server.call(openScans, { params: { location: 'unit' }, token: tokenWithoutAccess })).status).toBe(
      403,
    );
  });

  it('preserves the noise of the scanner exactly in the tiles', async () => {
    const token = await server.signIn(await server.addPerson({ flags: ['scanAccess'] }));
    const { body } = await server.call(openScans, { params: { location: 'unit' }, token });
    const tile = await fetch(`${await server.url()}${body.stations[0]?.ranges?.address}/range/0_0.webp`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = await sharp(Buffer.from(await tile.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const ranges = Array.from(
      { length: data.length / 3 },
      (_, index) => ((data[index * 3] ?? 0) << 8) | (data[index * 3 + 1] ?? 0),
    );
    const mean = ranges.reduce((sum, range) => sum + range, 0) / ranges.length;
    const deviation = Math.sqrt(ranges.reduce((sum, range) => sum + (range - mean) ** 2, 0) / ranges.length);
    expect(mean).toBeCloseTo(exactMillimetres, 1);
    // The noise is three millimetres, and the rounding to whole millimetres adds to it.
    expect(deviation).toBeCloseTo(Math.hypot(3, 1 / Math.sqrt(12)), 1);
  });

  it('[TOUR-14] shows scans only while the scan token is valid', async () => {
    const person = await tokenServer.signIn(await tokenServer.addPerson({ flags: ['scanAccess'] }));
    const admin = await tokenServer.signIn(await tokenServer.addPerson({ flags: ['configure'] }));
    const open = async () => (await tokenServer.call(openScans, { params: { location: 'unit' }, token: person })).body;
    const set = (expiresAt: string | null, token = admin) =>
      tokenServer.call(setScanToken, { params: { location: 'site' }, body: { expiresAt }, token });
    expect(await open()).toEqual({ token: { state: 'MISSING', expiresAt: null }, stations: [] });
    expect((await set('2099-01-01T00:00:00.000Z', person)).status).toBe(403);
    expect((await set('2099-01-01T00:00:00.000Z')).body).toEqual({
      state: 'VALID',
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    expect((await open()).stations).toHaveLength(2);
    await set('2020-01-01T00:00:00.000Z');
    expect(await open()).toEqual({ token: { state: 'EXPIRED', expiresAt: '2020-01-01T00:00:00.000Z' }, stations: [] });
    expect((await set('soon')).status).toBe(400);
    expect((await set('2026-13-45T00:00:00Z')).status).toBe(400);
    await set(null);
    expect((await open()).token.state).toBe('MISSING');
  });

  it('[TOUR-14] refuses even cached tiles after the token has expired', async () => {
    const person = await tokenServer.signIn(await tokenServer.addPerson({ flags: ['scanAccess'] }));
    const admin = await tokenServer.signIn(await tokenServer.addPerson({ flags: ['configure'] }));
    const set = (location: string, expiresAt: string | null) =>
      tokenServer.call(setScanToken, { params: { location }, body: { expiresAt }, token: admin });
    const stations = async () =>
      (await tokenServer.call(openScans, { params: { location: 'unit' }, token: person })).body.stations;
    await set('site', '2099-01-01T00:00:00.000Z');
    await expect.poll(async () => (await stations()).filter(({ ranges }) => ranges !== null).length).toBe(2);
    const [lower] = await stations();
    const base = await tokenServer.url();
    const tile = (headers: Record<string, string> = {}) =>
      fetch(`${base}${lower?.ranges?.address}/range/0_0.webp`, {
        headers: { authorization: `Bearer ${person}`, ...headers },
      });
    const first = await tile();
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    const cachedHeaders = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await tile(cachedHeaders)).status).toBe(304);
    await set('lower', '2020-01-01T00:00:00.000Z');
    expect((await stations()).map(({ name }) => name)).toEqual(['Node N2']);
    expect([(await tile()).status, (await tile(cachedHeaders)).status]).toEqual([403, 403]);
    await set('lower', null);
    expect((await tile()).status).toBe(200);
    await set('site', null);
    expect((await tile()).status).toBe(403);
  });

  it('[ACC-04] links a station only to nodes that the caller can access, unless the link exists already', async () => {
    await insertTourRows(server.database, { nodes: [buildNodeRow('AT-UNIT', { location: 'unit', x: 900 })] });
    const change = async (node: string, accessibleLocations?: readonly string[]) => {
      const token = await server.signIn({
        flags: ['configure'],
        ...(accessibleLocations ? { locations: accessibleLocations } : {}),
      });
      const { body } = await server.call(getScanContent, { params: { location: 'lower' }, token });
      const [{ uid, position } = { uid: '', position: [0, 0, 0] as const }] = body.stations;
      const { status } = await server.call(updateStation, {
        params: { location: 'lower', uid },
        body: { name: 'Node N1', position: [...position], heading: 30, linkMode: 'CHOSEN', node },
        token,
      });
      return status;
    };
    expect(await change(nodeUid('AT-UNIT'), ['lower'])).toBe(400);
    expect(await change(nodeUid('AT-UNIT'))).toBe(200);
    expect(await change(nodeUid('AT-UNIT'), ['lower'])).toBe(200);
    expect(await change(nodeUid('N1'), ['lower'])).toBe(200);
    expect(await change(nodeUid('AT-UNIT'), ['lower'])).toBe(400);
  });
});

describeOnDatabases('two sites with the same plant', (kind) => {
  let server: TestServer;
  const flags = ['scanAccess', 'configure'] as const;
  const toOtherUid = (uid: string): string => `other-${uid}`;
  const moveToOtherSite = <T extends { readonly location: string }>(rows: readonly T[]): T[] =>
    rows.map((row) => ({ ...row, location: toOtherUid(row.location) }));
  /** Copies the plant to another site. The locations have other uids, but codes and names are the same. */
  const copyToOtherSite = (plant: DemoPlant & TourDemo & ScanDemo): DemoPlant & TourDemo & ScanDemo => ({
    ...plant,
    decks: moveToOtherSite(plant.decks),
    tours: moveToOtherSite(plant.tours),
    nodes: moveToOtherSite(plant.nodes),
    clouds: moveToOtherSite(plant.clouds),
  });
  const open = async (location: string, token: string) =>
    (await server.call(openScans, { params: { location }, token })).body.stations;
  const fetchClouds = async (location: string, token: string) =>
    (await server.call(listClouds, { params: { location }, token })).body;

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { token: false }, scan)],
    });
    await server.service(LocationStore).upsert([
      ...locations,
      ...locations.map((row) => ({
        ...row,
        uid: toOtherUid(row.uid),
        parent: row.parent && toOtherUid(row.parent),
        root: 'other-site',
      })),
    ]);
    const plant = await buildPlant();
    // Each plant is seeded twice, as it happens when a product restarts.
    for (const seededPlant of [plant, copyToOtherSite(plant), plant, copyToOtherSite(plant)])
      await server.server.seed(seededPlant);
  });
  afterAll(() => server.close());

  it('opens the stations and clouds of each site, linked to its own nodes', async () => {
    const token = await server.signIn({ flags: [...flags, 'vrAccess'] });
    const [first, second] = [await open('unit', token), await open('other-unit', token)];
    for (const stations of [first, second]) expect(stations.map(({ name }) => name)).toEqual(['Node N1', 'Node N2']);
    expect(new Set([...first, ...second].map(({ uid }) => uid)).size).toBe(4);
    for (const [location, stations] of [
      ['unit', first],
      ['other-unit', second],
    ] as const) {
      const { body } = await server.call(openTour, { params: { location }, query: {}, token });
      expect(stations.map(({ node }) => node)).toEqual(body.nodes.map(({ uid }) => uid));
    }
    const [firstClouds, secondClouds] = [await fetchClouds('unit', token), await fetchClouds('other-unit', token)];
    expect([...firstClouds, ...secondClouds].map(({ name, location }) => [name, location])).toEqual([
      ['Cloud', 'unit'],
      ['Cloud', 'other-unit'],
    ]);
    expect(firstClouds[0]!.uid).not.toBe(secondClouds[0]!.uid);
  });

  it('answers 304 until a station or a node of its tour changes', async () => {
    const token = await server.signIn({ flags });
    const call = (etag: string) =>
      server.call(openScans, { params: { location: 'unit' }, token, headers: { 'if-none-match': etag } });
    const { database } = server;
    // A job may finish tiles in the meantime.
    await database.query("update scan.station set tiles_file = coalesce(tiles_file, 'none')");
    await expect.poll(async () => (await call(String((await call('')).headers['etag']))).status).toBe(304);
    const first = await call('');
    for (const change of [
      "update scan.station set name = name || '*' where location = 'lower'",
      "update tour.node set x = x + 20 where location = 'lower'",
      "delete from scan.station where location = 'lower'",
    ]) {
      const etag = String((await call('')).headers['etag']);
      await database.query(change);
      const reply = await call(etag);
      expect([change, reply.status, reply.headers['etag'] === first.headers['etag']]).toEqual([change, 200, false]);
    }
  });

  it('[ACC-04] lists and changes nothing at a site that the caller cannot access', async () => {
    const token = await server.signIn({ flags, locations: ['other-site'] });
    expect((await server.call(openScans, { params: { location: 'unit' }, token })).status).toBe(403);
    const { body } = await server.call(getScanContent, { params: { location: 'other-unit' }, token });
    expect(body.stations.map(({ location }) => location)).toEqual(['other-lower', 'other-upper']);
    const [foreign] = await open('unit', await server.signIn({ flags }));
    const response = await server.call(updateStation, {
      params: { location: 'other-lower', uid: foreign!.uid },
      body: { name: 'Taken', position: [0, 0, 0], heading: 0 },
      token,
    });
    expect(response.status).toBe(404);
  });
});
