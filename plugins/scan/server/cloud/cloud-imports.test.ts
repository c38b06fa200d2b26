import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Point3 } from '#core';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import { itWithSampleData } from '#core/testing/sample-data';
import { describeOnDatabases, startTestServer, type TestServer, buildZip } from '#core/testing/server';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import { getScanContent } from '../../contract/api/admin.ts';
import { describeHeader, importCloud, deleteCloud } from '../../contract/api/cloud.ts';
import manifest from '../../plugin.ts';
import scan from '../index.ts';
import { writeE57 } from '../../testing/server/write-e57.ts';
import { buildGeoKeyRecords, writeLas, buildWktRecord } from '../../testing/server/write-las.ts';

const box: readonly Point3[] = [
  [0, 0, 0],
  [100, 50, 20],
  [50, 25, 10],
];
const feetRecords = buildGeoKeyRecords({ 1024: 1, 3072: 32_767, 3073: 'Feet grid', 3076: 9002 });
const lasInDegrees = writeLas({
  positions: [
    [-94.68, 31.03, 39],
    [-94.66, 31.04, 78],
  ],
  scale: 1e-7,
  records: buildGeoKeyRecords({ 1024: 2, 2048: 4326, 2049: 'WGS 84' }),
});
const lasInFeet = writeLas({ positions: box, records: feetRecords });

/** Builds a ZIP file of Entwine Point Tiles with two nodes, each on its own page of the hierarchy. */
function buildEptZip(changes: Readonly<Record<string, string | Uint8Array | undefined>> = {}): Buffer {
  const node = writeLas({ positions: box });
  const entries: Record<string, string | Uint8Array | undefined> = {
    'cloud/ept.json': JSON.stringify({
      bounds: [0, 0, 0, 100, 100, 100],
      boundsConforming: [0, 0, 0, 100, 50, 20],
      dataType: 'laszip',
      hierarchyType: 'json',
      points: 6,
      span: 128,
      srs: { authority: 'EPSG', horizontal: '2274', vertical: '5703' },
      version: '1.0.0',
    }),
    'cloud/ept-hierarchy/0-0-0-0.json': JSON.stringify({ '0-0-0-0': 3, '1-0-0-0': -1 }),
    'cloud/ept-hierarchy/1-0-0-0.json': JSON.stringify({ '1-0-0-0': 3 }),
    'cloud/ept-data/0-0-0-0.laz': node,
    'cloud/ept-data/1-0-0-0.laz': node,
    ...changes,
  };
  return buildZip(
    Object.fromEntries(
      Object.entries(entries).flatMap(([name, content]) => (content === undefined ? [] : [[name, content]])),
    ),
  );
}

