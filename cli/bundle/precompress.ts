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

/** Brotli's last two steps take 15 times as long for 7 % of the bytes: worth it for what stands between a person and the first screen. */
const qualities = { eager: constants.BROTLI_MAX_QUALITY, lazy: 9 } as const;

/** Brotli and gzip of a file; undefined where it is not worth it. The same bytes in give the same bytes out. */
export async function precompress(path: string, content: Uint8Array, when: keyof typeof qualities): Promise<Compressed | undefined> {
  if (!compressible.test(path) || content.byteLength < smallest) return undefined;
  const [br, gz] = await Promise.all([
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: qualities[when], [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength } }),
    zip(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gz };
}
