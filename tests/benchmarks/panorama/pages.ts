import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { installPeers } from '../support/peers.ts';
import type { ServedFile } from './throttled-server.ts';

export const contenders = ['own', 'photo-sphere-viewer', 'marzipano'] as const;
export type Contender = (typeof contenders)[number];

const formatPage = (script: string): string =>
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
    files.set(`/${contender}`, { type: 'text/html', body: Buffer.from(formatPage(`/${contender}.js`)) });
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
    plugins: [withoutContainer, resolveOneThree(peers)],
    logLevel: 'error',
  });
  const [script] = outputFiles;
  if (!script) throw new Error(`The build of ${entry} has no output.`);
  return script.contents;
}

/**
 * Bundles only the version of three.js that Photo Sphere Viewer requires. The other installed version belongs to
 * another peer.
 */
function resolveOneThree(peers: string): Plugin {
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

/** Leaves out the container, which the app shell contains, so that only the engine is counted. */
const withoutContainer: Plugin = {
  name: 'without-container',
  setup(setup) {
    setup.onResolve({ filter: /^inversify$/ }, () => ({ path: 'inversify', namespace: 'none' }));
    setup.onLoad({ filter: /.*/, namespace: 'none' }, () => ({
      contents: 'export const injectable = () => () => undefined;',
    }));
  },
};
