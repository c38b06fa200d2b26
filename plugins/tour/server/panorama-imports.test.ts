import fs from 'node:fs';
import path from 'node:path';
import type { Kysely, TransactionBuilder } from 'kysely';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, dayAt, defaultSiteRecord, noonAt, startOfDay, type LocationRow } from '#core';
import {
  enabledPlugin,
  FileStore,
  Jobs,
  LocationStore,
  SiteStore,
  type Caller,
  type JobRun,
  type ReceivedUpload,
} from '#core/server';
import { itWithSampleData } from '#core/testing/sample-data';
import { describeOnDatabases, startTestServer, withLostCommits, type TestServer } from '#core/testing/server';
import { DatabaseUnavailableError } from '../../../core/server/kernel/database-error.ts';
import type { StoredFiles } from '../../../core/server/files/stored-files.ts';
import { buildPicture } from '../testing/build-picture.ts';
import { importPanoramas, listPanoramas, locatePanoramas, deletePanorama } from '../contract/api/admin.ts';
import { findSurface, openTour } from '../contract/api.ts';
import manifest from '../plugin.ts';
import { tourSchema, type TourTables } from './tables.ts';
import tour from './index.ts';
import { touchTours } from './queries/touch-tours.ts';
import { createCaptureDayConverter } from './queries/capture-day.ts';
import { runImportPanorama } from './jobs/import-panorama.ts';
import { removeNodePanorama } from './handlers/panoramas-at.ts';
import { publishPanorama } from './jobs/publish-panorama.ts';
import { restoreEarlierPanorama } from './commands/restore-earlier-panorama.ts';
import { receivePanoramas, type ImportContext } from './commands/receive-panoramas.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const createPicture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 1024, height: 512, channels: 3, background } })
    .jpeg()
    .toBuffer();
const toUid = (code: string): string => `node-${code}`;
const toNoon = (day: string): string => `${day}T12:00:00.000Z`;

