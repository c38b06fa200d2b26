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

/** The blue value of a pixel tells whether it comes from the preview or from a tile of a level. */
export const previewBlue = 0;
export const getLevelBlue = (level: number): number => 80 * (level + 1);

export const buildPicture = (id: string, mesh = false): PanoramaTiles => ({
  id,
  address: `/pictures/${id}`,
  tileSize,
  levels,
  mesh,
});

/**
 * Serves the page of the engine, and images whose pixels encode their position: red grows from left to right, green
 * from top to bottom. Records requests and cancellations, and can delay responses.
 */
export class PictureServer {
  readonly requestedPaths: string[] = [];
  readonly cancelledPaths: string[] = [];
  /** Responses to matching paths wait until `release`. */
  delayedPaths: RegExp | undefined;
  /** The server answers matching paths with status 500. */
  failingPaths: RegExp | undefined;
  url = '';
  readonly #releases: (() => void)[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request.url ?? '/', response));
  readonly #files = new Map<string, Buffer>();
  #script = '';

  async start(): Promise<this> {
    const bundle = await build({
      entryPoints: [fileURLToPath(new URL('engine-page.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    });
    this.#script = bundle.outputFiles[0]?.text ?? '';
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  release(): void {
    this.delayedPaths = undefined;
    for (const release of this.#releases.splice(0)) release();
  }

  reset(): void {
    this.release();
    this.failingPaths = undefined;
    this.requestedPaths.length = 0;
    this.cancelledPaths.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const path = new URL(url, this.url).pathname;
    if (path === '/')
      return this.#send(
        response,
        'text/html',
        '<!doctype html><style>body{margin:0}#host{position:relative;width:100vw;height:100vh}</style><div ' +
          'id="host"></div><script src="/page.js"></script>',
      );
    if (path === '/page.js') return this.#send(response, 'text/javascript', this.#script);
    const fileName = /^\/pictures\/[^/]+\/(.+)$/.exec(path)?.[1];
    if (!fileName) return this.#send(response, 'text/plain', '', 404);
    this.requestedPaths.push(path);
    response.on('close', () => {
      if (!response.writableFinished) this.cancelledPaths.push(path);
    });
    if (this.delayedPaths?.test(path)) await new Promise<void>((resolve) => this.#releases.push(resolve));
    if (response.destroyed) return;
    if (this.failingPaths?.test(path)) return this.#send(response, 'text/plain', '', 500);
    this.#send(response, 'application/octet-stream', await this.#createFile(fileName));
  }

  #send(response: ServerResponse, type: string, body: string | Buffer, status = 200): void {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  }

  async #createFile(fileName: string): Promise<Buffer> {
    const file = this.#files.get(fileName) ?? (fileName === 'mesh.u16' ? buildMesh() : await drawImage(fileName));
    this.#files.set(fileName, file);
    return file;
  }
}

/** Builds the range mesh of a room whose walls are four metres away in all directions. */
function buildMesh(): Buffer {
  return Buffer.from(Uint16Array.from({ length: 257 * 129 }, () => 4000).buffer);
}

/** Draws a tile or the preview. */
async function drawImage(fileName: string): Promise<Buffer> {
  const tile = /^(\d)\/(\d+)_(\d+)\.jpg$/.exec(fileName);
  const level = tile ? levels[Number(tile[1])] : { width: 1024, height: 512 };
  if (!level) throw new Error(`There is no image ${fileName}.`);
  const left = tile ? Number(tile[2]) * tileSize : 0;
  const top = tile ? Number(tile[3]) * tileSize : 0;
  const [width, height] = tile ? [tileSize, tileSize] : [1024, 512];
  const blue = tile ? getLevelBlue(Number(tile[1])) : previewBlue;
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
