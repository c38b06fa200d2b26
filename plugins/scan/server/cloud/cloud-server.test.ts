import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultSiteRecord, type DemoLocation, type DemoPlant } from '#core';
import type { ScanDemo } from '#plugins/scan';
import { enabledPlugin, FileStore, Jobs, LocationStore, type JobRun, type JobStep } from '#core/server';
import { itWithSampleData } from '#core/testing/sample-data';
import { describeOnDatabases, startTestServer, withOverride, type TestServer } from '#core/testing/server';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import { importCloud, listClouds, deleteCloud } from '../../contract/api/cloud.ts';
import type { CloudTileset } from '../../contract/api/cloud-tileset.ts';
import manifest from '../../plugin.ts';
import scan from '../index.ts';
import { scanSchema, type ScanTables } from '../tables.ts';
import { runImportCloud, type ImportCloudPayload } from './jobs/import-cloud.ts';

/** Builds a LAS 1.2 file of coloured points on a plane of 10 x 10 m. */
function buildLasFile(count: number): Buffer {
  const bytes = Buffer.alloc(227 + count * 26);
  bytes.write('LASF', 0, 'latin1');
  bytes.set([1, 2], 24);
  bytes.writeUInt16LE(227, 94);
  bytes.writeUInt32LE(227, 96);
  bytes[104] = 2;
  bytes.writeUInt16LE(26, 105);
  bytes.writeUInt32LE(count, 107);
  for (let axis = 0; axis < 3; axis++) bytes.writeDoubleLE(0.001, 131 + 8 * axis);
  for (let k = 0; k < count; k++) {
    const offset = 227 + 26 * k;
    bytes.writeInt32LE((k * 7919) % 10_000, offset);
    bytes.writeInt32LE((k * 104_729) % 10_000, offset + 4);
    bytes.writeInt32LE(5000, offset + 8);
    bytes.writeUInt16LE(k % 1000, offset + 12);
    bytes.writeUInt16LE(40_000, offset + 20);
  }
  return bytes;
}

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
  location('deck', 'unit', 'LOC_LEVEL'),
  location('other', 'site', 'PLATFORM_UNIT'),
];