describeOnDatabases('imported panoramas', (kind) => {
  let server: TestServer;
  let admin: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, tour)] });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('lower', 'unit', 'LOC_LEVEL'),
        buildLocation('upper', 'unit', 'LOC_LEVEL'),
      ]);
    admin = await server.signIn({ flags: ['import'] });
    await tables()
      .insertInto('tour')
      .values({ uid: 'tour-T1', site: 'site', code: 'T1', name: 'Tour', location: 'unit', start_node: toUid('N1') })
      .execute();
  });
  afterAll(() => server.close());

  const tables = () => server.database.of<TourTables>(tourSchema);
  const files = () => server.service(FileStore);
  const putFile = async (name: string, mediaType: string, content: Buffer): Promise<string> =>
    (await files().put({ name, mediaType, audience: { kind: 'location', location: 'lower' } }, content)).id;

  /** Creates a node whose panorama of 1 March has ranges of four metres in all directions. */
  async function setup(
    code: string,
    location = 'lower',
  ): Promise<{ readonly panorama: string; readonly range: string }> {
    const panorama = await putFile('first.jpg', 'image/jpeg', await createPicture('red'));
    const range = await putFile(
      'first.webp',
      'image/webp',
      await sharp({
        create: { width: 1024, height: 512, channels: 3, background: { r: 4000 >> 8, g: 4000 & 255, b: 0 } },
      })
        .webp({ lossless: true })
        .toBuffer(),
    );
    const tiles = await files().putFolder(
      { name: 'tiles', mediaType: 'application/octet-stream', audience: { kind: 'location', location } },
      [{ path: 'preview.jpg', content: new Uint8Array([1]) }],
    );
    await tables()
      .insertInto('node')
      .values({
        uid: toUid(code),
        site: 'site',
        code,
        tour: 'tour-T1',
        position: 0,
        name: `Viewpoint ${code}`,
        deck: null,
        location,
        x: 0,
        y: 0,
        z: 2,
        heading: 30,
        view_pan: 10,
        view_tilt: -5,
        captured_at: toNoon('2026-03-01'),
        panorama_file: panorama,
        range_file: range,
        thumbnail_file: null,
        pyramid_file: tiles.id,
        pyramid: JSON.stringify({ tileSize: 512, levels: [], mesh: false }),
      })
      .execute();
    await touchTours(tables(), 'uid', 'tour-T1');
    return { panorama, range };
  }

  async function upload(
    pictures: readonly (readonly [name: string, content: Buffer])[],
    query: Record<string, string>,
    token = admin,
  ) {
    const form = new FormData();
    for (const [name, content] of pictures) form.append('file', new Blob([new Uint8Array(content)]), name);
    const url = `${await server.url()}${importPanoramas.path.replace(':location', 'unit')}?${new URLSearchParams(query)}`;
    const response = await fetch(url, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
    const body = (await response.json()) as {
      readonly jobs: string[];
      readonly unchanged: string[];
      readonly message?: string;
    };
    const jobs = server.service(Jobs);
    const outcomes =
      response.status === 200 ? await Promise.all(body.jobs.map((job) => jobs.waitForCompletion(job))) : [];
    return {
      status: response.status,
      message: body.message,
      unchanged: body.unchanged,
      results: outcomes.map(({ result, message }) => [result, message]),
    };
  }
  const success = ['SUCCESS', null];
  const findNode = async (code: string) =>
    (await server.call(openTour, { params: { location: 'unit' }, query: {}, token: admin })).body.nodes.find(
      (node) => node.code === code,
    )!;
  /** Lists the day of the current panorama and the days of the earlier ones. */
  const listDays = async (code: string): Promise<readonly string[]> => {
    const { day, captures } = await findNode(code);
    return [day, ...captures.map((capture) => capture.day)];
  };
  const findPanoramas = async (code: string) =>
    (await server.call(listPanoramas, { params: { location: 'unit' }, token: admin })).body.find(
      (node) => node.code === code,
    )!;

  it('keeps the former panorama as an earlier one, with its heading and ranges, when a newer one is imported', async () => {
    await setup('N1');
    const before = await findNode('N1');
    expect(
      (await upload([['n1.JPG', await createPicture('green')]], { capturedAt: toNoon('2026-06-01'), heading: '200' }))
        .results,
    ).toEqual([success]);
    const after = await findNode('N1');
    expect(await listDays('N1')).toEqual(['2026-06-01', '2026-03-01']);
    expect([after.heading, after.picture?.levels.length, after.view]).toEqual([200, 1, before.view]);
    expect(after.captures).toEqual([
      { capturedAt: before.capturedAt, day: '2026-03-01', heading: 30, picture: before.picture },
    ]);
    expect(
      (await server.app.inject({ url: after.thumbnail!, headers: { authorization: `Bearer ${admin}` } })).headers[
        'content-type'
      ],
    ).toBe('image/jpeg');
    // The new panorama has no ranges, so the ranges and the heading of the former panorama are used.
    const surface = await server.call(findSurface, {
      params: { location: 'unit', node: toUid('N1') },
      query: { pan: 90, tilt: 0 },
      token: admin,
    });
    expect(surface.body.point?.map((value) => Math.round(value * 1000) / 1000)).toEqual([4, 0, 2]);
  });

  it('stores an older panorama as an earlier one and keeps the current one', async () => {
    await setup('N2');
    const before = await findNode('N2');
    expect(
      (await upload([['N2.jpg', await createPicture('blue')]], { capturedAt: toNoon('2024-05-01') })).results,
    ).toEqual([success]);
    const after = await findNode('N2');
    expect([after.picture, after.thumbnail, await listDays('N2')]).toEqual([
      before.picture,
      before.thumbnail,
      ['2026-03-01', '2024-05-01'],
    ]);
  });

  it('replaces the panorama of the same day, current or earlier, and deletes its files', async () => {
    const { panorama, range } = await setup('N3');
    await upload([['N3.jpg', await createPicture('blue')]], { capturedAt: toNoon('2024-05-01') });
    const formerTiles = (await findNode('N3')).captures[0]!.picture.id;
    expect(
      (await upload([['N3.jpg', await createPicture('white')]], { capturedAt: '2026-03-01T15:00:00.000Z' })).results,
    ).toEqual([success]);
    expect(
      (await upload([['N3.jpg', await createPicture('black')]], { capturedAt: toNoon('2024-05-01') })).results,
    ).toEqual([success]);
    expect(await listDays('N3')).toEqual(['2026-03-01', '2024-05-01']);
    expect([await files().find(panorama), await files().find(formerTiles)]).toEqual([undefined, undefined]);
    // The new panorama has the same position, heading and day, so the ranges stay valid.
    expect([(await files().find(range))?.id, (await findNode('N3')).picture?.mesh]).toEqual([range, true]);
  });

  it('ignores a second upload of the same picture', async () => {
    await setup('N4');
    const form: [string, Buffer][] = [['N4.jpg', await createPicture('green')]];
    await upload(form, { capturedAt: toNoon('2026-06-01') });
    await upload([['N4.jpg', await createPicture('blue')]], { capturedAt: toNoon('2025-06-01') });
    const before = await findNode('N4');
    expect(await upload(form, { capturedAt: toNoon('2026-06-01') })).toMatchObject({ results: [], unchanged: ['N4'] });
    expect(await upload([['N4.jpg', await createPicture('blue')]], { capturedAt: toNoon('2025-06-01') })).toMatchObject(
      {
        results: [],
        unchanged: ['N4'],
      },
    );
    expect(await findNode('N4')).toEqual(before);
  });

  it('assigns a file to the node with its name, or to the node in the request', async () => {
    await setup('N5');
    await setup('N6', 'upper');
    const [green, blue] = await Promise.all([createPicture('green'), createPicture('blue')]);
    expect(
      (
        await upload(
          [
            ['n5.jpg', green],
            ['N6.jpg', blue],
          ],
          { capturedAt: toNoon('2026-06-01') },
        )
      ).results,
    ).toEqual([success, success]);
    expect(
      (await upload([['IMG_0001.jpg', blue]], { capturedAt: toNoon('2026-07-01'), node: toUid('N5') })).results,
    ).toEqual([success]);
    await setup('pano-0012');
    await setup('deck-1');
    await setup('deck--1');
    const byFile = (name: string) => upload([[name, green]], { capturedAt: toNoon('2026-06-01') });
    expect((await byFile('pano_0012.JPG')).results).toEqual([success]);
    expect((await byFile('deck_1.jpg')).status).toBe(400);
    expect([await listDays('N5'), await listDays('N6')]).toEqual([
      ['2026-07-01', '2026-06-01', '2026-03-01'],
      ['2026-06-01', '2026-03-01'],
    ]);
  });

  it('rejects the whole upload if a file is not a panorama, matches no node or has a future date', async () => {
    await setup('N7');
    const [good, narrow] = await Promise.all([
      createPicture('green'),
      sharp({ create: { width: 1024, height: 768, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer(),
    ]);
    const future = new Date(Date.now() + 3 * 86_400_000).toISOString();
    for (const [pictures, query, message] of [
      [
        [
          ['N7.jpg', good],
          ['N2.jpg', narrow],
        ],
        {},
        /^“N2\.jpg”: .*1024 x 768/,
      ],
      [
        [
          ['N7.jpg', good],
          ['N99.jpg', good],
        ],
        {},
        /N99\.jpg/,
      ],
      [
        [
          ['N7.jpg', good],
          ['n7.png', good],
        ],
        {},
        /the same viewpoint/,
      ],
      [[['N7.jpg', good]], { capturedAt: future }, /future/],
      [
        [
          ['a.jpg', good],
          ['b.jpg', good],
        ],
        { node: toUid('N7') },
        /one panorama/,
      ],
    ] as const) {
      const response = await upload(pictures, { capturedAt: toNoon('2026-06-01'), ...query });
      expect([response.status, response.message]).toEqual([400, expect.stringMatching(message)]);
    }
    expect([await listDays('N7'), (await findPanoramas('N7')).incoming]).toEqual([['2026-03-01'], []]);
    const lower = await server.signIn({ flags: ['import'], locations: ['lower'] });
    expect((await upload([['N7.jpg', good]], { capturedAt: toNoon('2026-06-01') }, lower)).status).toBe(403);
    expect(
      (
        await upload(
          [['N7.jpg', good]],
          { capturedAt: toNoon('2026-06-01') },
          await server.signIn({ flags: ['configure'] }),
        )
      ).status,
    ).toBe(403);
  });

  it('reports a truncated file as damaged and accepts it when uploaded again', async () => {
    await setup('N8');
    const noise = await sharp(Buffer.from(Array.from({ length: 1024 * 512 * 3 }, (_, index) => (index * 7919) % 251)), {
      raw: { width: 1024, height: 512, channels: 3 },
    })
      .jpeg()
      .toBuffer();
    expect(
      (await upload([['N8.jpg', noise.subarray(0, noise.length / 2)]], { capturedAt: toNoon('2026-06-01') })).results,
    ).toEqual([['FAILED', expect.stringContaining('damaged')]]);
    expect((await findPanoramas('N8')).incoming).toMatchObject([
      { job: null, message: expect.stringContaining('damaged'), refusal: { message: 'core.refused.pictureDamaged' } },
    ]);
    expect(await listDays('N8')).toEqual(['2026-03-01']);
    expect((await upload([['N8.jpg', noise]], { capturedAt: toNoon('2026-06-01') })).results).toEqual([success]);
    expect([await listDays('N8'), (await findPanoramas('N8')).incoming]).toEqual([['2026-06-01', '2026-03-01'], []]);
  });

  it('deletes the current panorama if an earlier one can replace it', async () => {
    const { panorama, range } = await setup('N31');
    const before = await findNode('N31');
    expect((await findPanoramas('N31')).uid).toBeNull();
    await upload([['N31.jpg', await createPicture('green')]], { capturedAt: toNoon('2026-06-01'), heading: '200' });
    const updatedNode = await findNode('N31');
    const { uid } = await findPanoramas('N31');
    expect(
      (
        await server.call(deletePanorama, {
          params: { location: 'unit', node: toUid('N31'), uid: uid! },
          token: admin,
        })
      ).status,
    ).toBe(200);
    const after = await findNode('N31');
    expect([after.picture, after.heading, after.capturedAt, after.captures]).toEqual([
      before.picture,
      before.heading,
      before.capturedAt,
      [],
    ]);
    expect(
      (await server.app.inject({ url: after.thumbnail!, headers: { authorization: `Bearer ${admin}` } })).headers[
        'content-type'
      ],
    ).toBe('image/jpeg');
    expect([
      (await files().find(panorama))?.id,
      (await files().find(range))?.id,
      await files().find(updatedNode.picture!.id),
      await files().find(uid!),
    ]).toEqual([panorama, range, undefined, undefined]);
    // Deleting it again is no error. The current panorama is then the only one and cannot be deleted.
    expect(
      (
        await server.call(deletePanorama, {
          params: { location: 'unit', node: toUid('N31'), uid: uid! },
          token: admin,
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await server.call(deletePanorama, {
          params: { location: 'unit', node: toUid('N31'), uid: panorama },
          token: admin,
        })
      ).status,
    ).toBe(409);
    expect(await listDays('N31')).toEqual(['2026-03-01']);
  });

  it('deletes an earlier panorama with its files', async () => {
    const { panorama, range } = await setup('N9');
    await upload([['N9.jpg', await createPicture('green')]], { capturedAt: toNoon('2026-06-01') });
    const [earlier] = (await findPanoramas('N9')).earlier;
    for (let times = 0; times < 2; times++)
      expect(
        (
          await server.call(deletePanorama, {
            params: { location: 'unit', node: toUid('N9'), uid: earlier!.uid },
            token: admin,
          })
        ).status,
      ).toBe(200);
    expect([await listDays('N9'), await files().find(panorama), await files().find(range)]).toEqual([
      ['2026-06-01'],
      undefined,
      undefined,
    ]);
    const upper = await server.signIn({ flags: ['import'], locations: ['upper'] });
    expect(
      (
        await server.call(deletePanorama, {
          params: { location: 'upper', node: toUid('N9'), uid: 'any' },
          token: upper,
        })
      ).status,
    ).toBe(404);
  });

  const createContext = (database = tables()) =>
    ({
      tables: database,
      files: files(),
      jobs: server.service(Jobs),
      locations: server.service(LocationStore),
      sites: server.service(SiteStore),
    }) as ImportContext;
  const caller: Caller = {
    uid: 'someone',
    username: 'someone@walkdown.example',
    userType: 'TENANT_ADMIN',
    isAdmin: true,
    access: { flags: ['import'], locations: 'ALL', deactivatedRoles: [] },
    session: 's',
  };

  it('keeps the file of a panorama that is published while another of the same day is uploaded', async () => {
    await setup('N11');
    const first = await putFile('N11.jpg', 'image/jpeg', await createPicture('green'));
    await tables()
      .insertInto('incoming')
      .values({
        uid: 'first',
        node: toUid('N11'),
        captured_at: toNoon('2026-06-01'),
        heading: 30,
        panorama_file: first,
        job: 'ended',
        message: null,
        refusal: null,
      })
      .execute();
    const folder = (
      await files().putFolder(
        { name: 'tiles', mediaType: 'application/octet-stream', audience: { kind: 'location', location: 'lower' } },
        [{ path: 'preview.jpg', content: new Uint8Array([1]) }],
      )
    ).id;
    const thumbnail = await putFile('small.jpg', 'image/jpeg', await createPicture('green'));
    const tiles = { folder, ranges: null, pyramid: { tileSize: 512, levels: [], mesh: false }, thumbnail };
    const toCaptureDay = await createCaptureDayConverter(createContext(), 'lower');
    const publishFirst = () => publishPanorama(createContext(), 'first', tiles, toCaptureDay);
    const publishBefore = (transaction: () => TransactionBuilder<TourTables>) => () => ({
      execute: async (work: never) => (expect(await publishFirst()).toBe(true), transaction().execute(work)),
    });
    const delayedTables = new Proxy(tables(), {
      get(target, name: keyof Kysely<TourTables>) {
        if (name === 'transaction') return publishBefore(() => target.transaction());
        const value: unknown = target[name];
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const file = path.join(server.config.dataFolder, 'damaged.jpg');
    const complete = await createPicture('blue');
    fs.writeFileSync(file, complete.subarray(0, complete.length - 600));
    const receivedUpload: ReceivedUpload = {
      files: [
        {
          field: 'file',
          name: 'N11.jpg',
          mediaType: 'image/jpeg',
          bytes: complete.length - 600,
          path: file,
          stream: () => fs.createReadStream(file),
        },
      ],
      fields: {},
    };
    const { jobs } = await receivePanoramas(
      createContext(delayedTables),
      caller,
      'unit',
      { capturedAt: toNoon('2026-06-01') },
      receivedUpload,
    );
    expect((await createContext().jobs.waitForCompletion(jobs[0]!)).result).toBe('FAILED');
    expect([await listDays('N11'), (await files().find(first))?.id]).toEqual([['2026-06-01', '2026-03-01'], first]);
  });

  it('keeps the stored files if the connection is lost during the commit', async () => {
    const { panorama } = await setup('N20');
    const contextWithLostCommits = createContext(withLostCommits(tables()));
    const sweep = () => (files() as StoredFiles).cleanUp(true);
    const file = path.join(server.config.dataFolder, 'N20.jpg');
    const content = await createPicture('green');
    fs.writeFileSync(file, content);
    const receivedUpload: ReceivedUpload = {
      files: [
        {
          field: 'file',
          name: 'N20.jpg',
          mediaType: 'image/jpeg',
          bytes: content.length,
          path: file,
          stream: () => fs.createReadStream(file),
        },
      ],
      fields: {},
    };
    const fields = { capturedAt: toNoon('2026-06-01') };
    await expect(receivePanoramas(contextWithLostCommits, caller, 'unit', fields, receivedUpload)).rejects.toThrow(
      DatabaseUnavailableError,
    );
    await expect.poll(() => listDays('N20')).toEqual(['2026-06-01', '2026-03-01']);
    await sweep();
    const [currentNode] = await tables().selectFrom('node').select('panorama_file').where('code', '=', 'N20').execute();
    expect(await files().find(currentNode!.panorama_file!)).toBeDefined();

    await expect(
      restoreEarlierPanorama(contextWithLostCommits, toUid('N20'), currentNode!.panorama_file!),
    ).rejects.toThrow(DatabaseUnavailableError);
    await sweep();
    const [earlier] = await tables()
      .selectFrom('node')
      .select(['panorama_file', 'thumbnail_file'])
      .where('code', '=', 'N20')
      .execute();
    expect(earlier?.panorama_file).toBe(panorama);
    expect(await files().find(earlier?.thumbnail_file ?? '')).toBeDefined();
  });

  /** Runs the import of a panorama of the node `code`. `afterTiles` is called after the tiles are created. */
  async function runImport(code: string, uid: string, afterTiles: (folder: string) => Promise<unknown>) {
    await setup(code);
    await tables()
      .insertInto('incoming')
      .values({
        uid,
        node: toUid(code),
        captured_at: toNoon('2026-06-01'),
        heading: 30,
        panorama_file: await putFile(`${code}.jpg`, 'image/jpeg', await createPicture('green')),
        job: 'under way',
        message: null,
        refusal: null,
      })
      .execute();
    return runImportPanorama(createContext(), {
      id: 'under way',
      payload: { incoming: uid },
      cursor: undefined,
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
      progress: async ({ cursor }) => {
        if (cursor !== undefined) await afterTiles((cursor as { readonly folder: string }).folder);
      },
    });
  }

  it('deletes all files of a panorama that is deleted while its job runs', async () => {
    let folder = '';
    const { result } = await runImport('N12', 'gone', (tiles) => {
      folder = tiles;
      return removeNodePanorama(createContext(), caller, 'unit', toUid('N12'), 'gone');
    });
    expect(result).toBe('WARNING');
    expect([folder.length > 0, await files().find(folder), await listDays('N12')]).toEqual([
      true,
      undefined,
      ['2026-03-01'],
    ]);
  });

  it('publishes a panorama if the site record was saved while its tiles were created', async () => {
    const { result } = await runImport('N13', 'slow', () =>
      createContext().sites.save('site', defaultSiteRecord('UTC')),
    );
    expect([result, await listDays('N13')]).toEqual(['SUCCESS', ['2026-06-01', '2026-03-01']]);
  });

  it('[IMP-09] shows the former panorama until an attempt of the import has succeeded', async () => {
    await setup('N32');
    await upload([['N32.jpg', await createPicture('blue')]], { capturedAt: toNoon('2026-06-01') });
    const before = await findNode('N32');
    const damagedPicture = (await createPicture('white')).subarray(0, -600);
    // Imports a panorama of the current day, then a newer one. Both fail.
    for (const day of ['2026-06-01', '2026-06-02']) {
      expect((await upload([['N32.jpg', damagedPicture]], { capturedAt: toNoon(day) })).results).toMatchObject([
        ['FAILED', {}],
      ]);
      expect(await findNode('N32')).toEqual(before);
    }

    await tables()
      .insertInto('incoming')
      .values({
        uid: 'killed',
        node: toUid('N32'),
        captured_at: toNoon('2026-06-01'),
        heading: 30,
        panorama_file: await putFile('N32.jpg', 'image/jpeg', await createPicture('white')),
        job: 'under way',
        message: null,
        refusal: null,
      })
      .execute();
    const runAttempt = (cursor: unknown, progress: JobRun<unknown>['progress']) =>
      runImportPanorama(createContext(), {
        id: 'under way',
        payload: { incoming: 'killed' },
        cursor,
        signal: new AbortController().signal,
        log: pino({ level: 'silent' }),
        progress,
      });
    // The first attempt is killed after the tiles, the second after the thumbnail.
    let savedCursor: unknown;
    for (let times = 0; times < 2; times++) {
      const attempt = runAttempt(savedCursor, async ({ cursor }) => {
        if (cursor === undefined) return;
        savedCursor = cursor;
        throw new Error('killed');
      });
      await expect(attempt).rejects.toThrow('killed');
      expect(await findNode('N32')).toEqual(before);
    }
    const saveProgress = (): Promise<void> => Promise.resolve();
    expect(await runAttempt(savedCursor, saveProgress)).toEqual({ result: 'SUCCESS' });
    const after = await findNode('N32');
    expect([after.day, after.picture?.id === before.picture?.id]).toEqual(['2026-06-01', false]);
    expect(await runAttempt(savedCursor, saveProgress)).toEqual({ result: 'SUCCESS' });
    expect(await findNode('N32')).toEqual(after);
  });

  it('prefers a node whose code equals the file name, in any Unicode form, to one whose code differs in case', async () => {
    for (const code of ['a13é', 'A13É']) await setup(code);
    const green = await createPicture('green');
    expect((await upload([['a13\u0065\u0301.jpg', green]], { capturedAt: toNoon('2026-06-01') })).results).toEqual([
      success,
    ]);
    expect([await listDays('a13é'), await listDays('A13É')]).toEqual([['2026-06-01', '2026-03-01'], ['2026-03-01']]);
  });

  it('ignores a second upload for a node with a heading of 370 degrees', async () => {
    await setup('N14');
    await tables().updateTable('node').set({ heading: 370 }).where('code', '=', 'N14').execute();
    expect(await upload([['N14.jpg', await createPicture('red')]], { capturedAt: toNoon('2026-03-01') })).toMatchObject(
      {
        results: [],
        unchanged: ['N14'],
      },
    );
  });

  it('distinguishes panoramas by days in the time zone of the site', async () => {
    const sites = server.service(SiteStore);
    await sites.save('site', defaultSiteRecord('Asia/Kolkata'));
    try {
      await setup('N40');
      const [blue, green, white] = await Promise.all(['blue', 'green', 'white'].map(createPicture));
      // These are two days in UTC but one day at the site: 1 June at 01:30 and at 23:00.
      await upload([['N40.jpg', blue!]], { capturedAt: '2026-05-31T20:00:00.000Z' });
      await upload([['N40.jpg', green!]], { capturedAt: '2026-06-01T17:30:00.000Z' });
      expect(await listDays('N40')).toEqual(['2026-06-01', '2026-03-01']);
      // 17:30 and 18:30 are on the same day in UTC but on two days at the site.
      await upload([['N40.jpg', white!]], { capturedAt: '2026-06-01T18:30:00.000Z' });
      expect(await listDays('N40')).toEqual(['2026-06-02', '2026-06-01', '2026-03-01']);
      expect(await upload([['N40.jpg', white!]], { capturedAt: '2026-06-02T18:00:00.000Z' })).toMatchObject({
        results: [],
        unchanged: ['N40'],
      });
      const { day, earlier } = await findPanoramas('N40');
      expect([day, ...earlier.map((capture) => capture.day)]).toEqual(['2026-06-02', '2026-06-01', '2026-03-01']);
      // Any time of today is accepted, also noon if it is in the future. Tomorrow is refused.
      const today = dayAt(new Date(), 'Asia/Kolkata');
      expect(
        (await upload([['N40.jpg', blue!]], { capturedAt: noonAt(today, 'Asia/Kolkata').toISOString() })).status,
      ).toBe(200);
      const tomorrow = startOfDay(addDays(today, 1), 'Asia/Kolkata').toISOString();
      // The second date is in the year 10000 at the site.
      for (const capturedAt of [tomorrow, '9999-12-31T23:00:00.000Z'])
        expect((await upload([['N40.jpg', blue!]], { capturedAt })).status).toBe(400);
    } finally {
      await sites.save('site', defaultSiteRecord('UTC'));
    }
  });

  it('reads date, pitch and roll from each file, and creates tiles, thumbnail and ranges of the levelled picture', async () => {
    const sites = server.service(SiteStore);
    await sites.save('site', defaultSiteRecord('Asia/Kolkata'));
    try {
      const { range } = await setup('N50');
      const tags = 'PosePitchDegrees="12" PoseRollDegrees="-3"';
      const bytes = await buildPicture({ DateTimeOriginal: '2026:03:01 23:30:00' }, tags);
      expect((await upload([['N50.jpg', Buffer.from(bytes)]], {})).results).toEqual([success]);
      const find = () =>
        tables()
          .selectFrom('node')
          .select(['captured_at', 'pitch', 'roll', 'range_file', 'pyramid'])
          .where('code', '=', 'N50')
          .executeTakeFirstOrThrow();
      // 23:30 in Kolkata. The range image of that day is kept, because ranges are level.
      expect(await find()).toMatchObject({
        captured_at: new Date('2026-03-01T18:00:00Z'),
        pitch: 12,
        roll: -3,
        range_file: range,
        pyramid: { mesh: true },
      });
      expect((await upload([['N50.jpg', Buffer.from(bytes)]], {})).unchanged).toEqual(['N50']);
      // This camera levels its pictures itself.
      await upload([['N50.jpg', Buffer.from(bytes)]], { pitch: '0', roll: '0' });
      expect(await find()).toMatchObject({ pitch: 0, roll: 0 });
    } finally {
      await sites.save('site', defaultSiteRecord('UTC'));
    }
  });

  it('levels a file without pitch and roll by the tilt of the pose of its node', async () => {
    await setup('N53');
    await tables()
      .updateTable('node')
      .set({ posed_tilt: JSON.stringify({ pitch: 12, roll: -3 }) })
      .where('code', '=', 'N53')
      .execute();
    const findTilt = () =>
      tables().selectFrom('node').select(['pitch', 'roll']).where('code', '=', 'N53').executeTakeFirstOrThrow();
    const uploadWith = async (gpano: string, query: Record<string, string> = {}) => {
      const bytes = await buildPicture({ DateTimeOriginal: '2026:03:01 12:00:00' }, gpano);
      return upload([['N53.jpg', Buffer.from(bytes)]], query);
    };
    // The node has a picture, which stays as it is.
    expect(await findTilt()).toEqual({ pitch: 0, roll: 0 });
    expect((await findPanoramas('N53')).posedTilt).toEqual({ pitch: 12, roll: -3 });
    expect((await uploadWith('')).results).toEqual([success]);
    expect(await findTilt()).toEqual({ pitch: 12, roll: -3 });
    expect((await uploadWith('')).unchanged).toEqual(['N53']);
    await uploadWith('', { roll: '1' });
    expect(await findTilt()).toEqual({ pitch: 12, roll: 1 });
    await uploadWith('', { pitch: '0', roll: '0' });
    expect(await findTilt()).toEqual({ pitch: 0, roll: 0 });
    await uploadWith('PosePitchDegrees="4"');
    expect(await findTilt()).toEqual({ pitch: 4, roll: 0 });
    // A camera that has levelled its picture writes zeros.
    await uploadWith('PosePitchDegrees="0" PoseRollDegrees="0"');
    expect(await findTilt()).toEqual({ pitch: 0, roll: 0 });
  });

  it('refuses a partial sphere, and a file without a date if the upload has none', async () => {
    await setup('N51');
    const partialSphere = await buildPicture({}, 'FullPanoWidthPixels="4096" CroppedAreaImageWidthPixels="2048"');
    for (const [bytes, message] of [
      [partialSphere, /a part of the sphere: 2048 of 4096 pixels/],
      [await createPicture('green'), /does not say when/],
    ] as const) {
      const response = await upload([['N51.jpg', Buffer.from(bytes)]], {});
      expect([response.status, response.message]).toEqual([400, expect.stringMatching(message)]);
    }
  });

  it('imports CMYK and 16 bit pictures, and names refused files with a wrong extension', async () => {
    await setup('N52');
    const greenPicture = sharp({ create: { width: 1024, height: 512, channels: 3, background: 'green' } });
    const cmyk = await greenPicture.clone().toColourspace('cmyk').jpeg().toBuffer();
    const picture16Bit = await greenPicture.clone().toColourspace('rgb16').png().toBuffer();
    expect((await upload([['N52.jpg', cmyk]], { capturedAt: toNoon('2026-06-01') })).results).toEqual([success]);
    expect((await upload([['N52.png', picture16Bit]], { capturedAt: toNoon('2026-06-02') })).results).toEqual([
      success,
    ]);
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)]);
    const heicReply = await upload([['N52.jpg', heic]], { capturedAt: toNoon('2026-06-03') });
    expect([heicReply.status, heicReply.message]).toEqual([400, expect.stringContaining('N52.jpg')]);
  });

  it('converts positions of pictures into the frame of a site with a CRS', async () => {
    const sites = server.service(SiteStore);
    const locate = async () =>
      (
        await server.call(locatePanoramas, {
          params: { location: 'unit' },
          body: { places: [{ latitude: 59.908_333_33, longitude: 10.75, height: 30 }] },
          token: admin,
        })
      ).body.positions;
    expect(await locate()).toEqual([null]);
    const record = defaultSiteRecord('UTC');
    await sites.save('site', {
      ...record,
      frame: { crs: 32_632, origin: { east: 597_900, north: 6_642_400, up: 10 }, rotation: 0, unit: 'm' },
    });
    try {
      // Computed with the Krüger series: 597,873.29 m east, 6,642,495.94 m north.
      const [position] = await locate();
      expect(position?.map(Math.round)).toEqual([-27, 96, 20]);
    } finally {
      await sites.save('site', record);
    }
  });

  itWithSampleData('imports a real panorama', ['panorama/pannellum/examplepano.jpg'], async ([realPanorama]) => {
    await setup('N10');
    expect(
      (
        await upload([['examplepano.jpg', fs.readFileSync(realPanorama)]], {
          capturedAt: toNoon('2026-06-01'),
          node: toUid('N10'),
        })
      ).results,
    ).toEqual([success]);
    expect((await findNode('N10')).picture?.levels.at(-1)).toMatchObject({ width: 4096, height: 2048 });
  });
});
