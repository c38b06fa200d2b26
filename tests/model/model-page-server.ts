import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';

const pageHtml =
  '<!doctype html><meta charset="utf-8"><title>model</title><link rel="icon" ' +
  'href="data:,"><style>html,body{margin:0;height:100%}#host{position:relative;width:100vw;height:100vh}</style><div ' +
  'id="host"></div><script src="/page.js"></script>';

export interface ModelPageServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the page of `engine-page.ts`, and models by path. */
export async function serveModelPage(models: Readonly<Record<string, Uint8Array>>): Promise<ModelPageServer> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'engine-page.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, verbatimModuleSyntax: true } },
    logLevel: 'error',
  });
  const script = outputFiles[0]?.contents ?? new Uint8Array();
  const server = http.createServer((request, response) => {
    const model = models[request.url ?? ''];
    if (request.url === '/') response.setHeader('content-type', 'text/html').end(pageHtml);
    else if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script);
    else if (model) response.setHeader('content-type', 'model/gltf-binary').end(model);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
