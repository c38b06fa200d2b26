import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import sharp from 'sharp';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definePlugin, endpoint, type ErrorBody } from '#core';
import {
  buildBrokenForm,
  createRandom,
  sendBrokenForm,
  soakCount,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import { enabledPlugin } from '../kernel/enabled-plugin.ts';
import { serverPlugin } from '../kernel/server-plugin.ts';
import { removeOldUploads, uploadsFolder } from './receive-upload.ts';

const receivePhotos = endpoint('POST', '/api/uploads/photos', {
  summary: 'Receive photos.',
  access: 'signedIn',
  status: 201,
  query: Type.Object({ note: Type.Optional(Type.String()) }),
  reply: Type.Object({
    files: Type.Array(
      Type.Object({ name: Type.String(), mediaType: Type.String(), bytes: Type.Number(), readLength: Type.Number() }),
    ),
    fields: Type.Record(Type.String(), Type.String()),
    by: Type.String(),
  }),
});

const manifest = definePlugin({
  id: 'uploads',
  title: 'uploads.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});
const maximumBytes = 200_000;
const plugin = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api: (api) =>
      api.serveUpload(
        receivePhotos,
        { accept: ['image/jpeg', 'image/png', 'image/svg+xml'], maximumBytes, maximumFiles: 2 },
        async ({ caller }, upload) => {
          if (upload.fields['fail'] !== undefined) throw new Error('the handler failed');
          const files = await Promise.all(
            upload.files.map(async (file) => ({
              name: file.name,
              mediaType: file.mediaType,
              bytes: file.bytes,
              readLength:
                file.mediaType === 'image/svg+xml'
                  ? (await text(file.stream())).length
                  : (await buffer(file.stream())).length,
              path: file.path,
            })),
          );
          return { files, fields: upload.fields, by: caller.uid };
        },
      ),
  }),
);

interface UploadReply {
  readonly status: number;
  readonly body: string;
}

