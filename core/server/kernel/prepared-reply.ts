import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * A reply that is serialised once and sent many times: created by `prepareReply`, cached by the handler's owner until
 * its data change, and returned by the handler. The kernel sends it in the client's encoding, and 304 if the client's
 * copy is current.
 */
export class PreparedReply {
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer | undefined;
  readonly brotli: Buffer | undefined;

  constructor(content: {
    readonly etag: string;
    readonly plain: Buffer;
    readonly gzip?: Buffer;
    readonly brotli?: Buffer;
  }) {
    this.etag = content.etag;
    this.plain = content.plain;
    this.gzip = content.gzip;
    this.brotli = content.brotli;
  }
}

const minCompressedBytes = 1024;

/**
 * Serialises and compresses a value, which must match the reply schema: no property is removed from it.
 */
export async function prepareReply(value: unknown): Promise<PreparedReply> {
  const plain = Buffer.from(JSON.stringify(value));
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
  if (plain.length < minCompressedBytes) return new PreparedReply({ etag, plain });
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
  ]);
  return new PreparedReply({ etag, plain, gzip: gzipped, brotli });
}
