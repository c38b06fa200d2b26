import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build, type BuildOptions, type OutputFile, type Plugin } from 'esbuild';
import { createContentSecurityPolicy } from '../../cli/bundle/content-security.ts';
import { rewriteWorkerUrls, webWorkers } from '../../cli/bundle/web-workers.ts';

const root = path.resolve(import.meta.dirname, '../..');
const options: BuildOptions & { outdir: string; publicPath: string } = {
  absWorkingDir: root,
  outdir: '.generated/out',
  publicPath: '',
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'error',
};
const workerUrls: Plugin = {
  name: 'worker-addresses',
  setup(bundler) {
    bundler.onLoad({ filter: /open-pdf\.ts$/ }, async ({ path: file }) => ({
      contents: rewriteWorkerUrls(await readFile(file, 'utf8')),
      loader: 'ts',
    }));
  },
};

export interface PdfPageServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the page of `pdf-page.ts` with the strictest policy of a product, and PDFs by path. */
export async function servePdfPage(pdfs: ReadonlyMap<string, Uint8Array>): Promise<PdfPageServer> {
  const workerFiles: OutputFile[] = [];
  const { outputFiles } = await build({
    ...options,
    entryPoints: { page: path.join(import.meta.dirname, 'pdf-page.ts') },
    plugins: [webWorkers(options, [], (worker) => workerFiles.push(...worker.outputFiles)), workerUrls],
  });
  const folder = path.join(root, options.outdir);
  const scripts = new Map(
    [...(outputFiles ?? []), ...workerFiles].map(({ path: file, contents }) => [
      `/${path.relative(folder, file).split(path.sep).join('/')}`,
      contents,
    ]),
  );
  const { header } = createContentSecurityPolicy({
    connectOrigins: [],
    inlineScripts: [],
    inlineStyles: [],
    webAssembly: false,
  });
  const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://page.test');
    const script = scripts.get(pathname);
    const pdf = pdfs.get(pathname);
    response.setHeader('content-security-policy', header);
    if (pathname === '/') response.setHeader('content-type', 'text/html').end(html);
    else if (script) response.setHeader('content-type', 'text/javascript').end(script);
    else if (pdf) response.setHeader('content-type', 'application/pdf').end(pdf);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