describe('an upload endpoint', () => {
  let server: TestServer;
  let address: string;
  let token: string;
  let photo: Buffer;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [plugin] });
    address = await server.url();
    token = await server.signIn();
    photo = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#369' } })
      .jpeg()
      .toBuffer();
  });
  afterAll(() => server.close());

  const listLeftovers = async (): Promise<readonly string[]> =>
    existsSync(uploadsFolder(server.config)) ? readdir(uploadsFolder(server.config), { recursive: true }) : [];
  async function send(
    form: FormData,
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${token}` },
  ): Promise<UploadReply> {
    const answer = await fetch(`${address}/api/uploads/photos`, { method: 'POST', headers, body: form });
    return { status: answer.status, body: await answer.text() };
  }
  const buildForm = (...files: readonly (readonly [name: string, content: Uint8Array | string])[]): FormData => {
    const form = new FormData();
    for (const [name, content] of files) form.append('photo', new Blob([content as never]), name);
    return form;
  };
  const parseError = (response: UploadReply): ErrorBody => JSON.parse(response.body) as ErrorBody;

  it('passes files and fields to the handler, and removes the temporary files', async () => {
    const form = buildForm(['../../etc/P-101\u202egpj.exe', photo], ['x.png', photo]);
    form.append('title', 'Pump');
    const response = await send(form);
    expect(response.status).toBe(201);
    expect(JSON.parse(response.body)).toEqual({
      files: [
        { name: 'P-101gpj.exe', mediaType: 'image/jpeg', bytes: photo.length, readLength: photo.length },
        { name: 'x.png', mediaType: 'image/jpeg', bytes: photo.length, readLength: photo.length },
      ],
      fields: { title: 'Pump' },
      by: expect.any(String) as string,
    });
    expect(await listLeftovers()).toEqual([]);
  });

  it('sanitises an SVG file', async () => {
    const response = await send(
      buildForm([
        'logo.svg',
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect width="1"/></svg>',
      ]),
    );
    expect(JSON.parse(response.body)).toMatchObject({
      files: [
        {
          mediaType: 'image/svg+xml',
          bytes: '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"></rect></svg>'.length,
        },
      ],
    });
  });

  it('authenticates before it reads the body', async () => {
    expect((await send(buildForm(['a.jpg', photo]), {})).status).toBe(401);
  });

  it('detects the type by the bytes, not by the name', async () => {
    for (const [name, content] of [
      ['a.jpg', '%PDF-1.7'],
      ['a.jpg', '<html></html>'],
      ['a.svg', '<html></html>'],
      ['a.png', ''],
      ['a.jpg', 'MZ\x90\x00'],
    ] as const) {
      const response = await send(buildForm([name, content]));
      expect([name, response.status]).toEqual([name, 400]);
      expect(parseError(response)).toMatchObject({
        code: 'E002',
        fields: [{ pointer: '/photo', message: 'core.validation.fileType' }],
      });
    }
    expect(await listLeftovers()).toEqual([]);
  });

  it('refuses files that are too large or too many with 413', async () => {
    const large = Buffer.concat([photo, Buffer.alloc(maximumBytes)]);
    expect(parseError(await send(buildForm(['a.jpg', large]))).code).toBe('E009');
    expect((await send(buildForm(['a.jpg', Buffer.alloc(3 * maximumBytes)]))).status).toBe(413);
    expect((await send(buildForm(['a.jpg', photo], ['b.jpg', photo], ['c.jpg', photo]))).status).toBe(413);
    const fields = buildForm(['a.jpg', photo]);
    for (let index = 0; index < 200; index++) fields.append(`f${index}`, 'x');
    expect((await send(fields)).status).toBe(413);
    const longField = new FormData();
    longField.append('note', 'x'.repeat(100_000));
    expect((await send(longField)).status).toBe(413);
    expect(await listLeftovers()).toEqual([]);
  });

  it("refuses a file above the environment's limit, even if the endpoint allows larger files", async () => {
    const uploadBytes = 2000;
    const strict = await startTestServer({ plugins: [plugin], config: { limits: { uploadBytes } } });
    const sendBytes = async (bytes: number, length: 'declared' | 'undeclared') => {
      const content = Buffer.concat([photo, Buffer.alloc(bytes - photo.length)]);
      const form = new Response(buildForm(['a.jpg', content]));
      const body = length === 'declared' ? await form.arrayBuffer() : form.body;
      const answer = await fetch(`${await strict.url()}${receivePhotos.path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${strictToken}`,
          'content-type': form.headers.get('content-type') ?? '',
        },
        body,
        ...(length === 'declared' ? {} : { duplex: 'half' }),
      });
      return answer.status;
    };
    const strictToken = await strict.signIn();
    for (const length of ['declared', 'undeclared'] as const)
      for (const bytes of [uploadBytes + 1, maximumBytes, uploadBytes])
        expect([length, bytes, await sendBytes(bytes, length)]).toEqual([
          length,
          bytes,
          bytes > uploadBytes ? 413 : 201,
        ]);
    await strict.close();
  });

  it('refuses a duplicate field', async () => {
    const form = buildForm(['a.jpg', photo]);
    for (const title of ['Pump', 'Valve']) form.append('title', title);
    const response = await send(form);
    expect(response.status).toBe(400);
    expect(parseError(response)).toMatchObject({
      refusal: { message: 'core.refused.fieldRepeated' },
      fields: [{ pointer: '/title', message: 'core.validation.duplicate' }],
    });
    expect(await listLeftovers()).toEqual([]);
  });

  it('refuses a form without a file', async () => {
    const form = new FormData();
    form.append('title', 'Pump');
    expect((await send(form)).status).toBe(400);
    expect((await send(new FormData())).status).toBe(400);
  });

  it('removes the files if the handler fails', async () => {
    const form = buildForm(['a.jpg', photo]);
    form.append('fail', 'yes');
    expect((await send(form)).status).toBe(500);
    expect(await listLeftovers()).toEqual([]);
  });

  const count = soakCount(100, 1000);
  it(`answers ${count} malformed uploads with client errors, and leaves no files`, async () => {
    const before = process.memoryUsage().rss;
    const statuses = new Map<number, number>();
    const random = createRandom(4711);
    for (let index = 0; index < count; index++) {
      const status = await sendBrokenForm(
        `${address}/api/uploads/photos`,
        token,
        buildBrokenForm(photo, index, random),
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect([...statuses.values()].reduce((sum, times) => sum + times, 0)).toBe(count);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(count / 4);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
    await expect.poll(listLeftovers).toEqual([]);
    expect((await send(buildForm(['a.jpg', photo]))).status).toBe(201);
  });

  it('removes uploads of killed servers after a day, or at once if no other process uses the folder', async () => {
    const folder = path.join(server.config.dataFolder, 'uploads-of-killed');
    const now = Date.now();
    const createFolders = async (): Promise<void> => {
      for (const [name, age] of [
        ['old', 25],
        ['new', 1],
      ] as const) {
        await mkdir(path.join(folder, name), { recursive: true });
        await utimes(path.join(folder, name), new Date(now - age * 3_600_000), new Date(now - age * 3_600_000));
      }
    };
    await createFolders();
    await removeOldUploads(folder, false, now);
    expect(await readdir(folder)).toEqual(['new']);
    await removeOldUploads(folder, true, now);
    expect(await readdir(folder)).toEqual([]);
    await removeOldUploads(path.join(folder, 'absent'), true, now);
  });
});
