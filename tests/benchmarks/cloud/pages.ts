import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import type { ServedFile } from '../panorama/throttled-server.ts';
import { installPeers } from '../support/peers.ts';

const contenders = ['own', 'giro3d', 'potree'] as const;
export type Contender = (typeof contenders)[number];

const formatPage = (script: string): Buffer =>
  Buffer.from(
    '<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" ' +
      'href="data:,"><style>html,body{margin:0;height:100%}#host{position:relative;width:100vw;height:100vh}</style><div ' +
      `id="host"></div><script type="module" src="${script}"></script>`,
  );

const commonOptions: BuildOptions = {
  bundle: true,
  minify: true,
  write: false,
  outdir: '/',
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.wasm': 'file' },
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true, verbatimModuleSyntax: true } },
  logLevel: 'error',
};

/** Builds one page for each contender, with minified and compressed scripts and its decoder. */
export async function buildPages(root: string): Promise<ReadonlyMap<string, ServedFile>> {
  const peers = await installPeers(root);
  const files = new Map<string, ServedFile>();
  const addScripts = async (options: BuildOptions): Promise<void> => {
    const { outputFiles = [] } = await build({ ...commonOptions, ...options });
    for (const { path: name, contents } of outputFiles) {
      const isWasm = name.endsWith('.wasm');
      files.set(`/${path.basename(name)}`, {
        type: isWasm ? 'application/wasm' : 'text/javascript',
        body: gzipSync(contents, { level: 9 }),
        encoding: 'gzip',
      });
    }
  };
  await addScripts({
    entryPoints: {
      own: path.join(root, 'tests/benchmarks/cloud/own.page.ts'),
      'cloud.worker': path.join(root, 'plugins/scan/web/viewer/cloud/cloud.worker.ts'),
    },
  });
  await addScripts({ entryPoints: { giro3d: path.join(peers, 'giro3d.mjs'), potree: path.join(peers, 'potree.mjs') } });
  // The product's page refers to its worker by the source file.
  const worker = files.get('/cloud.worker.js');
  if (worker) files.set('/cloud.worker.ts', worker);
  files.set('/laz-perf.wasm', {
    type: 'application/wasm',
    body: gzipSync(await readFile(path.join(peers, 'node_modules/laz-perf/lib/worker/laz-perf.wasm')), { level: 9 }),
    encoding: 'gzip',
  });
  for (const contender of contenders)
    files.set(`/${contender}`, { type: 'text/html', body: formatPage(`/${contender}.js`) });
  return files;
}
