import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import sharp from 'sharp';
import type { PanoramaTiles } from '#plugins/tour';

const tileSize = 512;
const levels = [1024, 2048, 4096].map((width) => ({
  width,
  height: width / 2,
  columns: Math.ceil(width / tileSize),
  rows: Math.ceil(width / 2 / tileSize),
}));

/** The blue value encodes a pixel's source: the preview, or a level. */
export const previewBlue = 0;
export const blueOfLevel = (level: number): number => 80 * (level + 1);

export const buildPicture = (id: string, mesh = false): PanoramaTiles => ({
  id,
  address: `/pictures/${id}`,
  tileSize,
  levels,
  mesh,
});

/**
 * Serves the engine's page and images whose pixels encode their position: red from left to right, green from top to
 * bottom. Records requests and cancellations, and can delay responses.
 */
export class PictureServer {
  readonly requested: string[] = [];
  readonly abandoned: string[] = [];
  /** Responses to matching paths wait until `release`. */
  hold: RegExp | undefined;
  /** Matching paths are answered with status 500. */
  fail: RegExp | undefined;
  address = '';
  readonly #pending: (() => void)[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request.url ?? '/', response));
  readonly #files = new Map<string, Buffer>();
  #script = '';

  async start(): Promise<this> {
    const built = await build({
      entryPoints: [fileURLToPath(new URL('engine-page.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    });
    this.#script = built.outputFiles[0]?.text ?? '';
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  release(): void {
    this.hold = undefined;
    for (const go of this.#pending.splice(0)) go();
  }

  reset(): void {
    this.release();
    this.fail = undefined;
    this.requested.length = 0;
    this.abandoned.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const path = new URL(url, this.address).pathname;
    if (path === '/')
      return this.#send(
        response,
        'text/html',
        '<!doctype html><style>body{margin:0}#host{position:relative;width:100vw;height:100vh}</style><div ' +
          'id="host"></div><script src="/page.js"></script>',
      );
    if (path === '/page.js') return this.#send(response, 'text/javascript', this.#script);
    const part = /^\/pictures\/[^/]+\/(.+)$/.exec(path)?.[1];
    if (!part) return this.#send(response, 'text/plain', '', 404);
    this.requested.push(path);
    response.on('close', () => {
      if (!response.writableFinished) this.abandoned.push(path);
    });
    if (this.hold?.test(path)) await new Promise<void>((resolve) => this.#pending.push(resolve));
    if (response.destroyed) return;
    if (this.fail?.test(path)) return this.#send(response, 'text/plain', '', 500);
    this.#send(response, 'application/octet-stream', await this.#file(part));
  }

  #send(response: ServerResponse, type: string, body: string | Buffer, status = 200): void {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  }

  async #file(part: string): Promise<Buffer> {
    const known = this.#files.get(part) ?? (part === 'mesh.u16' ? mesh() : await image(part));
    this.#files.set(part, known);
    return known;
  }
}

/** A room with walls four metres away all around. */
function mesh(): Buffer {
  return Buffer.from(Uint16Array.from({ length: 257 * 129 }, () => 4000).buffer);
}

async function image(part: string): Promise<Buffer> {
  const tile = /^(\d)\/(\d+)_(\d+)\.jpg$/.exec(part);
  const level = tile ? levels[Number(tile[1])] : { width: 1024, height: 512 };
  if (!level) throw new Error(`No such part: ${part}`);
  const left = tile ? Number(tile[2]) * tileSize : 0;
  const top = tile ? Number(tile[3]) * tileSize : 0;
  const [width, height] = tile ? [tileSize, tileSize] : [1024, 512];
  const blue = tile ? blueOfLevel(Number(tile[1])) : previewBlue;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      pixels.set(
        [Math.round(((left + x + 0.5) / level.width) * 255), Math.round(((top + y + 0.5) / level.height) * 255), blue],
        (y * width + x) * 3,
      );
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
