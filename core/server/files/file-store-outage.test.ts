import { expect, it } from 'vitest';
import { getMe } from '#core/api';
import { startTestServer } from '#core/testing/server';
import { startS3Server } from '../../testing/s3-server.ts';
import { FileStore } from './file-store.ts';

it('answers 503 for files while the file store is down, and serves everything else', async () => {
  const s3 = await startS3Server();
  const server = await startTestServer({ config: { files: s3.config } });
  const token = await server.signIn();
  const files = server.service(FileStore);
  const { id } = await files.put(
    { name: 'a.jpg', mediaType: 'image/jpeg', audience: { kind: 'public' } },
    Buffer.from('a picture'),
  );
  const read = () => server.app.inject(files.url(id));
  expect((await read()).statusCode).toBe(200);
  await s3.close();
  const failedReply = await read();
  expect([failedReply.statusCode, failedReply.json()]).toMatchObject([
    503,
    { code: 'E010', refusal: { message: 'core.refused.fileStore' } },
  ]);
  expect(failedReply.headers['cache-control']).toBe('no-store');
  expect(failedReply.body).not.toMatch(/127\.0\.0\.1|ECONN|walkdown\b.*bucket/);
  expect((await server.call(getMe, { token })).status).toBe(200);
  await server.close();
});
