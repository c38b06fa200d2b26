import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorBody, LocationRow } from '#core';
import { enabledPlugin, LocationStore, serverPlugin } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import type { Snapshot, SnapshotInput } from '#plugins/annotate';
import { Tours } from '#plugins/tour';
import { buildTours, tourManifest } from '#plugins/tour/testing/server';
import { deleteSnapshot, listSnapshots, putSnapshot } from '../contract/api.ts';
import manifest from '../plugin.ts';
import annotate from './index.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
/** A tour in which each tag has a new number, except for the deleted tag `gone`. */
const tour = serverPlugin<typeof tourManifest>()({
  api: (_, context) =>
    context.provide(
      Tours,
      buildTours({
        tagNumbers: async (uids) =>
          new Map(uids.filter((uid) => uid !== 'gone').map((uid) => [uid, `${uid.replace('tag-', '')} new`])),
      }),
    ),
});
const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const buildJpeg = (colour: string, size: number): Promise<Buffer> =>
  sharp({ create: { width: size, height: size, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();

const buildInput = (changes: Partial<SnapshotInput> = {}): SnapshotInput => ({
  name: 'Leak at the flange',
  text: 'Gasket to be changed',
  tag: 'tag-P-101A',
  marks: [{ name: 'Distance 1', words: '1.235 m' }],
  tour: 'T1',
  node: 'N1',
  view: 'v=1&module=scan.module&node=N1&pan=10&tilt=0&fov=60&pos=0,0,1.7',
  shared: false,
  version: 0,
  ...changes,
});

describeOnDatabases('snapshots', (kind) => {
  let server: TestServer;
  let ann: string;
  let ben: string;
  let picture: Buffer;
  let thumbnail: Buffer;

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, {}, annotate)],
    });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('lower', 'unit', 'LOC_LEVEL'),
        buildLocation('upper', 'unit', 'LOC_LEVEL'),
      ]);
    [ann, ben, picture, thumbnail] = await Promise.all([
      server.signIn(),
      server.signIn(),
      buildJpeg('red', 64),
      buildJpeg('blue', 16),
    ]);
  });
  afterAll(() => server.close());

  const put = (token: string, uid: string, body: SnapshotInput, location = 'lower') =>
    server.call(putSnapshot, { params: { location, uid }, body, token });
  const list = async (token: string, location = 'unit') =>
    (await server.call(listSnapshots, { params: { location }, query: {}, token })).body.rows;
  const remove = (token: string, uid: string) =>
    server.call(deleteSnapshot, { params: { location: 'lower', uid }, token });
  const upload = async (
    token: string,
    uid: string,
    files: Readonly<Record<string, Buffer>> = { picture, thumbnail },
  ): Promise<{ readonly status: number; readonly body: Snapshot }> => {
    const form = new FormData();
    for (const [field, content] of Object.entries(files))
      form.append(field, new Blob([new Uint8Array(content)]), `${field}.jpg`);
    const reply = await fetch(`${await server.url()}/api/annotate/lower/snapshots/${uid}/picture`, {
      method: 'PUT',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: reply.status, body: (await reply.json()) as Snapshot };
  };
  const read = (address: string, token: string) =>
    server.app.inject({ url: address, headers: { authorization: `Bearer ${token}` } });

  it('[TOUR-11] saves a snapshot as sent, with its picture and its thumbnail', async () => {
    const { status, body } = await put(ann, toUid(1), buildInput());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...buildInput({ version: 1 }),
      uid: toUid(1),
      location: 'lower',
      own: true,
      picture: null,
    });
    const reply = await upload(ann, toUid(1));
    expect([reply.status, reply.body.version]).toEqual([200, 1]);
    expect(await list(ann)).toEqual([reply.body]);
    const [pictureFile, thumbnailFile] = await Promise.all([
      read(reply.body.picture?.address ?? '', ann),
      read(reply.body.picture?.thumbnail ?? '', ann),
    ]);
    expect([pictureFile.headers['content-type'], pictureFile.rawPayload, thumbnailFile.rawPayload]).toEqual([
      'image/jpeg',
      picture,
      thumbnail,
    ]);
    expect(await list(ben)).toEqual([]);
    expect((await read(reply.body.picture?.address ?? '', ben)).statusCode).toBe(403);
    expect((await read(reply.body.picture?.thumbnail ?? '', ben)).statusCode).toBe(403);
    expect((await put(ben, toUid(1), buildInput({ version: 1 }))).status).toBe(404);
    expect((await upload(ben, toUid(1))).status).toBe(404);
  });

  it('[TOUR-11] returns the current number of the tag', async () => {
    await put(ann, toUid(30), buildInput());
    await put(ann, toUid(31), buildInput({ tag: 'gone' }));
    await put(ann, toUid(32), buildInput({ tag: null }));
    const tagsByUid = new Map((await list(ann)).map(({ uid, tag, tagNumber }) => [uid, [tag, tagNumber]]));
    expect([30, 31, 32].map((n) => tagsByUid.get(toUid(n)))).toEqual([
      ['tag-P-101A', 'P-101A new'],
      ['gone', null],
      [null, null],
    ]);
    for (const n of [30, 31, 32]) await remove(ann, toUid(n));
  });

  it('[TOUR-11] requires a name', async () => {
    for (const name of ['', '   ']) expect((await put(ann, toUid(9), buildInput({ name }))).status).toBe(400);
    expect((await list(ann)).some(({ uid }) => uid === toUid(9))).toBe(false);
  });

  it('[TOUR-11] shows a shared snapshot with a picture only to people who can access its location', async () => {
    const [upper, lower] = [
      await server.signIn({ locations: ['upper'] }),
      await server.signIn({ locations: ['lower'] }),
    ];
    await put(ann, toUid(2), buildInput({ name: 'Shared', shared: true }));
    expect(await list(ben)).toEqual([]);
    const { body } = await upload(ann, toUid(2));
    expect((await list(ben)).map(({ name, own }) => [name, own])).toEqual([['Shared', false]]);
    expect((await list(lower, 'lower')).map(({ name }) => name)).toEqual(['Shared']);
    expect(await list(upper, 'upper')).toEqual([]);
    expect((await read(body.picture?.address ?? '', lower)).statusCode).toBe(200);
    expect((await read(body.picture?.address ?? '', upper)).statusCode).toBe(403);
  });

  it('[TOUR-11] refuses a change of an outdated version and returns the current version', async () => {
    const cleo = await server.signIn({ flags: ['configure'] });
    expect((await put(ben, toUid(2), buildInput({ name: "Ben's name", shared: true, version: 1 }))).status).toBe(403);
    expect(
      (await put(cleo, toUid(2), buildInput({ name: "Cleo's name", shared: true, version: 1 }))).body,
    ).toMatchObject({
      version: 2,
      own: false,
    });
    const reply = await put(ann, toUid(2), buildInput({ name: "Ann's name", shared: true, version: 1 }));
    expect(reply.status).toBe(409);
    expect((reply.body as unknown as ErrorBody).current as Snapshot).toMatchObject({
      name: "Cleo's name",
      version: 2,
    });
    expect((await put(cleo, toUid(2), buildInput({ version: 2 }))).status).toBe(403);
  });

  it('[TOUR-11] keeps the first picture, even if two uploads are simultaneous', async () => {
    await put(ann, toUid(3), buildInput({ name: 'Once' }));
    const replies = await Promise.all([upload(ann, toUid(3)), upload(ann, toUid(3))]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = replies.map(({ body }) => body.picture?.address);
    expect(first).toBe(second);
    expect((await upload(ann, toUid(3), { picture: thumbnail, thumbnail })).body.picture?.address).toBe(first);
  });

  it('[TOUR-11] lets only the author delete the snapshot and its picture', async () => {
    const { body } = await upload(ann, toUid(3));
    expect((await remove(ben, toUid(2))).status).toBe(403);
    expect((await remove(ben, toUid(3))).status).toBe(404);
    expect((await remove(ann, toUid(3))).status).toBe(200);
    expect((await remove(ann, toUid(3))).status).toBe(200);
    expect((await list(ann)).some(({ uid }) => uid === toUid(3))).toBe(false);
    expect((await read(body.picture?.address ?? '', ann)).statusCode).toBe(404);
    expect((await upload(ann, toUid(3))).status).toBe(404);
  });

  it('refuses a form without two JPEG files', async () => {
    await put(ann, toUid(4), buildInput({ name: 'Forms' }));
    const png = await sharp(picture).png().toBuffer();
    for (const files of [{ picture }, { picture: png, thumbnail }, { picture, thumbnail: Buffer.from('no picture') }])
      expect((await upload(ann, toUid(4), files)).status).toBe(400);
    expect((await list(ann)).find(({ uid }) => uid === toUid(4))?.picture).toBeNull();
  });
});
