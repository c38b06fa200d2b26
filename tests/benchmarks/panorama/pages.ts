import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { installPeers } from '../support/peers.ts';
import type { ServedFile } from './line-server.ts';

export const contenders = ['own', 'photo-sphere-viewer', 'marzipano'] as const;
export type Contender = (typeof contenders)[number];

const frame = (script: string): string =>
  '<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" ' +
  'href="data:,"><style>html,body{margin:0;height:100%}#host{position:relative;width:100vw;height:100vh}</style><div ' +
  `id="host"></div><script src="${script}"></script>`;

/** Builds one page for each contender, with its script minified and compressed. Missing peers are installed first. */
export async function buildPages(root: string): Promise<ReadonlyMap<string, ServedFile>> {
  const peers = await installPeers(root);
  const files = new Map<string, ServedFile>();
  for (const contender of contenders) {
    const entry =
      contender === 'own'
        ? path.join(root, 'tests', 'benchmarks', 'panorama', 'own.page.ts')
        : path.join(peers, `${contender}.mjs`);
    const body = gzipSync(await bundle(entry, peers), { level: 9 });
    files.set(`/${contender}.js`, { type: 'text/javascript', body, encoding: 'gzip' });
    files.set(`/${contender}`, { type: 'text/html', body: Buffer.from(frame(`/${contender}.js`)) });
  }
  return files;
}

async function bundle(entry: string, peers: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, verbatimModuleSyntax: true } },
    plugins: [withoutContainer, oneThree(peers)],
    logLevel: 'error',
  });
  const [script] = outputFiles;
  if (!script) throw new Error(`${entry} gave no script.`);
  return script.contents;
}

/**
 * Photo Sphere Viewer and its adapters share the three.js version that it requires. The other installed version belongs
 * to another peer.
 */
function oneThree(peers: string): Plugin {
  const resolveDir = path.join(peers, 'node_modules', '@photo-sphere-viewer', 'core');
  return {
    name: 'one-three',
    setup(setup) {
      setup.onResolve({ filter: /^three$/ }, ({ kind, pluginData }) =>
        pluginData === resolveDir ? undefined : setup.resolve('three', { kind, resolveDir, pluginData: resolveDir }),
      );
    },
  };
}

/** The app shell brings the container and React, so only the engine is counted. */
const withoutContainer: Plugin = {
  name: 'without-container',
  setup(setup) {
    setup.onResolve({ filter: /^inversify$/ }, () => ({ path: 'inversify', namespace: 'none' }));
    setup.onLoad({ filter: /.*/, namespace: 'none' }, () => ({
      contents: 'export const injectable = () => () => undefined;',
    }));
  },
};
