import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultSiteRecord, type DemoLocation } from '#core';
import { undoChange } from '#core/api';
import { enabledPlugin, FileStore, Jobs, LocationStore, type JobRun, type JobStep } from '#core/server';
import { itWithSampleData } from '#core/testing/sample-data';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import {
  buildNodeRow,
  buildTourRow,
  insertTourRows,
  nodeUid,
  tour,
  tourManifest,
  tourSchema,
  type TourTables,
  tourUid,
} from '#plugins/tour/testing/server';
import {
  updateDelivery,
  updateStation,
  createViewpointNodes,
  planViewpoints,
  deleteStation,
  getScanContent,
} from '../../contract/api/admin.ts';
import { openScans } from '../../contract/api.ts';
import { importCloud, listClouds, deleteCloud } from '../../contract/api/cloud.ts';
import manifest from '../../plugin.ts';
import { runImportCloud, type ImportCloudPayload } from '../cloud/jobs/import-cloud.ts';
import scan from '../index.ts';
import { runTileStation, type TileStationPayload } from '../stations/jobs/tile-station.ts';
import { scanSchema, type ScanTables } from '../tables.ts';
import { writeE57, type E57ScanInput } from '../../testing/server/write-e57.ts';

const location = (uid: string, parent: string | null, locationType: DemoLocation['locationType']): DemoLocation => ({
  uid,
  name: uid,
  label: uid,
  parent,
  root: 'site',
  locationType,
});
const locations = [
  location('site', null, 'PRIMARY_LOCATION'),
  location('unit', 'site', 'PLATFORM_UNIT'),
  location('other', 'site', 'PLATFORM_UNIT'),
];

/** Builds a scan of a sphere of 5 m around the scanner. */
function buildSphere(name: string, structured: boolean): E57ScanInput {
  const [rows, columns] = [40, 80];
  const positions = new Float32Array(rows * columns * 3);
  const grid = { rows: new Uint16Array(rows * columns), columns: new Uint16Array(rows * columns) };
  for (let k = 0; k < rows * columns; k++) {
    const [row, column] = [Math.floor(k / columns), k % columns];
    const tilt = Math.PI * (0.5 - (row + 0.5) / rows);
    const angle = 2 * Math.PI * (column / columns);
    positions.set(
      [5 * Math.cos(angle) * Math.cos(tilt), 5 * Math.sin(angle) * Math.cos(tilt), 5 * Math.sin(tilt)],
      3 * k,
    );
    grid.rows[k] = row;
    grid.columns[k] = column;
  }
  return {
    name,
    guid: `guid-${name}`,
    pose: { rotation: [1, 0, 0, 0], translation: [10, 20, 30] },
    positions,
    ...(structured ? { grid } : {}),
    colors: new Uint8Array(positions.length).fill(90),
  };
}

const toGrey = ({ colors: _, ...rest }: E57ScanInput): E57ScanInput => rest;

