import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StepCache } from './step-cache.ts';

const { zlib: zlibVersion = '', brotli: brotliVersion = '' } = process.versions;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** What is worth sending compressed; pictures and fonts are already. */
const compressible = /\.(?:js|css|html|svg|json|webmanifest|txt|wasm)$/;
/** Below this the packet is not filled anyway. */
const smallest = 256;

/** When a file is fetched: before a person sees the login, before they see the app, or later. */
export type Urgency = 'first' | 'next' | 'later';
/**
 * Brotli's last two steps take 15 times as long for 7 % of the bytes: worth it for what stands between a person and the
 * first screen.
 */
const qualities: Readonly<Record<Urgency, number>> = { first: constants.BROTLI_MAX_QUALITY, next: 10, later: 9 };

export interface Compressed {
  readonly gz: Uint8Array;
  /** Undefined where only sizes are asked for. */
  readonly br: Uint8Array | undefined;
}

/**
 * Compresses files side by side in other threads, from the moment they are added. The same bytes in give the same bytes
 * out.
 */
export class Compressor {
  readonly #cache: StepCache;
  readonly #brotli: boolean;
  readonly #files = new Map<string, Promise<Compressed>>();

  /** @param withBrotli false where nothing will be written, only measured */
  constructor(cache: StepCache, withBrotli: boolean) {
    this.#cache = cache;
    this.#brotli = withBrotli;
  }

  add(path: string, content: Uint8Array, urgency: Urgency): void {
    if (this.#files.has(path) || !compressible.test(path)) return;
    const quality = qualities[urgency];
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    };
    const gz = this.#cache.remember(['gzip', zlibVersion, content], () =>
      zip(content, { level: constants.Z_BEST_COMPRESSION }),
    );
    const br = this.#brotli
      ? this.#cache.remember(['brotli', brotliVersion, `${quality}`, content], () => brotli(content, { params }))
      : undefined;
    this.#files.set(
      path,
      Promise.all([gz, br]).then(([zipped, smaller]) => ({ gz: zipped, br: smaller })),
    );
  }

  /** Bytes of a file that was added, compressed by gzip. */
  async gzipBytes(path: string): Promise<number> {
    const file = await this.#files.get(path);
    if (!file) throw new Error(`'${path}' was not compressed.`);
    return file.gz.byteLength;
  }

  /** What is to be written beside a file of this size; undefined where it is not worth it. */
  async beside(path: string, bytes: number): Promise<{ readonly gz: Uint8Array; readonly br: Uint8Array } | undefined> {
    const file = bytes < smallest ? undefined : await this.#files.get(path);
    return file?.br ? { gz: file.gz, br: file.br } : undefined;
  }
}
