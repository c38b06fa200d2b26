import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ErrorBody } from '#core';
import { undoChange, type Changed } from '#core/api';
import { enabledPlugin } from '#core/server';
import { buildVideo, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { deleteItem, listItems, saveItem } from '../contract/api.ts';
import manifest from '../plugin.ts';
import media from './index.ts';
import type { MediaTables } from './tables.ts';

const captions = 'WEBVTT\n\n00:00.000 --> 00:01.000\nMind the step.\n';

describeOnDatabases('images and videos', (database) => {
  let server: TestServer;
  let admin: string;
  let visitor: string;
  let photo: Buffer;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, media)] });
    admin = await server.signIn({ flags: ['import', 'configure'] });
    visitor = await server.signIn({ flags: [] });
    photo = await sharp({ create: { width: 640, height: 360, channels: 3, background: 'red' } })
      .withExif({ IFD3: { GPSLatitude: '59/1 0/1 0/1' } })
      .jpeg()
      .toBuffer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.server.database.of<MediaTables>('media').deleteFrom('item').execute();
  });

  const upload = async (content: Buffer | string, path: string, name: string, token = admin) => {
    const form = new FormData();
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
    const url = `${await server.url()}/api/media/items/${path}`;
    const reply = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } });
    const body: unknown = await reply.json();
    return { status: reply.status, body: body as Changed, refusal: body as ErrorBody };
  };
  const list = async (token = visitor) => (await server.call(listItems, { token, query: {} })).body;
  const read = (address: string, token?: string) =>
    server.app.inject({ url: address, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

  it('[ADM-13:images] are added once, named, ordered and deleted, with undo', async () => {
    const [video, image] = [randomUUID(), randomUUID()];
    expect((await upload(buildVideo({ place: '+59' }), `${video}/file`, 'Muster points.mp4')).status).toBe(200);
    expect((await upload(buildVideo(), `${video}/file`, 'Muster points.mp4')).body.change).toBeNull();
    await upload(photo, `${image}/file`, 'Map.jpg');
    expect((await list()).rows.map(({ title, video: isVideo }) => [title, isVideo])).toEqual([
      ['Map', false],
      ['Muster points', true],
    ]);
    const body = { title: ' Plan ', frenchTitle: 'Le plan', sequence: 9, captions: false, version: 1 };
    const { body: saved } = await server.call(saveItem, { params: { item: image }, body, token: admin });
    const [first, second] = (await list()).rows;
    expect(second).toMatchObject({ title: 'Plan', frenchTitle: 'Le plan', sequence: 9, version: 2 });
    expect((await read(first!.address, visitor)).body).not.toContain('+59');
    expect((await sharp((await read(second!.address, visitor)).rawPayload).metadata()).exif).toBeUndefined();
    expect((await read(second!.address)).statusCode).toBe(401);
    const late = await server.call(saveItem, { params: { item: image }, body, token: admin });
    expect([late.status, late.refusal.current]).toMatchObject([409, { title: 'Plan', version: 2 }]);
    const { body: deleted } = await server.call(deleteItem, {
      params: { item: image },
      query: { version: 2 },
      token: admin,
    });
    expect((await list()).total).toBe(1);
    for (const { change } of [deleted, saved])
      expect((await server.call(undoChange, { params: { change: change! }, body: {}, token: admin })).status).toBe(200);
    expect((await list()).rows[0]).toMatchObject({ title: 'Map', sequence: 0 });
  });

  it('have captions in WebVTT, if they are videos', async () => {
    const [video, image] = [randomUUID(), randomUUID()];
    await upload(buildVideo(), `${video}/file`, 'a.mp4');
    await upload(photo, `${image}/file`, 'b.jpg');
    expect((await upload(captions, `${video}/captions?version=1`, 'a.vtt')).status).toBe(200);
    const [item] = (await list()).rows;
    const file = await read(item!.captions!, visitor);
    expect([file.headers['content-type'], file.body]).toEqual(['text/vtt', captions]);
    const refused = await Promise.all([
      upload('1\n00:00:00,000 --> 00:00:01,000\nHello', `${video}/captions?version=2`, 'a.srt'),
      upload(captions, `${image}/captions?version=1`, 'b.vtt'),
      upload(captions, `${randomUUID()}/captions?version=1`, 'c.vtt'),
    ]);
    expect(refused.map(({ status, refusal }) => [status, refusal.refusal?.message])).toEqual([
      [400, 'media.refused.noCaptions'],
      [400, 'media.refused.noVideo'],
      [404, undefined],
    ]);
  });

  it('are added with the flag import alone, and never as another type', async () => {
    expect((await upload(photo, `${randomUUID()}/file`, 'a.jpg', visitor)).status).toBe(403);
    const { status, refusal } = await upload('<script>alert(1)</script>', `${randomUUID()}/file`, 'a.jpg');
    expect([status, refusal.refusal?.message]).toEqual([400, 'core.refused.fileContent']);
  });
});
