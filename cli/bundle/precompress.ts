import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** What is worth sending compressed; pictures and fonts are already. */
const compressible = /\.(?:js|css|html|svg|json|webmanifest|txt|wasm)$/;
/** Below this the packet is not filled anyway. */
const smallest = 256;

export interface Compressed {
  readonly br: Uint8Array;
  readonly gz: Uint8Array;
}

/** Brotli and gzip of a file; undefined where it is not worth it. The same bytes in give the same bytes out. */
export async function precompress(path: string, content: Uint8Array): Promise<Compressed | undefined> {
  if (!compressible.test(path) || content.byteLength < smallest) return undefined;
  const [br, gz] = await Promise.all([
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength } }),
    zip(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gz };
}