describeOnDatabases('point clouds', (kind) => {
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

  const sites = { recordAt: () => Promise.resolve(defaultSiteRecord('UTC')) };
  const jobs = () => server.service(Jobs);
  const files = () => server.service(FileStore);

  /** Imports a file in metres and returns the finished job. */
  async function importFile(content: Buffer, name = 'scan.las', token = admin) {
    const boundary = 'cloud-boundary';
    const payload = Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="unit"\r\n\r\nm\r\n`),
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ` +
          `application/octet-stream\r\n\r\n`,
      ),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const url = `${importCloud.path.replace(':location', 'unit')}?name=Trial&capturedAt=2026-06-09T10:00:00.000Z`;
    const response = await server.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload,
    });
    const body = response.json<{ readonly uid: string; readonly job: string }>();
    return {
      status: response.statusCode,
      body,
      job: response.statusCode === 200 ? await jobs().waitForCompletion(body.job) : undefined,
    };
  }

  const fetchClouds = async (uid = 'unit', token = admin) =>
    (await server.call(listClouds, { params: { location: uid }, token })).body;

  it('makes tiles that callers with access to the location can fetch', async () => {
    const { status, body, job } = await importFile(buildLasFile(50_000));
    expect([status, job?.result]).toEqual([200, 'SUCCESS']);
    const [cloud] = await fetchClouds('deck');
    expect(cloud).toMatchObject({
      uid: body.uid,
      name: 'Trial',
      location: 'unit',
      kind: 'TILES',
      capturedAt: '2026-06-09T10:00:00.000Z',
      extent: { points: 50_000, colored: true, withIntensity: true },
    });
    expect(cloud!.extent!.maximum[2]).toBeCloseTo(5);
    const response = await server.app.inject({
      url: `${cloud!.address}/tileset.json`,
      headers: { authorization: `Bearer ${admin}` },
    });
    const tileset = response.json<CloudTileset>();
    expect([tileset.asset.version, tileset.extras.points]).toEqual(['1.1', 50_000]);
    const tile = await server.app.inject({
      url: `${cloud!.address}/${tileset.root.content.uri}`,
      headers: { authorization: `Bearer ${admin}` },
    });
    expect([tile.statusCode, tile.headers['content-type'], tile.rawPayload.toString('latin1', 0, 4)]).toEqual([
      200,
      'model/gltf-binary',
      'glTF',
    ]);
    const otherToken = await server.signIn({ locations: ['other'] });
    expect(
      (
        await server.app.inject({
          url: `${cloud!.address}/tileset.json`,
          headers: { authorization: `Bearer ${otherToken}` },
        })
      ).statusCode,
    ).toBe(403);
    expect(
      readdirSync(tmpdir()).filter((name) => name.startsWith('walkdown-cloud-') && name.endsWith(body.job)),
    ).toEqual([]);
    expect((await server.call(deleteCloud, { params: { location: 'unit', uid: body.uid }, token: admin })).status).toBe(
      200,
    );
    expect(await fetchClouds()).toEqual([]);
    expect(
      (
        await server.app.inject({
          url: `${cloud!.address}/tileset.json`,
          headers: { authorization: `Bearer ${admin}` },
        })
      ).statusCode,
    ).toBe(404);
  });

  it('refuses an unreadable file with a message', async () => {
    for (const [content, pattern] of [
      [Buffer.from('this is a letter and no scan'), /no readable points/],
      [buildLasFile(1000).subarray(0, 9000), /incomplete/],
      [buildLasFile(0), /no points/],
    ] as const) {
      const { body, job } = await importFile(content);
      expect(job?.result).toBe('FAILED');
      expect(job?.message).toMatch(pattern);
      expect((await fetchClouds())[0]).toMatchObject({ address: null, extent: null });
      await server.call(deleteCloud, { params: { location: 'unit', uid: body.uid }, token: admin });
    }
  });

  it('allows only admins to import', async () => {
    const viewer = await server.signIn({ flags: ['scanAccess'] });
    expect((await importFile(buildLasFile(10), 'scan.las', viewer)).status).toBe(403);
    expect(
      (
        await server.call(listClouds, {
          params: { location: 'unit' },
          token: await server.signIn({ flags: ['vrAccess'] }),
        })
      ).status,
    ).toBe(403);
  });

  itWithSampleData('stores COPC files unchanged', ['pointcloud/copc/ellipsoid.copc.laz'], async ([copc]) => {
    const content = await readFile(copc);
    const { body, job } = await importFile(content, 'site.copc.laz');
    expect(job?.result).toBe('SUCCESS');
    const cloud = (await fetchClouds()).find(({ uid }) => uid === body.uid)!;
    expect(cloud).toMatchObject({
      kind: 'COPC',
      extent: { points: 100_000, minimum: [-8242746, 4966506, -50], maximum: [-8242446, 4966706, 50] },
    });
    const part = await server.app.inject({
      url: cloud.address!,
      headers: { authorization: `Bearer ${admin}`, range: 'bytes=0-588' },
    });
    expect([part.statusCode, part.rawPayload.equals(content.subarray(0, 589))]).toEqual([206, true]);
    await server.call(deleteCloud, { params: { location: 'unit', uid: body.uid }, token: admin });
  });

  it('imports a cloud once if the job is killed between storing the tiles and updating the row', async () => {
    const { body } = await importFile(buildLasFile(20_000));
    const tables = server.database.of<ScanTables>(scanSchema);
    const { data_file: before } = await tables
      .selectFrom('cloud')
      .select('data_file')
      .where('uid', '=', body.uid)
      .executeTakeFirstOrThrow();
    const steps: JobStep[] = [];
    const run: JobRun<ImportCloudPayload> = {
      id: 'again',
      payload: { cloud: body.uid, stations: true },
      cursor: undefined,
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
      progress: async (step) => void steps.push(step),
    };
    const context = { tables: server.database.of<ScanTables>(scanSchema), files: files(), jobs: jobs(), sites };
    expect(await runImportCloud(context, run)).toMatchObject({ result: 'SUCCESS' });
    const { cursor } = steps.at(-1)!;
    const file = (cursor as { readonly file: string }).file;
    expect(file).not.toBe(before);
    expect(await files().find(before!)).toBeUndefined();
    steps.length = 0;
    expect(await runImportCloud(context, { ...run, cursor })).toMatchObject({ result: 'SUCCESS' });
    expect(steps).toEqual([]);
    expect(
      await tables.selectFrom('cloud').select('data_file').where('uid', '=', body.uid).executeTakeFirstOrThrow(),
    ).toEqual({ data_file: file });
    expect(await files().find(file)).toBeDefined();
    await server.call(deleteCloud, { params: { location: 'unit', uid: body.uid }, token: admin });
    expect(await runImportCloud(context, { ...run, cursor })).toMatchObject({ result: 'FAILED' });
  });

  it('deletes the previous tiles if the job is killed between updating the row and deleting them', async () => {
    const { body } = await importFile(buildLasFile(20_000));
    const findDataFile = async () =>
      (
        await server.database
          .of<ScanTables>(scanSchema)
          .selectFrom('cloud')
          .select('data_file')
          .where('uid', '=', body.uid)
          .executeTakeFirstOrThrow()
      ).data_file!;
    const previousFile = await findDataFile();
    const steps: JobStep[] = [];
    const run: JobRun<ImportCloudPayload> = {
      id: 'again',
      payload: { cloud: body.uid, stations: true },
      cursor: undefined,
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
      progress: async (step) => void steps.push(step),
    };
    const context = { tables: server.database.of<ScanTables>(scanSchema), files: files(), jobs: jobs(), sites };
    const failingFiles = withOverride(files(), 'remove', () => Promise.reject(new Error('killed')));
    await expect(runImportCloud({ ...context, files: failingFiles }, run)).rejects.toThrow('killed');
    expect([await findDataFile(), (await files().find(previousFile))?.id]).toEqual([
      expect.not.stringMatching(previousFile),
      previousFile,
    ]);
    expect(await runImportCloud(context, { ...run, cursor: steps.at(-1)!.cursor })).toMatchObject({
      result: 'SUCCESS',
    });
    expect([await files().find(previousFile), (await files().find(await findDataFile()))?.id]).toEqual([
      undefined,
      await findDataFile(),
    ]);
    await server.call(deleteCloud, { params: { location: 'unit', uid: body.uid }, token: admin });
  });

  it('leaves no tiles if the cloud is deleted before the job resumes', async () => {
    const { id } = await files().putFolder(
      { name: 'tiles', mediaType: 'application/octet-stream', audience: { kind: 'location', location: 'unit' } },
      [{ path: 'tileset.json', content: Buffer.from('{}') }],
    );
    const run: JobRun<ImportCloudPayload> = {
      id: 'again',
      payload: { cloud: 'gone', stations: true },
      cursor: { kind: 'TILES', file: id, contents: [] },
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
      progress: () => Promise.resolve(),
    };
    const context = { tables: server.database.of<ScanTables>(scanSchema), files: files(), jobs: jobs(), sites };
    expect(await runImportCloud(context, run)).toMatchObject({ result: 'FAILED' });
    expect(await files().find(id)).toBeUndefined();
  });

  it('seeds the demo clouds once', async () => {
    const points = async function* () {
      yield {
        count: 2,
        positions: Float64Array.of(0, 0, 0, 1, 1, 1),
        colors: new Uint16Array(6),
        intensities: Float32Array.of(0, 1),
      };
    };
    const plant: DemoPlant & ScanDemo = {
      name: 'Plant',
      locations,
      loginBackgrounds: [],
      clouds: [{ code: 'D', name: 'Demo', location: 'unit', capturedAt: '2026-06-09T10:00:00.000Z', points }],
    };
    await server.server.seed(plant);
    const before = await fetchClouds();
    expect(before).toMatchObject([{ name: 'Demo', extent: { points: 2 } }]);
    await server.server.seed(plant);
    expect(await fetchClouds()).toEqual(before);
  });
});
