import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import type { ServerConfig } from '../server/kernel/server-config.ts';
import { Secret } from '../server/kernel/secret.ts';

/** A running S3-compatible server with one empty bucket. */
export interface S3Server {
  /** Configures Walkdown's server to store files in the bucket. */
  readonly config: Extract<ServerConfig['files'], { kind: 's3' }>;
  /** The same configuration as environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Keys of all objects, sorted. */
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const bucket = 'walkdown';
const accessKey = 'S3RVER';

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'walkdown-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const folder = path.join(directory, bucket);
  const suffix = '._S3rver_object';
  return {
    config: {
      kind: 's3',
      bucket,
      region: 'us-east-1',
      endpoint,
      accessKeyId: accessKey,
      secretAccessKey: new Secret(accessKey),
    },
    environment: {
      S3_BUCKET: bucket,
      S3_REGION: 'us-east-1',
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: accessKey,
      S3_SECRET_ACCESS_KEY: accessKey,
    },
    list: async () => {
      const entries = await readdir(folder, { recursive: true });
      return entries
        .filter((entry) => entry.endsWith(suffix))
        .map((entry) => entry.slice(0, -suffix.length))
        .sort();
    },
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