/** Creates a panorama that is red in its middle, which is the direction of the x axis, and blue elsewhere. */
const createPhoto = async (width: number): Promise<Buffer> => {
  const pixels = Buffer.alloc(width * (width / 2) * 3);
  for (let offset = 0; offset < pixels.length; offset += 3)
    pixels[Math.abs(((offset / 3) % width) - width / 2) < width / 8 ? offset : offset + 2] = 220;
  return sharp(pixels, { raw: { width, height: width / 2, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
};

describeOnDatabases('deliveries of scans', (kind) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { token: false }, scan)],
    });
    await server.service(LocationStore).upsert(locations);
    admin = await server.signIn({ flags: ['scanAccess', 'configure'] });
  });
  afterAll(() => server.close());

  const jobs = () => server.service(Jobs);
  const files = () => server.service(FileStore);
  const fetchContent = async (token = admin) =>
    (await server.call(getScanContent, { params: { location: 'unit' }, token })).body;

  async function importFiles(file: Buffer, fields: Readonly<Record<string, string>> = {}, secondFile?: Buffer) {
    const boundary = 'delivery-boundary';
    const fieldParts = Object.entries(fields).map(
      ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const buildFilePart = (name: string, bytes: Buffer): readonly Buffer[] => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ` +
          `application/octet-stream\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ];
    const payload = Buffer.concat([
      Buffer.from(fieldParts.join('')),
      ...buildFilePart('site.e57', file),
      ...(secondFile ? buildFilePart('deck.e57', secondFile) : []),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
    const response = await server.app.inject({
      method: 'POST',
      url: `${importCloud.path.replace(':location', 'unit')}?name=Trial`,
      headers: { authorization: `Bearer ${admin}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload,
    });
    const body = response.json<{ readonly uid: string; readonly job: string; readonly message?: string }>();
    return {
      status: response.statusCode,
      body,
      job: response.statusCode === 200 ? await jobs().waitForCompletion(body.job) : undefined,
    };
  }

  const waitForTiles = () =>
    expect.poll(async () => (await fetchContent()).stations.every((station) => station.hasTiles)).toBe(true);
  const deleteAll = async (uid: string): Promise<void> => {
    for (const station of (await fetchContent()).stations)
      await server.call(deleteStation, { params: { location: 'unit', uid: station.uid }, token: admin });
    await server.call(deleteCloud, { params: { location: 'unit', uid }, token: admin });
  };

  it('creates stations from structured scans and reports why other scans create none', async () => {
    const jpeg = await createPhoto(1024);
    const file = writeE57(
      [buildSphere('first', true), buildSphere('loose', false), buildSphere('third', true)],
      [{ scanGuid: 'guid-third', jpeg, width: 1024, height: 512, rotation: [1, 0, 0, 0] }],
    );
    const { body, job } = await importFiles(file, { place: JSON.stringify({ position: [100, 0, 0], heading: 90 }) });
    expect(job).toMatchObject({ result: 'WARNING', message: expect.stringMatching(/^2 of 3 scans became stations\./) });
    await waitForTiles();
    const { deliveries, stations } = await fetchContent();
    expect(deliveries).toMatchObject([
      {
        uid: body.uid,
        name: 'Trial',
        state: 'READY',
        message: null,
        job: null,
        files: [{ name: 'site.e57', bytes: file.length }],
        extent: { points: 9600 },
      },
    ]);
    const toUid = (name: string) => stations.find((station) => station.name === name)!.uid;
    expect(deliveries[0]!.stations).toMatchObject([
      { name: 'first', station: toUid('first'), skipReason: null, pictureSource: 'COLOURS', tooFarPixels: 0 },
      { name: 'loose', station: null, skipReason: 'UNSTRUCTURED', pictureSource: null },
      { name: 'third', station: toUid('third'), skipReason: null, pictureSource: 'PHOTO' },
    ]);
    // The delivery is turned clockwise by 90 degrees about its origin, which moves the scanner from (10, 20) to (20, -10),
    // and then moved by 100 m to the east. The scanner's x axis points south instead of east.
    expect(
      stations.map(({ position, heading }) => [position.map((value) => Math.round(value * 1e6) / 1e6), heading]),
    ).toEqual([
      [[120, -10, 30], 180],
      [[120, -10, 30], 180],
    ]);
    expect(deliveries[0]!.extent!.minimum[0]).toBeCloseTo(115, 1);

    const shownStations = (await server.call(openScans, { params: { location: 'unit' }, token: admin })).body.stations;
    expect(shownStations.map(({ picture, ranges }) => [picture?.levels.length, ranges?.width])).toEqual([
      [1, 1024],
      [1, 1024],
    ]);
    const fetchPixels = async (address: string) =>
      sharp((await server.app.inject({ url: address, headers: { authorization: `Bearer ${admin}` } })).rawPayload)
        .raw()
        .toBuffer({ resolveWithObject: true });
    const ranges = await fetchPixels(`${shownStations[0]!.ranges!.address}/range/1_0.webp`);
    const rangeOffset = 3 * (256 * ranges.info.width + 10);
    const range = ranges.data[rangeOffset]! * 256 + ranges.data[rangeOffset + 1]!;
    // Between the points of the coarse grid, a range is measured to a chord of the sphere.
    expect([range > 4980, range <= 5000]).toEqual([true, true]);
    const middle = await fetchPixels(`${shownStations[1]!.picture!.address}/0/1_0.jpg`);
    const pixel = 3 * (400 * middle.info.width + 10);
    expect(middle.data[pixel]! - middle.data[pixel + 2]!).toBeGreaterThan(150);
    await deleteAll(body.uid);
    expect(await fetchContent()).toMatchObject({ deliveries: [], stations: [] });
  });

  it('[PRO-20] reports which of several files cannot be read and why, as a message in each language', async () => {
    const wholeFile = writeE57([buildSphere('first', true)]);
    const { job } = await importFiles(wholeFile, {}, wholeFile.subarray(0, wholeFile.length - 1024));
    expect(job).toMatchObject({
      result: 'FAILED',
      message:
        `“deck.e57”: The E57 file is incomplete: it should have ${wholeFile.length} bytes and has ` +
        `${wholeFile.length - 1024}. Upload it again.`,
    });
    const refusal = {
      message: 'scan.refused.e57CutOff',
      values: { expected: wholeFile.length, size: wholeFile.length - 1024 },
      where: 'deck.e57',
    };
    expect(job?.refusal).toEqual(refusal);
    const [delivery] = (await fetchContent()).deliveries;
    expect(delivery).toMatchObject({ state: 'FAILED', message: job!.message, refusal });
    await deleteAll(delivery!.uid);
    // The message does not name the file if the delivery has only one.
    const singleFileImport = await importFiles(wholeFile.subarray(0, wholeFile.length - 1024));
    expect(singleFileImport.job?.refusal).toEqual({ message: refusal.message, values: refusal.values });
    await deleteAll(singleFileImport.body.uid);
  });

  it('creates viewpoints from stations once, with pictures and distances, and undoes them', async () => {
    const at = (name: string, x: number): E57ScanInput => ({
      ...buildSphere(name, true),
      pose: { rotation: [1, 0, 0, 0], translation: [x, 20, 30] },
    });
    const jpeg = await createPhoto(1024);
    const file = writeE57(
      [at('Scan 1', 10), toGrey(at('Scan 2', 13)), at('Scan 3', 16)],
      [{ scanGuid: 'guid-Scan 1', jpeg, width: 1024, height: 512, rotation: [1, 0, 0, 0] }],
    );
    const { body } = await importFiles(file, { place: JSON.stringify({ position: [0, 0, 0], heading: 90 }) });
    const target = { params: { location: 'unit', uid: body.uid }, token: admin };
    const reply = await server.call(planViewpoints, target);
    expect([reply.status, reply.refusal?.message]).toEqual([409, expect.stringContaining('has no tour yet')]);

    const { database } = server;
    const tables = database.of<TourTables>(tourSchema);
    const deck = { site: 'site', plan_file: null, plan_width: null, plan_height: null, plan_scale: null };
    const unplacedDeck = { ...deck, location: 'unit', plan_x: null, plan_y: null, plan_heading: null };
    await tables
      .insertInto('deck')
      .values(
        [0, 28, 31].map((elevation) => ({
          ...unplacedDeck,
          uid: `d${elevation}`,
          code: `D${elevation}`,
          name: `Deck ${elevation}`,
          // A location has one deck.
          location: elevation === 28 ? 'unit' : elevation === 0 ? 'lower' : 'upper',
          elevation,
        })),
      )
      .execute();
    await insertTourRows(database, {
      tours: [buildTourRow('T1', { start_node: null })],
      nodes: [buildNodeRow('scan-2', { x: 20, y: -16, z: 30.2, location: 'unit' })],
    });
    const plan = async () =>
      (await server.call(planViewpoints, target)).body.map((plannedViewpoint) => [
        plannedViewpoint.name,
        plannedViewpoint.code,
        plannedViewpoint.deck,
        plannedViewpoint.pictureSource,
        plannedViewpoint.existing?.code ?? null,
      ]);
    expect(await plan()).toEqual([
      ['Scan 1', 'Scan-1', 'Deck 28', 'PHOTO', null],
      ['Scan 2', 'Scan-2-2', 'Deck 28', 'RANGES', null],
      ['Scan 3', 'scan-2', 'Deck 28', 'COLOURS', 'scan-2'],
    ]);

    const stations = (await server.call(planViewpoints, target)).body.map(({ station }) => station);
    const make = async () => {
      const startReply = await server.call(createViewpointNodes, { ...target, body: { stations } });
      expect(startReply.status).toBe(201);
      return { ...startReply.body, result: (await jobs().waitForCompletion(startReply.body.job)).result };
    };
    const readNodes = () =>
      tables.selectFrom('node').selectAll().where('code', '<>', 'scan-2').orderBy('position').execute();
    const first = await make();
    expect(first.result).toBe('SUCCESS');
    const nodes = await readNodes();
    expect(nodes).toMatchObject([
      { code: 'Scan-1', name: 'Scan 1', deck: 'd28', location: 'unit', heading: 180, range_source: null },
      { code: 'Scan-2-2', position: 2, panorama_file: null, captured_at: null, range_file: null },
    ]);
    expect([nodes[0]!.x, nodes[0]!.y, nodes[0]!.z].map((value) => Math.round(value * 1000) / 1000)).toEqual([
      20, -10, 30,
    ]);
    expect(nodes.map(({ pyramid }) => pyramid?.ranges?.width ?? null)).toEqual([1024, null]);
    const picture = await buffer(await files().read(nodes[0]!.panorama_file!));
    expect((await sharp(picture).metadata()).width).toBe(1024);

    // Neither a repeated request nor another upload of the file makes them again.
    expect((await make()).result).toBe('WARNING');
    const secondImport = await importFiles(writeE57([at('Scan 1', 10)]), {
      place: JSON.stringify({ position: [0, 0, 0], heading: 90 }),
    });
    const second = await server.call(planViewpoints, {
      ...target,
      params: { location: 'unit', uid: secondImport.body.uid },
    });
    expect(second.body.every(({ existing }) => existing !== null)).toBe(true);
    expect(await readNodes()).toHaveLength(2);

    const undone = await server.call(undoChange, { params: { change: first.change }, token: admin, body: {} });
    expect([undone.status, (await readNodes()).length]).toEqual([200, 0]);
    for (const table of ['node', 'deck', 'tour', 'code'] as const) await tables.deleteFrom(table).execute();
    for (const uid of [body.uid, secondImport.body.uid]) await deleteAll(uid);
  });

  it('computes distances of panoramas from the cloud, and drops them when the cloud is moved', async () => {
    const { body } = await importFiles(writeE57([buildSphere('first', true)]), { stations: 'false' });
    const { database } = server;
    const tables = database.of<TourTables>(tourSchema);
    const picture = await createPhoto(1024);
    const panorama = await files().put(
      { name: 'a.jpg', mediaType: 'image/jpeg', audience: { kind: 'location', location: 'unit' } },
      picture,
    );
    const level = { width: 1024, height: 512, columns: 2, rows: 1 };
    const pyramid = JSON.stringify({ tileSize: 512, levels: [level], mesh: false });
    await insertTourRows(database, {
      tours: [buildTourRow('T1')],
      nodes: [
        buildNodeRow('N1', { location: 'unit', x: 10, y: 20, z: 30, panorama_file: panorama.id, pyramid }),
        buildNodeRow('N2', { location: 'unit', x: 500, panorama_file: panorama.id, pyramid }),
      ],
    });
    const response = await server.app.inject({
      method: 'POST',
      url: `/api/tour/unit/tours/${tourUid('T1')}/ranges`,
      headers: { authorization: `Bearer ${admin}` },
    });
    expect((await jobs().waitForCompletion(response.json<{ job: string }>().job)).result).toBe('WARNING');
    const readNode = () => tables.selectFrom('node').selectAll().where('code', '=', 'N1').executeTakeFirstOrThrow();
    const { range_file, range_source } = await readNode();
    expect(range_source).toBe('CLOUD');
    const image = await sharp(await buffer(await files().read(range_file!)))
      .raw()
      .toBuffer();
    const ranges = Array.from({ length: 1024 * 512 }, (_, pixel) => image[3 * pixel]! * 256 + image[3 * pixel + 1]!);
    const knownRanges = ranges.filter((range) => range > 0);
    // The points are 0.4 m apart.
    expect(knownRanges.length / ranges.length).toBeGreaterThan(0.8);
    expect(knownRanges.filter((range) => Math.abs(range - 5000) < 50).length / knownRanges.length).toBeGreaterThan(
      0.95,
    );

    const { body: moveReply } = await server.call(updateDelivery, {
      params: { location: 'unit', uid: body.uid },
      body: { name: 'Deck', pose: { position: [0, 0, 1], heading: 0 }, capturedAt: null },
      token: admin,
    });
    expect((await jobs().waitForCompletion(moveReply.job!)).result).toBe('SUCCESS');
    await expect.poll(readNode).toMatchObject({ range_file: null, range_source: null, panorama_file: panorama.id });
    for (const table of ['node', 'tour', 'code'] as const) await tables.deleteFrom(table).execute();
    await deleteAll(body.uid);
  });

  it('moves the stations and the cloud together when the cloud is rebuilt', async () => {
    const { body } = await importFiles(writeE57([buildSphere('first', true)]));
    await waitForTiles();
    const change = (place: object, token = admin) =>
      server.call(updateDelivery, {
        params: { location: 'unit', uid: body.uid },
        body: { name: ' Deck ', pose: place as never, capturedAt: '2026-06-01T00:00:00.000Z' },
        token,
      });
    const { body: moveReply } = await change({ position: [0, 0, 1000], heading: -90 });
    expect((await jobs().waitForCompletion(moveReply.job!)).result).toBe('SUCCESS');
    const { deliveries, stations } = await fetchContent();
    expect(deliveries[0]).toMatchObject({
      name: 'Deck',
      capturedAt: '2026-06-01T00:00:00.000Z',
      pose: { heading: -90 },
      stations: [{ name: 'first' }],
    });
    expect(deliveries[0]!.extent!.minimum[2]).toBeCloseTo(1025, 1);
    expect(stations[0]!.position.map(Math.round)).toEqual([-20, 10, 1030]);
    expect(stations[0]!.heading).toBe(0);
    expect((await change({ position: [0, 0, 1000], heading: -90 })).body).toEqual({ job: null });
    expect((await change({ position: [0, 0], heading: 0 })).status).toBe(400);

    const station = { location: 'unit', uid: stations[0]!.uid };
    expect(
      (
        await server.call(updateStation, {
          params: station,
          body: { name: 'By the pump', position: [1, 2, 3], heading: 361 - 720 },
          token: admin,
        })
      ).status,
    ).toBe(200);
    expect((await fetchContent()).stations[0]).toMatchObject({ name: 'By the pump', position: [1, 2, 3], heading: 1 });
    expect(
      (
        await server.call(updateStation, {
          params: { ...station, location: 'other' },
          body: { name: 'x', position: [1, 2, 3], heading: 0 },
          token: admin,
        })
      ).status,
    ).toBe(404);
    await deleteAll(body.uid);
    expect((await change({ position: [0, 0, 0], heading: 0 })).status).toBe(404);
  });

  it('[TOUR-05] links each station to the nearest node until an admin chooses another node or none', async () => {
    const { body } = await importFiles(writeE57([buildSphere('first', true)]));
    await waitForTiles();
    const [station] = (await fetchContent()).stations;
    const readLink = async () => {
      const [shown] = (await server.call(openScans, { params: { location: 'unit' }, token: admin })).body.stations;
      const { linkMode, node } = (await fetchContent()).stations.find(({ uid }) => uid === station!.uid)!;
      expect([shown?.node, shown?.linkMode]).toEqual([node?.uid ?? null, linkMode]);
      return node && [node.code, Math.round(node.distanceMetres * 100) / 100];
    };
    // The scanner is at 10, 20, 30. A vertical metre counts as three.
    expect(await readLink()).toBeNull();
    const buildNode = (code: string, x: number, z: number) => buildNodeRow(code, { location: 'unit', x, y: 20, z });
    const { database } = server;
    await insertTourRows(database, {
      tours: [buildTourRow('T1'), buildTourRow('T2', { location: 'other' })],
      nodes: [
        buildNode('FAR', 13.1, 30),
        buildNode('UP', 10, 31.1),
        { ...buildNode('OTHER', 10, 30), tour: tourUid('T2'), location: 'other' },
      ],
    });
    expect(await readLink()).toBeNull();
    await insertTourRows(database, { nodes: [buildNode('NEAR', 12, 30.5), buildNode('NEXT', 12.9, 30)] });
    expect(await readLink()).toEqual(['NEAR', 2.06]);
    expect((await fetchContent()).nodes.map(({ code }) => code).toSorted()).toEqual(['FAR', 'NEAR', 'NEXT', 'UP']);

    const change = (changes: object) =>
      server.call(updateStation, {
        params: { location: 'unit', uid: station!.uid },
        body: { name: 'first', position: [10, 20, 30], heading: 0, ...changes },
        token: admin,
      });
    await change({ linkMode: 'CHOSEN', node: nodeUid('FAR') });
    expect(await readLink()).toEqual(['FAR', 3.1]);
    // Keeps the chosen link if the change does not mention it.
    await change({ position: [10, 20, 40] });
    expect((await readLink())?.[0]).toBe('FAR');
    await change({ linkMode: 'CHOSEN', node: null });
    expect(await readLink()).toBeNull();
    expect((await change({ linkMode: 'CHOSEN', node: nodeUid('OTHER') })).status).toBe(400);
    await change({ linkMode: 'NEAREST', position: [13.08, 20, 30] });
    expect(await readLink()).toEqual(['FAR', 0.02]);
    await deleteAll(body.uid);
  });

  const realScan = 'pointcloud/e57/pumpAVisualReferenceImage.e57';
  itWithSampleData('[TOUR-05] links the station of a real scan to the nearest node', [realScan], async ([file]) => {
    const { body } = await importFiles(readFileSync(file));
    const [station] = (await fetchContent()).stations;
    const [x, y, z] = station!.position;
    const tours = server.database.of<TourTables>(tourSchema);
    const existingTour = await tours.selectFrom('tour').select('uid').where('location', '=', 'unit').executeTakeFirst();
    const tourOfUnit = { location: 'unit', tour: existingTour?.uid ?? tourUid('PUMP') };
    await insertTourRows(server.database, {
      tours: existingTour ? [] : [buildTourRow('PUMP')],
      nodes: [
        buildNodeRow('BESIDE', { ...tourOfUnit, x: x + 1.5, y, z: z + 0.2 }),
        buildNodeRow('BEYOND', { ...tourOfUnit, x: x - 2.5, y, z }),
      ],
    });
    expect((await fetchContent()).stations[0]).toMatchObject({
      linkMode: 'NEAREST',
      node: { code: 'BESIDE', name: 'Node BESIDE' },
    });
    await deleteAll(body.uid);
  });

  it('creates no station twice if the job resumes after it was killed', async () => {
    const { body } = await importFiles(writeE57([buildSphere('first', true), buildSphere('second', true)]), {
      stations: 'false',
    });
    expect((await fetchContent()).stations).toEqual([]);
    const abortController = new AbortController();
    const steps: JobStep[] = [];
    const run: JobRun<ImportCloudPayload> = {
      id: 'again',
      payload: { cloud: body.uid, stations: true },
      cursor: undefined,
      signal: abortController.signal,
      log: pino({ level: 'silent' }),
      progress: async (step) => {
        steps.push(step);
        if ((step.cursor as { readonly stations?: unknown } | undefined)?.stations === 1)
          abortController.abort(new Error('killed'));
      },
    };
    const context = {
      tables: server.database.of<ScanTables>(scanSchema),
      files: files(),
      jobs: jobs(),
      sites: { recordAt: () => Promise.resolve(defaultSiteRecord('UTC')) },
    };
    await expect(runImportCloud(context, run)).rejects.toThrow('killed');
    expect((await fetchContent()).stations.map(({ name }) => name)).toEqual(['first']);
    // An import that an earlier version began: its reports have other keys in the cursor.
    const cursor = { ...(steps.at(-1)!.cursor as object), stations: [{ name: 'first', refusal: null }] };
    expect(await runImportCloud(context, { ...run, signal: new AbortController().signal, cursor })).toMatchObject({
      result: 'SUCCESS',
      message: expect.stringMatching(/^2 of 2 scans became stations\./),
    });
    const { deliveries, stations } = await fetchContent();
    expect(stations.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(deliveries[0]!.stations).toMatchObject(
      stations.map(({ name, uid }) => ({ name, station: uid, skipReason: null })),
    );
    expect(steps.every(({ done, total }, index) => done <= total! && done >= (steps[index - 1]?.done ?? 0))).toBe(true);
    await waitForTiles();
    await deleteAll(body.uid);
  });

  it('[IMP-09] moves stations and cloud only after the job that rebuilds the cloud has succeeded', async () => {
    const { body } = await importFiles(writeE57([buildSphere('first', true)]));
    await waitForTiles();
    const readState = async () => {
      const { deliveries, stations } = await fetchContent();
      const { pose, extent, kind: cloudKind } = deliveries[0]!;
      const { body: scans } = await server.call(openScans, { params: { location: 'unit' }, token: admin });
      const clouds = await server.call(listClouds, { params: { location: 'unit' }, token: admin });
      return { pose, extent, cloudKind, stations, scans, clouds: clouds.body };
    };
    const before = await readState();
    const sites = { recordAt: () => Promise.resolve(defaultSiteRecord('UTC')) };
    const context = { tables: server.database.of<ScanTables>(scanSchema), files: files(), jobs: jobs(), sites };
    const place = { position: [0, 0, 1000], heading: -90 } as const;
    const runAttempt = (cursor: unknown, progress: JobRun<unknown>['progress']) =>
      runImportCloud(context, {
        id: 'placed',
        payload: { cloud: body.uid, stations: false, place: { ...place, position: [...place.position] } },
        cursor,
        signal: new AbortController().signal,
        log: pino({ level: 'silent' }),
        progress,
      });
    let savedCursor: unknown;
    const killedAttempt = runAttempt(undefined, async ({ cursor }) => {
      if (cursor === undefined) return;
      savedCursor = cursor;
      throw new Error('killed');
    });
    await expect(killedAttempt).rejects.toThrow('killed');
    expect(await readState()).toEqual(before);
    // The stations move once, even if the job runs twice.
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await runAttempt(savedCursor, () => Promise.resolve())).toMatchObject({ result: 'SUCCESS' });
    const movedState = await readState();
    expect([movedState.pose, movedState.extent?.minimum[2], movedState.stations[0]?.position.map(Math.round)]).toEqual([
      place,
      expect.closeTo(1025, 1),
      [-20, 10, 1030],
    ]);

    // Nothing changes if the job fails because its files cannot be read.
    const [source] = (
      await server.database
        .of<ScanTables>(scanSchema)
        .selectFrom('cloud')
        .select('source_files')
        .where('uid', '=', body.uid)
        .executeTakeFirstOrThrow()
    ).source_files;
    await files().remove(source!);
    const { body: change } = await server.call(updateDelivery, {
      params: { location: 'unit', uid: body.uid },
      body: { name: 'Trial', pose: { position: [1, 2, 3], heading: 10 }, capturedAt: null },
      token: admin,
    });
    expect((await jobs().waitForCompletion(change.job!)).result).toBe('FAILED');
    expect(await readState()).toEqual(movedState);
    await deleteAll(body.uid);
  });

  it('leaves no tiles of a station that is deleted while its tiles are made', async () => {
    const { body } = await importFiles(writeE57([buildSphere('first', true)]));
    await waitForTiles();
    const [station] = (await fetchContent()).stations;
    let folder = '';
    const run: JobRun<TileStationPayload> = {
      id: 'tiles',
      payload: { station: station!.uid },
      cursor: undefined,
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
      progress: async ({ cursor }) => {
        if (!cursor) return;
        folder = (cursor as { readonly folder: string }).folder;
        await server.call(deleteStation, { params: { location: 'unit', uid: station!.uid }, token: admin });
      },
    };
    expect(
      await runTileStation({ tables: server.database.of<ScanTables>(scanSchema), files: files() }, run),
    ).toMatchObject({
      result: 'FAILED',
    });
    expect([folder === '', await files().find(folder)]).toEqual([false, undefined]);
    await deleteAll(body.uid);
  });

  it('allows only admins to read and change deliveries', async () => {
    const viewer = await server.signIn({ flags: ['scanAccess'] });
    for (const call of [
      server.call(getScanContent, { params: { location: 'unit' }, token: viewer }),
      server.call(deleteStation, { params: { location: 'unit', uid: 'x' }, token: viewer }),
      server.call(getScanContent, {
        params: { location: 'unit' },
        token: await server.signIn({ flags: ['configure'], locations: ['other'] }),
      }),
    ])
      expect((await call).status).toBe(403);
    expect((await importFiles(Buffer.from('no'), { place: 'here' })).status).toBe(400);
    expect((await server.call(deleteStation, { params: { location: 'unit', uid: 'none' }, token: admin })).status).toBe(
      404,
    );
  });
});
