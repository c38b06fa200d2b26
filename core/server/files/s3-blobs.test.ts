import { afterAll, beforeAll, expect, it } from 'vitest';
import { startS3Server, type S3Server } from '../../testing/s3-server.ts';
import { Secret } from '../kernel/secret.ts';
import { S3Blobs } from './s3-blobs.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());

const check = async (changes: Partial<S3Server['config']>): Promise<string> => {
  const blobs = await S3Blobs.open({ ...server.config, ...changes });
  try {
    return await blobs.check().then(
      () => 'fine',
      (error: unknown) => String(error),
    );
  } finally {
    blobs.close();
  }
};

it('explains why a bucket cannot be used, with the remedy', async () => {
  expect(await check({})).toBe('fine');
  expect(await check({ bucket: 'none' })).toBe(
    "Error: The bucket 'none' does not exist. Create it, or correct S3_BUCKET or S3_ENDPOINT.",
  );
  expect(await check({ accessKeyId: 'OTHER', secretAccessKey: new Secret('hush') })).toMatch(
    /^Error: The bucket 'walkdown' refuses the keys\. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/,
  );
  expect(await check({ endpoint: 'http://127.0.0.1:1' })).toMatch(
    /^Error: The bucket 'walkdown' cannot be reached \(.*ECONNREFUSED.*\)\. Check S3_ENDPOINT/,
  );
});