describeOnDatabases('the import of a cloud', (kind) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { token: false }, scan)],
    });
    await server
      .service(LocationStore)
      .upsert([
        { uid: 'unit', name: 'unit', label: 'unit', parent: null, root: 'unit', locationType: 'PRIMARY_LOCATION' },
      ]);
    admin = await server.signIn({ flags: ['scanAccess', 'configure'] });
  });
  afterAll(() => server.close());

  /** Imports a file and returns the result of its job and its delivery, which it then deletes. */
  async function importFile(content: Uint8Array, name: string, unit?: string) {
    const boundary = 'cloud-boundary';
    const payload = Buffer.concat([
      Buffer.from(
        unit === undefined ? '' : `--${boundary}\r\ncontent-disposition: form-data; name="unit"\r\n\r\n${unit}\r\n`,
      ),
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const response = await server.app.inject({
      method: 'POST',
      url: `${importCloud.path.replace(':location', 'unit')}?name=Trial`,
      headers: { authorization: `Bearer ${admin}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload,
    });
    if (response.statusCode !== 200) return { status: response.statusCode, message: response.body };
    const { uid, job: jobId } = response.json<{ readonly uid: string; readonly job: string }>();
    const job = await server.service(Jobs).waitForCompletion(jobId);
    const { body } = await server.call(getScanContent, { params: { location: 'unit' }, token: admin });
    const delivery = body.deliveries.find((candidate) => candidate.uid === uid);
    await server.call(deleteCloud, { params: { location: 'unit', uid }, token: admin });
    return { status: 200, result: job.result, message: job.message ?? '', delivery };
  }

  const computeWidth = ({ delivery }: Awaited<ReturnType<typeof importFile>>): number =>
    (delivery?.extent?.maximum[0] ?? Number.NaN) - (delivery?.extent?.minimum[0] ?? Number.NaN);

  it('[TOUR-25] converts feet to metres and reports it', async () => {
    const outcome = await importFile(lasInFeet, 'feet.las');
    expect(computeWidth(outcome)).toBeCloseTo(30.48, 3);
    expect(outcome.message).toMatch(/3 of 3 points were read\. Unit: ft \(as the file says\).*Feet grid/);
    expect(outcome.delivery?.files[0]?.content).toMatchObject({
      declared: 3,
      read: 3,
      system: {
        horizontal: { unit: 'ft', basis: 'FILE' },
        vertical: { unit: 'ft', basis: 'ASSUMED' },
        name: 'Feet grid',
      },
    });
    const chosenOutcome = await importFile(lasInFeet, 'feet.las', 'ftUS');
    expect(chosenOutcome.result).toBe('SUCCESS');
    expect(computeWidth(chosenOutcome) / 100).toBeCloseTo(1200 / 3937, 6);
    expect(chosenOutcome.delivery?.files[0]?.content?.system).toMatchObject({
      horizontal: { unit: 'ftUS', basis: 'PERSON' },
      stated: { unit: 'ft' },
    });
    expect((await importFile(lasInFeet, 'feet.las', 'furlong')).status).toBe(400);
  });

  it('[TOUR-25] warns if the unit is assumed to be the metre', async () => {
    const outcome = await importFile(writeLas({ positions: box }), 'silent.las');
    expect([outcome.result, computeWidth(outcome)]).toEqual(['WARNING', 100]);
    expect(outcome.message).toMatch(/Unit: m \(assumed, because the file says nothing\)/);
    expect(outcome.delivery?.files[0]?.content?.system.horizontal).toEqual({ unit: 'm', metres: 1, basis: 'ASSUMED' });
    expect((await importFile(writeLas({ positions: box }), 'silent.las', 'm')).result).toBe('SUCCESS');
  });

  it('[TOUR-25] refuses degrees until the person chooses to convert them', async () => {
    const refusedOutcome = await importFile(lasInDegrees, 'degrees.las');
    expect(refusedOutcome).toMatchObject({ result: 'FAILED', delivery: { state: 'FAILED', extent: null } });
    expect(refusedOutcome.message).toMatch(/are in degrees \(WGS 84\)/);
    const outcome = await importFile(lasInDegrees, 'degrees.las', 'PROJECT');
    expect(computeWidth(outcome) / 1908).toBeCloseTo(1, 1);
    expect(outcome.delivery?.files[0]?.content?.system.projectedTo).toBe('WGS 84 / UTM zone 15N (EPSG:32615)');
  });

  it('[IMP-02] refuses a truncated LAS file, and warns of points that its header does not count', async () => {
    const modern = writeLas({ positions: box, extended: [buildWktRecord('LOCAL_CS["plant",UNIT["metre",1]]')] });
    expect((await importFile(modern, 'modern.las')).delivery?.files[0]?.content?.system.name).toBe('plant');
    for (const [file, step] of [
      [lasInFeet, 41],
      [modern, 47],
    ] as const)
      for (let cut = 1; cut < file.length; cut += step)
        expect((await importFile(file.subarray(0, cut), 'cut.las')).result, `cut at ${cut}`).toBe('FAILED');
    const miscountedOutcome = await importFile(
      writeLas({ positions: box, records: feetRecords, count: 2 }),
      'short.las',
    );
    expect([miscountedOutcome.result, miscountedOutcome.delivery?.files[0]?.content]).toMatchObject([
      'WARNING',
      { declared: 3, read: 2 },
    ]);
  });

  it('[IMP-02] refuses a truncated E57 file', async () => {
    const e57Scan = {
      name: 'one',
      guid: 'one',
      pose: { rotation: [1, 0, 0, 0], translation: [0, 0, 0] },
      positions: Float32Array.from({ length: 3000 }, (_, k) => k % 7),
    } as const;
    const wholeFile = writeE57([e57Scan]);
    expect((await importFile(wholeFile, 'one.e57')).delivery?.files[0]?.content).toMatchObject({
      declared: 1000,
      read: 1000,
    });
    for (let cut = 1; cut < wholeFile.length; cut += 1999)
      expect((await importFile(wholeFile.subarray(0, cut), 'one.e57')).result, `cut at ${cut}`).toBe('FAILED');
    expect((await importFile(wholeFile.subarray(0, -1), 'one.e57')).result).toBe('FAILED');
  });

  it('[TOUR-25] refuses a single node of an EPT tree, and reads the whole folder from a ZIP file', async () => {
    const node = writeLas({ positions: box });
    for (const [content, name] of [
      [node, '0-0-0-0.laz'],
      [node, '3-1-0-2.laz'],
      [writeLas({ positions: box, software: 'Entwine 2.2.0' }), 'renamed.laz'],
      [Buffer.from('{ "bounds": [0, 0, 0, 1, 1, 1], "hierarchyType": "json" }'), 'ept.json'],
    ] as const) {
      const refusedOutcome = await importFile(content, name, 'm');
      expect([refusedOutcome.result, refusedOutcome.message]).toEqual([
        'FAILED',
        expect.stringMatching(/whole folder.*one ZIP file/),
      ]);
    }
    const outcome = await importFile(buildEptZip(), 'cloud.zip');
    expect([outcome.result, outcome.delivery?.files[0]?.content]).toMatchObject([
      'SUCCESS',
      { declared: 6, read: 6, system: { horizontal: { unit: 'ftUS' }, vertical: { unit: 'm' }, epsg: 2274 } },
    ]);
    expect(computeWidth(outcome) / 100).toBeCloseTo(1200 / 3937, 5);
  });

  it('[IMP-02] refuses an incomplete EPT folder', async () => {
    for (const [changes, pattern] of [
      [{ 'cloud/ept-data/1-0-0-0.laz': undefined }, /1 of the 2 nodes.*ept-data\/1-0-0-0\.laz/],
      [{ 'cloud/ept-hierarchy/1-0-0-0.json': undefined }, /readable “ept-hierarchy\/1-0-0-0\.json” is missing/],
      [{ 'cloud/ept-data/1-0-0-0.laz': lasInFeet.subarray(0, 250) }, /./],
      [{ 'cloud/ept-data/1-0-0-0.laz': writeLas({ positions: box.slice(1) }) }, /has 2 points.*states 3/],
      [{ 'cloud/ept.json': '{' }, /“ept\.json” of the ZIP file cannot be read/],
      [{ 'cloud/ept.json': undefined }, /has no “ept\.json”/],
    ] as const) {
      const refusedOutcome = await importFile(buildEptZip(changes), 'cloud.zip', 'm');
      expect([refusedOutcome.result, refusedOutcome.message]).toEqual(['FAILED', expect.stringMatching(pattern)]);
    }
    expect((await importFile(buildEptZip().subarray(0, 700), 'cloud.zip')).message).toMatch(
      /ZIP file cannot be opened/,
    );
  });

  it('[TOUR-25] describes a file from its first bytes before the import', async () => {
    const describeFile = async (file: Buffer, bytes = file.length, name = 'scan.las') =>
      (
        await server.call(describeHeader, {
          params: { location: 'unit' },
          body: { name, bytes, head: file.toString('base64') },
          token: admin,
        })
      ).body.header;
    expect(await describeFile(lasInFeet.subarray(0, lasInFeet.length - 30), lasInFeet.length)).toMatchObject({
      points: 3,
      horizontal: { unit: 'ft' },
      name: 'Feet grid',
      unmeasurable: null,
    });
    expect(await describeFile(lasInDegrees)).toMatchObject({ horizontal: { unit: 'deg' }, unmeasurable: 'DEGREES' });
    expect(await describeFile(writeLas({ positions: box }))).toMatchObject({ horizontal: null, vertical: null });
    expect([
      (await describeFile(lasInFeet))?.part,
      (await describeFile(lasInFeet, lasInFeet.length, '0-0-0-0.laz'))?.part,
    ]).toEqual([false, true]);
    expect(await describeFile(lasInFeet, 8 * 1024 ** 3)).toMatchObject({ name: 'Feet grid' });
    expect(await describeFile(Buffer.from('no scan'))).toBeNull();
    expect(await describeFile(lasInFeet.subarray(0, 260), lasInFeet.length)).toBeNull();
  });

  itWithSampleData(
    '[IMP-02] refuses truncated COPC and E57 files',
    ['pointcloud/copc/ellipsoid.copc.laz', 'pointcloud/e57-rust/tiny_pc_and_images.e57'],
    async (samples) => {
      for (const sample of samples) {
        const wholeFile = await readFile(sample);
        for (const fraction of [0.01, 0.5, 0.9, 0.999])
          expect(
            (await importFile(wholeFile.subarray(0, Math.floor(wholeFile.length * fraction)), 'cut', 'm')).result,
          ).toBe('FAILED');
        expect((await importFile(wholeFile.subarray(0, wholeFile.length - 1), 'cut', 'm')).result).toBe('FAILED');
      }
    },
  );
});
