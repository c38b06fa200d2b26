import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ErrorBody } from '#core';
import { undoChange, type Changed } from '#core/api';
import { Callers, enabledPlugin, FileStore, SiteContents } from '#core/server';
import {
  buildSiteImport,
  buildVideo,
  describeOnDatabases,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
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
    admin = await server.signIn({ flags: ['import'] });
    visitor = await server.signIn({ flags: [] });
    photo = await sharp({ create: { width: 640, height: 360, channels: 3, background: 'red' } })
      .withExif({ IFD3: { GPSLatitude: '59/1 0/1 0/1' } })
      .jpeg()
      .toBuffer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.database.of<MediaTables>('media').deleteFrom('item').execute();
  });

  const upload = async (content: Buffer | string, target: string, name: string, token = admin) => {
    const form = new FormData();
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
    const url = `${await server.url()}/api/media/items/${target}`;
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
    const { body: update } = await server.call(saveItem, { params: { item: image }, body, token: admin });
    const [first, second] = (await list()).rows;
    expect(second).toMatchObject({ title: 'Plan', frenchTitle: 'Le plan', sequence: 9, version: 2 });
    expect((await read(first!.address, visitor)).body).not.toContain('+59');
    expect((await sharp((await read(second!.address, visitor)).rawPayload).metadata()).exif).toBeUndefined();
    expect((await read(second!.address)).statusCode).toBe(401);
    const lateReply = await server.call(saveItem, { params: { item: image }, body, token: admin });
    expect([lateReply.status, lateReply.refusal.current]).toMatchObject([409, { title: 'Plan', version: 2 }]);
    const { body: deletion } = await server.call(deleteItem, {
      params: { item: image },
      query: { version: 2 },
      token: admin,
    });
    expect((await list()).total).toBe(1);
    for (const { change } of [deletion, update])
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
    const refusedReplies = await Promise.all([
      upload('1\n00:00:00,000 --> 00:00:01,000\nHello', `${video}/captions?version=2`, 'a.srt'),
      upload(captions, `${image}/captions?version=1`, 'b.vtt'),
      upload(captions, `${randomUUID()}/captions?version=1`, 'c.vtt'),
    ]);
    expect(refusedReplies.map(({ status, refusal }) => [status, refusal.refusal?.message])).toEqual([
      [400, 'media.refused.noCaptions'],
      [400, 'media.refused.noVideo'],
      [404, undefined],
    ]);
  });

  it('cannot be added without the flag import, nor with bytes of another file type', async () => {
    expect((await upload(photo, `${randomUUID()}/file`, 'a.jpg', visitor)).status).toBe(403);
    const { status, refusal } = await upload('<script>alert(1)</script>', `${randomUUID()}/file`, 'a.jpg');
    expect([status, refusal.refusal?.message]).toEqual([400, 'core.refused.fileContent']);
  });

  it('are checked by their bytes and freed of metadata when a site is imported, as uploads are', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-media-test-'));
    const { uid } = await server.addPerson({ flags: ['import', 'configure'] });
    const author = { caller: (await server.service(Callers).find({ uid }))!, requestId: 'site' };
    const content = server
      .service(SiteContents)
      .list()
      .find(({ key }) => key === 'media.media')!;
    const buildItem = (file: string, video: boolean, texts: string | null = null) => ({
      uid: randomUUID(),
      title: file,
      frenchTitle: null,
      sequence: 1,
      media: { file, name: file, video },
      captions: texts,
    });
    const build = (items: readonly ReturnType<typeof buildItem>[], files: Readonly<Record<string, string | Buffer>>) =>
      buildSiteImport({ folder, site: 's', author, files: { ...files, 'items.json': items } });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
    for (const [file, bytes, video, texts] of [
      ['promo.mp4', 'no video', true, undefined],
      ['promo.mp4', buildVideo(), false, undefined],
      ['promo.mp4', buildVideo(), true, '<script>alert(1)</script>'],
      ['large.svg', svg.padEnd(6 * 1024 * 1024), false, undefined],
    ] as const) {
      const items = [buildItem(file, video, texts === undefined ? null : 'captions.vtt')];
      const source = await build(items, { [file]: bytes, ...(texts === undefined ? {} : { 'captions.vtt': texts }) });
      await expect(content.check!(source)).rejects.toMatchObject({ userMessage: { message: expect.any(String) } });
    }
    const source = await build(
      [buildItem('promo.mov', true, 'captions'), buildItem('drawing.svg', false), buildItem('photo.jpg', false)],
      {
        'promo.mov': buildVideo({ place: '+59' }),
        captions,
        'drawing.svg': svg.replace('<path', '<path onclick="alert(1)"'),
        'photo.jpg': photo,
      },
    );
    await content.check!(source);
    expect(await content.import(source)).toEqual({ added: 3, changed: 0, unchanged: 0 });
    expect(await content.import(source)).toMatchObject({ added: 0, changed: 0, unchanged: 3 });
    const rows = await server.database.of<MediaTables>('media').selectFrom('item').selectAll().execute();
    const readStored = async (id: string) => Buffer.concat(await (await server.service(FileStore).read(id)).toArray());
    const byTitle = async (title: string) => {
      const row = rows.find((candidate) => candidate.title === title)!;
      return { row, bytes: await readStored(row.file), file: (await server.service(FileStore).find(row.file))! };
    };
    const video = await byTitle('promo.mov');
    expect([video.file.mediaType, video.bytes.includes('+59')]).toEqual(['video/mp4', false]);
    expect((await server.service(FileStore).find(video.row.captions!))!.mediaType).toBe('text/vtt');
    expect((await byTitle('drawing.svg')).bytes.toString()).not.toContain('onclick');
    expect((await sharp((await byTitle('photo.jpg')).bytes).metadata()).exif).toBeUndefined();
    await rm(folder, { recursive: true });
  });
});
