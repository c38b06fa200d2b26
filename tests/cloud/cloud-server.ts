import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';

/** Serves the page that shows a cloud, its worker, and byte ranges of files. */
export class CloudServer {
  readonly files = new Map<string, Uint8Array>();
  /** The server answers matching paths with status 500. */
  failingPaths: RegExp | undefined;
  /** Changes the bytes of a file before they are sent. */
  damage: ((name: string, bytes: Uint8Array) => Uint8Array) | undefined;
  readonly requestedPaths: string[] = [];
  url = '';
  readonly #scripts = new Map<string, Uint8Array>();
  readonly #entry: string;
  readonly #server = createServer((request, response) =>
    this.#answer(new URL(request.url ?? '/', 'http://x').pathname, request.headers.range, response),
  );

  /** @param entry path of the script of the page */
  constructor(entry = path.join(import.meta.dirname, 'cloud-page.ts')) {
    this.#entry = entry;
  }

  async start(): Promise<this> {
    const workerFolder = path.resolve(import.meta.dirname, '../../plugins/scan/web/viewer/cloud');
    const bundle = await build({
      entryPoints: { page: this.#entry, 'cloud.worker': path.join(workerFolder, 'cloud.worker.ts') },
      outdir: '/',
      publicPath: '/',
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      loader: { '.wasm': 'file' },
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    });
    for (const { path: name, contents } of bundle.outputFiles) this.#scripts.set(`/${path.basename(name)}`, contents);
    const worker = this.#scripts.get('/cloud.worker.js');
    if (worker) this.#scripts.set('/cloud.worker.ts', worker);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  reset(): void {
    this.failingPaths = undefined;
    this.damage = undefined;
    this.requestedPaths.length = 0;
  }

  #answer(name: string, range: string | undefined, response: ServerResponse): void {
    if (name === '/')
      return this.#send(
        response,
        200,
        'text/html',
        '<!doctype html><link rel="icon" ' +
          'href="data:,"><style>body{margin:0}#host{position:relative;width:100vw;height:100vh}</style><div ' +
          'id="host"></div><script type="module" src="/page.js"></script>',
      );
    const script = this.#scripts.get(name);
    if (script)
      return this.#send(response, 200, name.endsWith('.wasm') ? 'application/wasm' : 'text/javascript', script);
    const file = this.files.get(name.slice(1));
    if (!file) return this.#send(response, 404, 'text/plain', '');
    this.requestedPaths.push(name);
    if (this.failingPaths?.test(name)) return this.#send(response, 500, 'text/plain', '');
    const bytes = this.damage?.(name, file) ?? file;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    if (first === undefined || last === undefined) return this.#send(response, 200, 'application/octet-stream', bytes);
    this.#send(response, 206, 'application/octet-stream', bytes.subarray(Number(first), Number(last) + 1));
  }

  #send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  }
}
