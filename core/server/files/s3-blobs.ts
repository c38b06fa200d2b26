import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as clientPackage from '@aws-sdk/client-s3';
import type * as storagePackage from '@aws-sdk/lib-storage';
import type { ServerConfig } from '../kernel/server-config.ts';
import { BlobNotFoundError, forEachEntry, Meter, summarize, type BlobStore, type BlobSummary } from './blob-store.ts';
import type { ByteRange, FolderEntry, StoredEntry } from './file-store.ts';

type S3Config = Extract<ServerConfig['files'], { kind: 's3' }>;
/** Loaded only for S3, because loading takes 0.14 s of CPU time. */
type S3Packages = typeof clientPackage & typeof storagePackage;

const maxConcurrentWrites = 8;
const partBytes = 8 * 1024 * 1024;

/**
 * Blobs as objects `files/<id>` and `files/<id>/<path>` of one bucket. Objects are created atomically. A kill can leave
 * parts of a multipart upload, which no listing shows, so the bucket needs a lifecycle rule that aborts incomplete
 * uploads after a day.
 */
export class S3Blobs implements BlobStore {
  readonly #packages: S3Packages;
  readonly #client: clientPackage.S3Client;
  readonly #bucket: string;

  private constructor(config: S3Config, packages: S3Packages) {
    this.#packages = packages;
    this.#bucket = config.bucket;
    this.#client = new packages.S3Client({
      region: config.region,
      ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint, forcePathStyle: true }),
      ...(config.accessKeyId === undefined || config.secretAccessKey === undefined
        ? {}
        : { credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey.reveal() } }),
      // The default adds checksums in trailers, which S3-compatible stores save as content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
    });
  }

  static async open(config: S3Config): Promise<S3Blobs> {
    const [client, storage] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
    return new S3Blobs(config, { ...client, ...storage });
  }

  async write(id: string, content: Readable | Uint8Array): Promise<BlobSummary> {
    if (content instanceof Uint8Array) {
      await this.#put(toKey(id), content);
      return summarize(content);
    }
    const meter = new Meter();
    const upload = new this.#packages.Upload({
      client: this.#client,
      params: { Bucket: this.#bucket, Key: toKey(id), Body: meter },
      partSize: partBytes,
      queueSize: 2,
      leavePartsOnError: false,
    });
    const failures: unknown[] = [];
    const contentRead = pipeline(content, meter).catch(async (error: unknown) => {
      failures.push(error);
      await upload.abort();
    });
    await upload.done().catch((error: unknown) => {
      failures.push(error);
      meter.destroy();
    });
    await contentRead;
    if (failures.length > 0) throw failures[0];
    return meter.toSummary();
  }

  async writeFolder(
    id: string,
    entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>,
  ): Promise<readonly StoredEntry[]> {
    return forEachEntry(entries, maxConcurrentWrites, async (entry): Promise<StoredEntry> => {
      await this.#put(toKey(id, entry.path), entry.content);
      return { path: entry.path, ...summarize(entry.content) };
    });
  }

  async read(id: string, entryPath: string | undefined, range: ByteRange | undefined): Promise<Readable> {
    const object = await this.#client
      .send(
        new this.#packages.GetObjectCommand({
          Bucket: this.#bucket,
          Key: toKey(id, entryPath),
          ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
        }),
      )
      .catch((error: unknown) => {
        throw error instanceof this.#packages.NoSuchKey
          ? new BlobNotFoundError(`The file '${id}' is not in the bucket '${this.#bucket}'.`, { cause: error })
          : error;
      });
    return object.Body as Readable;
  }

  async remove(id: string): Promise<void> {
    await this.#delete([toKey(id)]);
    for (;;) {
      const page = await this.#client.send(
        new this.#packages.ListObjectsV2Command({ Bucket: this.#bucket, Prefix: `${toKey(id)}/` }),
      );
      const keys = (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
      if (keys.length === 0) return;
      await this.#delete(keys);
    }
  }

  async check(): Promise<void> {
    await this.#client.send(new this.#packages.HeadBucketCommand({ Bucket: this.#bucket })).catch((cause: unknown) => {
      const status = cause instanceof this.#packages.S3ServiceException ? cause.$metadata.httpStatusCode : undefined;
      throw new Error(`The bucket '${this.#bucket}' ${describeProblem(status, cause)}`, { cause });
    });
  }

  close(): void {
    this.#client.destroy();
  }

  async #put(key: string, content: Uint8Array): Promise<void> {
    await this.#client.send(
      new this.#packages.PutObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        Body: content,
        ContentLength: content.length,
      }),
    );
  }

  async #delete(keys: readonly string[]): Promise<void> {
    const { Errors: errors } = await this.#client.send(
      new this.#packages.DeleteObjectsCommand({
        Bucket: this.#bucket,
        Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
      }),
    );
    const [first] = errors ?? [];
    if (first !== undefined)
      throw new Error(
        `The object '${first.Key}' could not be removed from the bucket '${this.#bucket}': ` +
          `${first.Message ?? first.Code}.`,
      );
  }
}

const toKey = (id: string, entryPath?: string): string =>
  entryPath === undefined ? `files/${id}` : `files/${id}/${entryPath}`;

/** Explains a failed request for the bucket, with the remedy. A reply to HEAD has a status but no message. */
function describeProblem(status: number | undefined, cause: unknown): string {
  if (status === 404) return 'does not exist. Create it, or correct S3_BUCKET or S3_ENDPOINT.';
  if (status === 403)
    return (
      'refuses the keys. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and that they may read, write, list and ' +
      'delete.'
    );
  if (status === 301 || status === 400) return 'is in another region. Check S3_REGION and S3_ENDPOINT.';
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return `cannot be reached (${status === undefined ? reason : `status ${status}`}). Check S3_ENDPOINT, S3_REGION and the keys.`;
}
