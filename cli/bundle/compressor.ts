import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StepCache } from './step-cache.ts';

const { zlib: zlibVersion = '', brotli: brotliVersion = '' } = process.versions;
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Files that are compressed. Images and fonts are compressed already. */
const compressible = /\.(?:js|css|html|svg|json|webmanifest|txt|wasm)$/;
/** Smaller files fit into one packet anyway. */
const minBytes = 256;

/** When the browser loads a file: before it shows the sign-in page, before it shows the app, or later. */
export type Urgency = 'first' | 'next' | 'later';
/** Brotli's two highest levels take 15 times as long and save 7 % of the bytes. Only urgent files get them. */
const qualities: Readonly<Record<Urgency, number>> = { first: constants.BROTLI_MAX_QUALITY, next: 10, later: 9 };

export interface Compressed {
  readonly gz: Uint8Array;
  /** Undefined if the files are only measured. */
  readonly br: Uint8Array | undefined;
}

/** Compresses files in worker threads as soon as they are added. Deterministic. */
export class Compressor {
  readonly #cache: StepCache;
  readonly #withBrotli: boolean;
  readonly #files = new Map<string, Promise<Compressed>>();

  /** @param withBrotli false if the files are only measured and not written */
  constructor(cache: StepCache, withBrotli: boolean) {
    this.#cache = cache;
    this.#withBrotli = withBrotli;
  }

  add(path: string, content: Uint8Array, urgency: Urgency): void {
    if (this.#files.has(path) || !compressible.test(path)) return;
    const quality = qualities[urgency];
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    };
    const gz = this.#cache.getOrCompute(['gzip', zlibVersion, content], () =>
      compressGzip(content, { level: constants.Z_BEST_COMPRESSION }),
    );
    const br = this.#withBrotli
      ? this.#cache.getOrCompute(['brotli', brotliVersion, `${quality}`, content], () =>
          compressBrotli(content, { params }),
        )
      : undefined;
    this.#files.set(
      path,
      Promise.all([gz, br]).then(([gzBytes, brBytes]) => ({ gz: gzBytes, br: brBytes })),
    );
  }

  /** The gzip size of an added file. */
  async getGzipBytes(path: string): Promise<number> {
    const file = await this.#files.get(path);
    if (!file) throw new Error(`'${path}' was not compressed.`);
    return file.gz.byteLength;
  }

  /** The variants to write next to a file of this size; undefined for a file that is not compressed. */
  async findVariants(
    path: string,
    bytes: number,
  ): Promise<{ readonly gz: Uint8Array; readonly br: Uint8Array } | undefined> {
    const file = bytes < minBytes ? undefined : await this.#files.get(path);
    return file?.br ? { gz: file.gz, br: file.br } : undefined;
  }
}
