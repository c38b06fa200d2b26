import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ErrorBody, LocationRow } from '#core';
import { deleteLocation, getSignInContent, undoChange } from '#core/api';
import { enabledPlugin, LocationStore, SignInContents } from '#core/server';
import { buildVideo, describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import type { BackgroundsSaved } from '#plugins/media';
import { saveBackgroundList, saveLoginBackgroundList, getBackgrounds, getLoginBackgrounds } from '../contract/api.ts';
import manifest from '../plugin.ts';
import media from './index.ts';
import type { MediaTables } from './tables.ts';

const buildRow = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  name: `Name of ${uid}`,
  label: '',
  parent,
  root: uid.charAt(0),
  locationType,
});
const rows = [
  buildRow('a', null, 'PRIMARY_LOCATION'),
  buildRow('a1', 'a', 'PLATFORM_UNIT'),
  buildRow('b', null, 'PRIMARY_LOCATION'),
];
const hostileDrawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="a()"><script>b()</script><rect width="9" height="9"/></svg>';

describeOnDatabases('backgrounds', (database) => {
  let server: TestServer;
  let admin: string;
  let photo: Buffer;
  let png: Buffer;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, media)] });
    await server.service(LocationStore).upsert(rows);
    admin = await server.signIn({ flags: ['configure'] });
    photo = await sharp({ create: { width: 800, height: 600, channels: 3, background: 'red' } })
      .withExif({ IFD3: { GPSLatitude: '59/1 0/1 0/1' } })
      .jpeg()
      .toBuffer();
    png = await sharp({ create: { width: 800, height: 600, channels: 4, background: 'blue' } })
      .png()
      .toBuffer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.database.of<MediaTables>('media').deleteFrom('background').execute();
  });

  const upload = async (
    content: Buffer | string,
    { path = 'login-backgrounds', version = 0, replaces = '', token = admin, name = 'photo.jpg' } = {},
  ) => {
    const form = new FormData();
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
    const query = `version=${version}${replaces === '' ? '' : `&replaces=${replaces}`}`;
    const url = `${await server.url()}/api/media/${path}/images?${query}`;
    const reply = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } });
    const body: unknown = await reply.json();
    return { status: reply.status, body: body as BackgroundsSaved, refusal: body as ErrorBody };
  };
  const fill = async (count: number): Promise<BackgroundsSaved> => {
    let lastReply: BackgroundsSaved | undefined;
    for (let version = 0; version < count; version++)
      lastReply = (await upload(hostileDrawing, { version, name: `${version}.svg` })).body;
    return lastReply!;
  };
  const signInContent = async () => (await server.call(getSignInContent, {})).body;
  const read = (address: string, token?: string) =>
    server.app.inject({ url: address, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

  it('[ADM-09] are visible to people who are not logged in, without their metadata', async () => {
    expect(await signInContent()).toEqual({ backgrounds: [], contacts: [] });
    const { status, body } = await upload(photo);
    expect(status).toBe(200);
    const [image] = body.backgrounds.images;
    expect(image).toMatchObject({ name: 'photo.jpg', video: false });
    expect(await signInContent()).toEqual({ backgrounds: [{ address: image!.address, isVideo: false }], contacts: [] });
    const { rawPayload, headers } = await read(image!.address);
    const { width, format, exif } = await sharp(rawPayload).metadata();
    expect({ width, format, exif }).toEqual({ width: 800, format: 'webp', exif: undefined });
    expect(headers['cache-control']).toContain('public');
  });

  it('[ADM-09] are stored without SVG scripts and the place where a video was taken; a video must be the only background', async () => {
    const { body: drawing } = await upload(hostileDrawing, { name: 'plan.png' });
    const svg = await read(drawing.backgrounds.images[0]!.address);
    expect(svg.headers['content-type']).toContain('image/svg+xml');
    expect([svg.body.includes('rect'), /script|onload/.test(svg.body)]).toEqual([true, false]);
    const video = buildVideo({ place: '+59.0000+001.0000/' });
    expect((await upload(video, { version: 1, name: 'sea.mp4' })).refusal.refusal?.message).toBe(
      'media.refused.videoAlone',
    );
    const { file } = drawing.backgrounds.images[0]!;
    const { body } = await upload(video, { version: 1, replaces: file, name: 'sea.mp4' });
    expect(body.backgrounds.images).toMatchObject([{ name: 'sea.mp4', video: true }]);
    expect((await read(body.backgrounds.images[0]!.address)).body).not.toContain('+59.0000');
  });

  it.each([
    ['a text with the name of a picture', Buffer.from('hello'), 'login-backgrounds', 'core.refused.fileContent'],
    ['a video for a tour', buildVideo(), 'locations/a1/backgrounds/TOUR', 'core.refused.fileDisguised'],
    ['backgrounds of a unit', undefined, 'locations/a1/backgrounds/LOCATION', 'media.refused.notASite'],
  ])('refuse %s', async (_, content, path, message) => {
    const { status, refusal } = await upload(content ?? photo, { path, name: 'photo.jpg' });
    expect([status, refusal.refusal?.message]).toEqual([400, message]);
  });

  it('[ADM-09] are at most five, and can be ordered, replaced, removed and restored by an undo', async () => {
    const { backgrounds } = await fill(5);
    expect(backgrounds.images.map(({ name }) => name)).toEqual(['0.svg', '1.svg', '2.svg', '3.svg', '4.svg']);
    const sixth = await upload(photo, { version: 5 });
    expect([sixth.status, sixth.refusal.refusal?.message]).toEqual([400, 'media.refused.backgroundsFull']);
    const [first, second, third] = backgrounds.images.map(({ file }) => file) as [string, string, string];
    const { body: arrangement } = await server.call(saveLoginBackgroundList, {
      body: { files: [third, first, third], version: 5 },
      token: admin,
    });
    expect(arrangement.backgrounds.images.map(({ name }) => name)).toEqual(['2.svg', '0.svg']);
    const { body: replacement } = await upload(photo, { version: 6, replaces: third });
    expect(replacement.backgrounds.images.map(({ name }) => name)).toEqual(['photo.jpg', '0.svg']);
    const outdatedReply = await server.call(saveLoginBackgroundList, {
      body: { files: [second], version: 5 },
      token: admin,
    });
    expect([outdatedReply.status, outdatedReply.refusal.refusal?.message]).toEqual([
      409,
      'media.refused.backgroundsChanged',
    ]);
    expect(outdatedReply.refusal.current).toMatchObject({ version: 7 });
    const undo = async ({ change }: BackgroundsSaved, token = admin) =>
      (await server.call(undoChange, { params: { change: change! }, body: {}, token })).status;
    const siteAdmin = await server.signIn({ flags: ['configure'], locations: ['a'] });
    expect(await undo(replacement, siteAdmin)).toBe(403);
    expect([await undo(replacement), await undo(arrangement)]).toEqual([200, 200]);
    const { body: undone } = await server.call(getLoginBackgrounds, { token: admin });
    expect(undone.images).toEqual(backgrounds.images);
  });

  it.each([
    ['a primary location', 'locations/a/backgrounds/LOCATION'],
    ['a tour', 'locations/a1/backgrounds/TOUR'],
  ])('[ADM-09] [ADM-15:tours] of %s are one to five JPEG, PNG and SVG images, never an MP4', async (_, path) => {
    const reasons = async (content: Buffer, name: string, version: number) => {
      const { status, refusal } = await upload(content, { path, name, version });
      return [status, refusal.refusal?.message];
    };
    expect(await reasons(buildVideo(), 'sea.mp4', 0)).toEqual([400, 'core.refused.fileType']);
    const contents: readonly (readonly [string, Buffer | string, string])[] = [
      ['deck.jpg', photo, 'image/webp'],
      ['deck.png', png, 'image/webp'],
      ['deck.svg', hostileDrawing, 'image/svg+xml'],
      ['fourth.jpg', photo, 'image/webp'],
      ['fifth.png', png, 'image/webp'],
    ];
    for (const [version, [name, content, type]] of contents.entries()) {
      const { status, body } = await upload(content, { path, name, version });
      expect([status, body.backgrounds.images.map((image) => image.name)]).toEqual([
        200,
        contents.slice(0, version + 1).map(([uploadedName]) => uploadedName),
      ]);
      const file = await read(body.backgrounds.images.at(-1)!.address, admin);
      expect([file.statusCode, file.headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
    }
    expect(await reasons(photo, 'sixth.jpg', 5)).toEqual([400, 'media.refused.backgroundsFull']);
  });

  it('[ADM-15:tours] of a tour are shown to people with access to its location, and load with one statement', async () => {
    const { body } = await upload(photo, { path: 'locations/a1/backgrounds/TOUR' });
    await upload(photo, { path: 'locations/a/backgrounds/LOCATION' });
    const [image] = body.backgrounds.images;
    const person = await server.signIn({ flags: [], locations: ['a1'] });
    const stranger = await server.signIn({ flags: ['configure'], locations: ['b'] });
    const get = (location: string, token: string) => server.call(getBackgrounds, { params: { location }, token });
    await get('a1', person);
    const counter = new QueryCounter(server.database);
    const { result, statements } = await counter.record(() => get('a1', person));
    expect(result.body).toMatchObject({ TOUR: { images: [image], version: 1 }, LOCATION: { images: [], version: 0 } });
    expect(statements.filter((statement) => statement.includes('background'))).toHaveLength(1);
    expect([(await get('a1', stranger)).status, (await read(image!.address, stranger)).statusCode]).toEqual([403, 403]);
    expect([(await read(image!.address)).statusCode, (await read(image!.address, person)).statusCode]).toEqual([
      401, 200,
    ]);
    const params = { location: 'a1', kind: 'TOUR' } as const;
    const refusedReply = await server.call(saveBackgroundList, {
      params,
      body: { files: [], version: 1 },
      token: stranger,
    });
    expect(refusedReply.status).toBe(403);
    // A new location with the code of a deleted one would show its backgrounds.
    const remove = () => server.call(deleteLocation, { params: { location: 'a1' }, token: admin });
    expect(await remove()).toMatchObject({
      status: 409,
      refusal: { refusal: { message: 'core.refused.locationInUse' } },
    });
    await server.call(saveBackgroundList, { params, body: { files: [], version: 1 }, token: admin });
    expect((await remove()).status).toBe(200);
  });

  it('are left out if they cannot be loaded, and the rest of the login screen is shown', async () => {
    server.service(SignInContents).register(() => Promise.reject(new Error('lost')));
    const { body } = await upload(photo);
    const [image] = body.backgrounds.images;
    expect(await signInContent()).toEqual({ backgrounds: [{ address: image!.address, isVideo: false }], contacts: [] });
  });
});
