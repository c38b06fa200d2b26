import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import path from 'node:path';
import { routeUrl, basePath, findPage, routes } from '#core';
import { clientFile, formatClientScript, streamPath } from './dev-client.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
};

/** The current files and build problems. */
export interface DevState {
  /** By path under the base path, including both pages. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Changes with every build. */
  readonly build: string;
  /** Human-readable; empty if the build succeeded. */
  readonly problems: readonly string[];
}

/**
 * Serves the files of a product in development from memory, notifies its pages of rebuilds, and forwards other calls to
 * the API.
 */
export class DevServer {
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  readonly #getApiUrl: () => Promise<string>;
  #state: DevState = { files: new Map(), build: '', problems: [] };

  constructor(getApiUrl: () => Promise<string>) {
    this.#getApiUrl = getApiUrl;
    this.#server = createServer((request, response) => this.#answerRequest(request, response));
  }

  async listen(port: number, host: string): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const address = this.#server.address();
    return `http://${host}:${typeof address === 'object' && address ? address.port : port}`;
  }

  /** Serves this state from now on, and notifies open pages. */
  setState(state: DevState): void {
    this.#state = state;
    for (const stream of this.#streams) stream.write(this.#formatState());
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.end();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #formatState(): string {
    const { build, problems } = this.#state;
    return `event: build\ndata: ${JSON.stringify({ build, problems })}\n\n`;
  }

  #answerRequest(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (['/', basePath, `${basePath}/`].includes(pathname))
      response.writeHead(302, { location: `${basePath}${routeUrl(routes.login, {})}` }).end();
    else if (!pathname.startsWith(`${basePath}/`)) void this.#proxyRequest(request, response);
    else if (pathname === `${basePath}/${streamPath}`) this.#openStream(response);
    else if (pathname === `${basePath}/${clientFile}`)
      sendContent(response, 'client.js', Buffer.from(formatClientScript(basePath)));
    else this.#serveFile(decodeURIComponent(pathname.slice(basePath.length + 1)), response);
  }

  #serveFile(requestPath: string, response: ServerResponse): void {
    // The browser requests a worker by the URL that its source would have next to the script.
    const name = requestPath.replace(/\.worker\.ts$/, '.worker.js');
    const content = this.#state.files.get(name);
    if (content) sendContent(response, name, content);
    else if (path.extname(name) !== '') response.writeHead(404).end();
    else
      sendContent(
        response,
        'page.html',
        this.#state.files.get(findPage(name)) ?? Buffer.from('<!doctype html><title>Building</title>'),
      );
  }

  #openStream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(this.#formatState());
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
  }

  async #proxyRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const apiRequest = sendRequest(new URL(request.url ?? '/', await this.#getApiUrl()), {
        method: request.method,
        headers: request.headers,
      });
      apiRequest.once('response', (apiResponse) => {
        response.writeHead(apiResponse.statusCode ?? 502, apiResponse.headers);
        apiResponse.pipe(response);
      });
      apiRequest.once('error', (error) =>
        response.headersSent
          ? response.destroy()
          : response.writeHead(502, { 'content-type': 'text/plain' }).end(`The API does not answer: ${error.message}`),
      );
      response.once('close', () => apiRequest.destroy());
      request.pipe(apiRequest);
    } catch (error) {
      response
        .writeHead(503, { 'content-type': 'text/plain' })
        .end(error instanceof Error ? error.message : String(error));
    }
  }
}

function sendContent(response: ServerResponse, name: string, content: Uint8Array): void {
  response
    .writeHead(200, {
      'content-type': mediaTypes[path.extname(name)] ?? 'application/octet-stream',
      'cache-control': 'no-store',
    })
    .end(content);
}
