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
import { importPanoramas, listPanoramas, removePanorama } from '../contract/api/admin.ts';
import { findSurface, openTour } from '../contract/api.ts';
import manifest from '../plugin.ts';
import { tourSchema, type TourTables } from './tables.ts';
import tour from './index.ts';
import { touchTours } from './queries/touch-tours.ts';
import { captureDaysAt } from './queries/capture-day.ts';
import { runImportPanorama } from './jobs/import-panorama.ts';
import { removeNodePanorama } from './handlers/panoramas-at.ts';
import { publishPanorama } from './jobs/publish-panorama.ts';
import { showEarlier } from './commands/show-earlier.ts';
import { receivePanoramas, type ImportContext } from './commands/receive-panoramas.ts';

const row = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 1024, height: 512, channels: 3, background } })
    .jpeg()
    .toBuffer();
const toUid = (code: string): string => `node-${code}`;
const noon = (day: string): string => `${day}T12:00:00.000Z`;

describeOnDatabases('imported panoramas', (kind) => {
  let server: TestServer;
  let admin: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, tour)] });
    await server
      .service(LocationStore)
      .upsert([
        row('site', null, 'PRIMARY_LOCATION'),
        row('unit', 'site', 'PLATFORM_UNIT'),
        row('lower', 'unit', 'LOC_LEVEL'),
        row('upper', 'unit', 'LOC_LEVEL'),
      ]);
    admin = await server.signIn({ flags: ['import'] });
    await tables()
      .insertInto('tour')
      .values({ uid: 'tour-T1', site: 'site', code: 'T1', name: 'Tour', location: 'unit', start_node: toUid('N1') })
      .execute();
  });
  afterAll(() => server.close());

  const tables = () => server.server.database.of<TourTables>(tourSchema);
  const files = () => server.service(FileStore);
  const put = async (name: string, mediaType: string, content: Buffer): Promise<string> =>
    (await files().put({ name, mediaType, audience: { kind: 'location', location: 'lower' } }, content)).id;

  /** A node whose panorama of 1 March has ranges of four metres in all directions. */
  async function setup(
    code: string,
    location = 'lower',
  ): Promise<{ readonly panorama: string; readonly range: string }> {
    const panorama = await put('first.jpg', 'image/jpeg', await picture('red'));
    const range = await put(
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
        name: `Place ${code}`,
        deck: null,
        location,
        x: 0,
        y: 0,
        z: 2,
        heading: 30,
        view_pan: 10,
        view_tilt: -5,
        captured_at: noon('2026-03-01'),
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

  async function send(
    pictures: readonly (readonly [name: string, content: Buffer])[],
    query: Record<string, string>,
    token = admin,
  ) {
    const form = new FormData();
    for (const [name, content] of pictures) form.append('file', new Blob([new Uint8Array(content)]), name);
    const address = `${await server.url()}${importPanoramas.path.replace(':location', 'unit')}?${new URLSearchParams(query)}`;
    const answer = await fetch(address, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } });
    const body = (await answer.json()) as {
      readonly jobs: string[];
      readonly unchanged: string[];
      readonly message?: string;
    };
    const jobs = server.service(Jobs);
    const outcomes = answer.status === 200 ? await Promise.all(body.jobs.map((job) => jobs.finished(job))) : [];
    return {
      status: answer.status,
      message: body.message,
      unchanged: body.unchanged,
      results: outcomes.map(({ result, message }) => [result, message]),
    };
  }
  const success = ['SUCCESS', null];
  const findNode = async (code: string) =>
    (await server.call(openTour, { params: { location: 'unit' }, token: admin })).body.nodes.find(
      (node) => node.code === code,
    )!;
  /** The day of the current panorama, and those of the earlier ones. */
  const days = async (code: string): Promise<readonly string[]> => {
    const { day, captures } = await findNode(code);
    return [day, ...captures.map((capture) => capture.day)];
  };
  const listed = async (code: string) =>
    (await server.call(listPanoramas, { params: { location: 'unit' }, token: admin })).body.find(
      (node) => node.code === code,
    )!;

  it('shows a newer panorama and keeps the former one as an earlier one with its direction and ranges', async () => {
    await setup('N1');
    const before = await findNode('N1');
    expect(
      (await send([['n1.JPG', await picture('green')]], { capturedAt: noon('2026-06-01'), heading: '200' })).results,
    ).toEqual([success]);
    const after = await findNode('N1');
    expect(await days('N1')).toEqual(['2026-06-01', '2026-03-01']);
    expect([after.heading, after.picture?.levels.length, after.view]).toEqual([200, 1, before.view]);
    expect(after.captures).toEqual([
      { capturedAt: before.capturedAt, day: '2026-03-01', heading: 30, picture: before.picture },
    ]);
    expect(
      (await server.app.inject({ url: after.thumbnail!, headers: { authorization: `Bearer ${admin}` } })).headers[
        'content-type'
      ],
    ).toBe('image/jpeg');
    // The new one has no ranges: points are found by those of the former one, with its direction.
    const seen = await server.call(findSurface, {
      params: { location: 'unit', node: toUid('N1') },
      query: { pan: 90, tilt: 0 },
      token: admin,
    });
    expect(seen.body.point?.map((value) => Math.round(value * 1000) / 1000)).toEqual([4, 0, 2]);
  });

  it('stores an older panorama as an earlier one and keeps the current one', async () => {
    await setup('N2');
    const before = await findNode('N2');
    expect((await send([['N2.jpg', await picture('blue')]], { capturedAt: noon('2024-05-01') })).results).toEqual([
      success,
    ]);
    const after = await findNode('N2');
    expect([after.picture, after.thumbnail, await days('N2')]).toEqual([
      before.picture,
      before.thumbnail,
      ['2026-03-01', '2024-05-01'],
    ]);
  });

  it('replaces the panorama of the same day, current or earlier, and deletes its files', async () => {
    const { panorama, range } = await setup('N3');
    await send([['N3.jpg', await picture('blue')]], { capturedAt: noon('2024-05-01') });
    const old = (await findNode('N3')).captures[0]!.picture.id;
    expect(
      (await send([['N3.jpg', await picture('white')]], { capturedAt: '2026-03-01T15:00:00.000Z' })).results,
    ).toEqual([success]);
    expect((await send([['N3.jpg', await picture('black')]], { capturedAt: noon('2024-05-01') })).results).toEqual([
      success,
    ]);
    expect(await days('N3')).toEqual(['2026-03-01', '2024-05-01']);
    expect([await files().find(panorama), await files().find(old)]).toEqual([undefined, undefined]);
    // Same position, direction and day: its ranges stay valid.
    expect([(await files().find(range))?.id, (await findNode('N3')).picture?.mesh]).toEqual([range, true]);
  });

  it('ignores a second upload of the same picture', async () => {
    await setup('N4');
    const form: [string, Buffer][] = [['N4.jpg', await picture('green')]];
    await send(form, { capturedAt: noon('2026-06-01') });
    await send([['N4.jpg', await picture('blue')]], { capturedAt: noon('2025-06-01') });
    const before = await findNode('N4');
    expect(await send(form, { capturedAt: noon('2026-06-01') })).toMatchObject({ results: [], unchanged: ['N4'] });
    expect(await send([['N4.jpg', await picture('blue')]], { capturedAt: noon('2025-06-01') })).toMatchObject({
      results: [],
      unchanged: ['N4'],
    });
    expect(await findNode('N4')).toEqual(before);
  });

  it('assigns a file to the node of its name, or to the node in the request', async () => {
    await setup('N5');
    await setup('N6', 'upper');
    const [green, blue] = await Promise.all([picture('green'), picture('blue')]);
    expect(
      (
        await send(
          [
            ['n5.jpg', green],
            ['N6.jpg', blue],
          ],
          { capturedAt: noon('2026-06-01') },
        )
      ).results,
    ).toEqual([success, success]);
    expect(
      (await send([['IMG_0001.jpg', blue]], { capturedAt: noon('2026-07-01'), node: toUid('N5') })).results,
    ).toEqual([success]);
    expect([await days('N5'), await days('N6')]).toEqual([
      ['2026-07-01', '2026-06-01', '2026-03-01'],
      ['2026-06-01', '2026-03-01'],
    ]);
  });

  it('rejects the whole upload with a message if a file is no panorama, matches no node or has a future date', async () => {
    await setup('N7');
    const [good, narrow] = await Promise.all([
      picture('green'),
      sharp({ create: { width: 1024, height: 768, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer(),
    ]);
    const future = new Date(Date.now() + 3 * 86_400_000).toISOString();
    for (const [pictures, query, words] of [
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
      const answer = await send(pictures, { capturedAt: noon('2026-06-01'), ...query });
      expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(words)]);
    }
    expect([await days('N7'), (await listed('N7')).incoming]).toEqual([['2026-03-01'], []]);
    const lower = await server.signIn({ flags: ['import'], locations: ['lower'] });
    expect((await send([['N7.jpg', good]], { capturedAt: noon('2026-06-01') }, lower)).status).toBe(403);
    expect(
      (
        await send(
          [['N7.jpg', good]],
          { capturedAt: noon('2026-06-01') },
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
      (await send([['N8.jpg', noise.subarray(0, noise.length / 2)]], { capturedAt: noon('2026-06-01') })).results,
    ).toEqual([['FAILED', expect.stringContaining('damaged')]]);
    expect((await listed('N8')).incoming).toMatchObject([
      { job: null, message: expect.stringContaining('damaged'), refusal: { message: 'core.refused.pictureDamaged' } },
    ]);
    expect(await days('N8')).toEqual(['2026-03-01']);
    expect((await send([['N8.jpg', noise]], { capturedAt: noon('2026-06-01') })).results).toEqual([success]);
    expect([await days('N8'), (await listed('N8')).incoming]).toEqual([['2026-06-01', '2026-03-01'], []]);
  });

  it('deletes the current panorama if an earlier one can replace it', async () => {
    const { panorama, range } = await setup('N31');
    const before = await findNode('N31');
    expect((await listed('N31')).uid).toBeNull();
    await send([['N31.jpg', await picture('green')]], { capturedAt: noon('2026-06-01'), heading: '200' });
    const wrong = await findNode('N31');
    const { uid } = await listed('N31');
    expect(
      (
        await server.call(removePanorama, {
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
      await files().find(wrong.picture!.id),
      await files().find(uid!),
    ]).toEqual([panorama, range, undefined, undefined]);
    // Again: it is already deleted, and the current one is the only one.
    expect(
      (
        await server.call(removePanorama, {
          params: { location: 'unit', node: toUid('N31'), uid: uid! },
          token: admin,
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await server.call(removePanorama, {
          params: { location: 'unit', node: toUid('N31'), uid: panorama },
          token: admin,
        })
      ).status,
    ).toBe(409);
    expect(await days('N31')).toEqual(['2026-03-01']);
  });

  it('deletes an earlier panorama with its files', async () => {
    const { panorama, range } = await setup('N9');
    await send([['N9.jpg', await picture('green')]], { capturedAt: noon('2026-06-01') });
    const [earlier] = (await listed('N9')).earlier;
    for (let times = 0; times < 2; times++)
      expect(
        (
          await server.call(removePanorama, {
            params: { location: 'unit', node: toUid('N9'), uid: earlier!.uid },
            token: admin,
          })
        ).status,
      ).toBe(200);
    expect([await days('N9'), await files().find(panorama), await files().find(range)]).toEqual([
      ['2026-06-01'],
      undefined,
      undefined,
    ]);
    const upper = await server.signIn({ flags: ['import'], locations: ['upper'] });
    expect(
      (
        await server.call(removePanorama, {
          params: { location: 'upper', node: toUid('N9'), uid: 'any' },
          token: upper,
        })
      ).status,
    ).toBe(404);
  });

  const createContext = (given = tables()) =>
    ({
      tables: given,
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
    const first = await put('N11.jpg', 'image/jpeg', await picture('green'));
    await tables()
      .insertInto('incoming')
      .values({
        uid: 'first',
        node: toUid('N11'),
        captured_at: noon('2026-06-01'),
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
    const thumbnail = await put('small.jpg', 'image/jpeg', await picture('green'));
    const made = { folder, pyramid: { tileSize: 512, levels: [], mesh: false }, thumbnail };
    const toCaptureDay = await captureDaysAt(createContext(), 'lower');
    const settle = () => publishPanorama(createContext(), 'first', made, toCaptureDay);
    const settleFirst = (transaction: () => TransactionBuilder<TourTables>) => () => ({
      execute: async (work: never) => (expect(await settle()).toBe(true), transaction().execute(work)),
    });
    const late = new Proxy(tables(), {
      get(target, name: keyof Kysely<TourTables>) {
        if (name === 'transaction') return settleFirst(() => target.transaction());
        const value: unknown = target[name];
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const file = path.join(server.config.dataFolder, 'damaged.jpg');
    const whole = await picture('blue');
    fs.writeFileSync(file, whole.subarray(0, whole.length - 600));
    const upload: ReceivedUpload = {
      files: [
        {
          field: 'file',
          name: 'N11.jpg',
          mediaType: 'image/jpeg',
          bytes: whole.length - 600,
          path: file,
          stream: () => fs.createReadStream(file),
        },
      ],
      fields: {},
    };
    const { jobs } = await receivePanoramas(
      createContext(late),
      caller,
      'unit',
      { capturedAt: noon('2026-06-01') },
      upload,
    );
    expect((await createContext().jobs.finished(jobs[0]!)).result).toBe('FAILED');
    expect([await days('N11'), (await files().find(first))?.id]).toEqual([['2026-06-01', '2026-03-01'], first]);
  });

  it('keeps files that the database may refer to after a lost connection', async () => {
    const { panorama } = await setup('N20');
    const lost = createContext(withLostCommits(tables()));
    const sweep = () => (files() as StoredFiles).sweep(true);
    const file = path.join(server.config.dataFolder, 'N20.jpg');
    const content = await picture('green');
    fs.writeFileSync(file, content);
    const upload: ReceivedUpload = {
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
    const when = { capturedAt: noon('2026-06-01') };
    await expect(receivePanoramas(lost, caller, 'unit', when, upload)).rejects.toThrow(DatabaseUnavailableError);
    await expect.poll(() => days('N20')).toEqual(['2026-06-01', '2026-03-01']);
    await sweep();
    const [shown] = await tables().selectFrom('node').select('panorama_file').where('code', '=', 'N20').execute();
    expect(await files().find(shown!.panorama_file)).toBeDefined();

    await expect(showEarlier(lost, toUid('N20'), shown!.panorama_file)).rejects.toThrow(DatabaseUnavailableError);
    await sweep();
    const [earlier] = await tables()
      .selectFrom('node')
      .select(['panorama_file', 'thumbnail_file'])
      .where('code', '=', 'N20')
      .execute();
    expect(earlier?.panorama_file).toBe(panorama);
    expect(await files().find(earlier?.thumbnail_file ?? '')).toBeDefined();
  });

  /** Runs the pending job of a panorama of N; `afterTiles` is called after its tiles are created. */
  async function runImport(code: string, uid: string, afterTiles: (folder: string) => Promise<unknown>) {
    await setup(code);
    await tables()
      .insertInto('incoming')
      .values({
        uid,
        node: toUid(code),
        captured_at: noon('2026-06-01'),
        heading: 30,
        panorama_file: await put(`${code}.jpg`, 'image/jpeg', await picture('green')),
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
    const { result } = await runImport('N12', 'gone', (made) => {
      folder = made;
      return removeNodePanorama(createContext(), caller, 'unit', toUid('N12'), 'gone');
    });
    expect(result).toBe('WARNING');
    expect([folder.length > 0, await files().find(folder), await days('N12')]).toEqual([
      true,
      undefined,
      ['2026-03-01'],
    ]);
  });

  it('publishes a panorama even if locations and time zone must be read again at the end', async () => {
    const { result } = await runImport('N13', 'slow', () =>
      createContext().sites.save('site', defaultSiteRecord('UTC'), { by: null }),
    );
    expect([result, await days('N13')]).toEqual(['SUCCESS', ['2026-06-01', '2026-03-01']]);
  });

  it('[IMP-09] changes nothing until the attempt that creates the tiles has ended', async () => {
    await setup('N32');
    await send([['N32.jpg', await picture('blue')]], { capturedAt: noon('2026-06-01') });
    const before = await findNode('N32');
    const damaged = (await picture('white')).subarray(0, -600);
    // One of the current day, and one of a newer day.
    for (const day of ['2026-06-01', '2026-06-02']) {
      expect((await send([['N32.jpg', damaged]], { capturedAt: noon(day) })).results).toMatchObject([['FAILED', {}]]);
      expect(await findNode('N32')).toEqual(before);
    }

    await tables()
      .insertInto('incoming')
      .values({
        uid: 'killed',
        node: toUid('N32'),
        captured_at: noon('2026-06-01'),
        heading: 30,
        panorama_file: await put('N32.jpg', 'image/jpeg', await picture('white')),
        job: 'under way',
        message: null,
        refusal: null,
      })
      .execute();
    const attempt = (cursor: unknown, progress: JobRun<unknown>['progress']) =>
      runImportPanorama(createContext(), {
        id: 'under way',
        payload: { incoming: 'killed' },
        cursor,
        signal: new AbortController().signal,
        log: pino({ level: 'silent' }),
        progress,
      });
    // Killed after the tiles, and again after the thumbnail.
    let noted: unknown;
    for (let times = 0; times < 2; times++) {
      const killed = attempt(noted, async ({ cursor }) => {
        if (cursor === undefined) return;
        noted = cursor;
        throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      expect(await findNode('N32')).toEqual(before);
    }
    const done = (): Promise<void> => Promise.resolve();
    expect(await attempt(noted, done)).toEqual({ result: 'SUCCESS' });
    const after = await findNode('N32');
    expect([after.day, after.picture?.id === before.picture?.id]).toEqual(['2026-06-01', false]);
    expect(await attempt(noted, done)).toEqual({ result: 'SUCCESS' });
    expect(await findNode('N32')).toEqual(after);
  });

  it('prefers the node whose code equals the file name, in any Unicode form, over one that differs in case', async () => {
    for (const code of ['a13é', 'A13É']) await setup(code);
    const green = await picture('green');
    expect((await send([['a13\u0065\u0301.jpg', green]], { capturedAt: noon('2026-06-01') })).results).toEqual([
      success,
    ]);
    expect([await days('a13é'), await days('A13É')]).toEqual([['2026-06-01', '2026-03-01'], ['2026-03-01']]);
  });

  it('ignores a second upload for a node with a heading of 370 degrees', async () => {
    await setup('N14');
    await tables().updateTable('node').set({ heading: 370 }).where('code', '=', 'N14').execute();
    expect(await send([['N14.jpg', await picture('red')]], { capturedAt: noon('2026-03-01') })).toMatchObject({
      results: [],
      unchanged: ['N14'],
    });
  });

  it('distinguishes panoramas by days in the time zone of the site', async () => {
    const sites = server.service(SiteStore);
    await sites.save('site', defaultSiteRecord('Asia/Kolkata'), { by: null });
    try {
      await setup('N40');
      const [blue, green, white] = await Promise.all(['blue', 'green', 'white'].map(picture));
      // Two days in UTC, and one at the site: 1 June from 01:30 to 23:00.
      await send([['N40.jpg', blue!]], { capturedAt: '2026-05-31T20:00:00.000Z' });
      await send([['N40.jpg', green!]], { capturedAt: '2026-06-01T17:30:00.000Z' });
      expect(await days('N40')).toEqual(['2026-06-01', '2026-03-01']);
      // One day in UTC, and two at the site.
      await send([['N40.jpg', white!]], { capturedAt: '2026-06-01T18:30:00.000Z' });
      expect(await days('N40')).toEqual(['2026-06-02', '2026-06-01', '2026-03-01']);
      expect(await send([['N40.jpg', white!]], { capturedAt: '2026-06-02T18:00:00.000Z' })).toMatchObject({
        results: [],
        unchanged: ['N40'],
      });
      const { day, earlier } = await listed('N40');
      expect([day, ...earlier.map((each) => each.day)]).toEqual(['2026-06-02', '2026-06-01', '2026-03-01']);
      // Any time of today is accepted, also a noon in the future. Tomorrow is not.
      const today = dayAt(new Date(), 'Asia/Kolkata');
      expect(
        (await send([['N40.jpg', blue!]], { capturedAt: noonAt(today, 'Asia/Kolkata').toISOString() })).status,
      ).toBe(200);
      const tomorrow = startOfDay(addDays(today, 1), 'Asia/Kolkata').toISOString();
      // The last one is in the year 10000 at the site.
      for (const capturedAt of [tomorrow, '9999-12-31T23:00:00.000Z'])
        expect((await send([['N40.jpg', blue!]], { capturedAt })).status).toBe(400);
    } finally {
      await sites.save('site', defaultSiteRecord('UTC'), { by: null });
    }
  });

  itWithSampleData('may be real ones', ['panorama/pannellum/examplepano.jpg'], async ([real]) => {
    await setup('N10');
    expect(
      (await send([['examplepano.jpg', fs.readFileSync(real)]], { capturedAt: noon('2026-06-01'), node: toUid('N10') }))
        .results,
    ).toEqual([success]);
    expect((await findNode('N10')).picture?.levels.at(-1)).toMatchObject({ width: 4096, height: 2048 });
  });
});
