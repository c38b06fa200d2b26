import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { definePlugin, endpoint, type ErrorBody } from '#core';
import { startTestServer, type TestServer } from '#core/testing/server';
import { enabledPlugin } from '../kernel/enabled-plugin.ts';
import { serverPlugin } from '../kernel/server-plugin.ts';

const receivePhoto = endpoint('POST', '/api/refused-types/photo', {
  summary: 'Receive a photo.',
  access: 'signedIn',
  reply: Type.Object({}),
});
const manifest = definePlugin({
  id: 'refused-types',
  title: 'refused-types.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});
const plugin = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api: (api) =>
      api.serveUpload(receivePhoto, { accept: ['image/jpeg'], maximumBytes: 100_000 }, () => Promise.resolve({})),
  }),
);

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer({ plugins: [plugin] });
  token = await server.signIn();
});
afterAll(() => server.close());

async function send(name: string, content: Buffer): Promise<string> {
  const boundary = 'refused-types';
  const answer = await server.app.inject({
    method: 'POST',
    url: receivePhoto.path,
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  });
  return answer.json<ErrorBody>().message;
}

const unknownContent = Buffer.from('ASTM-E57 and nothing more');
const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n');

it('[IMP-02] names a refused type by its extension, never by a media type', async () => {
  expect(await send('station.E57', unknownContent)).toBe(
    '“station.E57”: Please choose valid file: the type .e57 is not accepted here.',
  );
  expect(await send('drawing.pdf', pdf)).toMatch(/the type \.pdf is not accepted here/);
  expect(await send('drawing', pdf)).toMatch(/the type \.pdf is not accepted here/);
  expect(await send('photo.JPEG', Buffer.from('no picture'))).toMatch(
    /named \.jpeg, but its content is of another type/,
  );
  expect(await send('photo.jpg', pdf)).toMatch(/it is named \.jpg but contains \.pdf, which is not accepted here/);
  expect(await send('photo', unknownContent)).toMatch(/its name has no extension/);
  for (const name of ['photo.jpg', 'photo', 'a.b.c', '.hidden'])
    for (const content of [unknownContent, pdf]) expect(await send(name, content)).not.toMatch(/\w+\/\w+|octet/);
});
