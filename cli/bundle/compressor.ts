import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StepCache } from './step-cache.ts';

const { zlib: zlibVersion = '', brotli: brotliVersion = '' } = process.versions;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Worth compressing; images and fonts are already compressed. */
const compressible = /\.(?:js|css|html|svg|json|webmanifest|txt|wasm)$/;
/** Smaller files fit into one packet anyway. */
const minBytes = 256;

/** When a file is loaded: before the login is visible, before the app is visible, or later. */
export type Urgency = 'first' | 'next' | 'later';
/** Brotli's two highest levels take 15 times as long for 7 % fewer bytes: worth it only before the first screen. */
const qualities: Readonly<Record<Urgency, number>> = { first: constants.BROTLI_MAX_QUALITY, next: 10, later: 9 };

export interface Compressed {
  readonly gz: Uint8Array;
  /** Undefined if only sizes are needed. */
  readonly br: Uint8Array | undefined;
}

/** Compresses files in worker threads as soon as they are added. Deterministic. */
export class Compressor {
  readonly #cache: StepCache;
  readonly #brotli: boolean;
  readonly #files = new Map<string, Promise<Compressed>>();

  /** @param withBrotli false if nothing will be written, only measured */
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

  /** The gzip size of an added file. */
  async gzipBytes(path: string): Promise<number> {
    const file = await this.#files.get(path);
    if (!file) throw new Error(`'${path}' was not compressed.`);
    return file.gz.byteLength;
  }

  /** The variants to write next to a file of this size; undefined if not worth it. */
  async compressedVariants(
    path: string,
    bytes: number,
  ): Promise<{ readonly gz: Uint8Array; readonly br: Uint8Array } | undefined> {
    const file = bytes < minBytes ? undefined : await this.#files.get(path);
    return file?.br ? { gz: file.gz, br: file.br } : undefined;
  }
}
