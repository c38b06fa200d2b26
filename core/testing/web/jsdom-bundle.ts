import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

/** jsdom starts this file for synchronous requests, and looks for it in its own folder. */
const syncWorker = './xhr-sync-worker.js';
const absoluteSyncWorker: Plugin = {
  name: 'absolute-sync-worker',
  setup: (pluginBuild) =>
    pluginBuild.onLoad({ filter: /XMLHttpRequest-impl\.js$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const absolute = path.join(path.dirname(file), syncWorker);
      return { contents: source.replace(`"${syncWorker}"`, JSON.stringify(absolute)) };
    }),
};

/**
 * Bundles jsdom into one file, compiles it for test processes with the options `execArgv`, and returns their further
 * options. Loading jsdom and creating a window then takes a third of the processor time. Cached per version.
 */
export async function buildJsdomBundle(root: string, execArgv: readonly string[]): Promise<readonly string[]> {
  const packages = path.join(root, 'node_modules');
  const { version } = JSON.parse(await readFile(path.join(packages, 'jsdom/package.json'), 'utf8')) as {
    readonly version: string;
  };
  const preload = path.join(root, 'core/testing/web/preload-jsdom.cjs');
  const key = createHash('sha256')
    .update(JSON.stringify([version, process.version, process.arch, execArgv, readFileSync(preload, 'utf8')]))
    .digest('hex')
    .slice(0, 16);
  const cache = path.join(packages, '.cache', 'walkdown');
  const bundle = path.join(cache, `jsdom-${version}-${key}.cjs`);
  const code = path.join(cache, `jsdom-${version}-${key}.code`);
  const variables = { WALKDOWN_JSDOM_BUNDLE: bundle, WALKDOWN_JSDOM_CODE: code };
  if (!existsSync(code)) {
    await mkdir(cache, { recursive: true });
    const unfinishedFile = `${bundle}.${process.pid}`;
    await build({
      entryPoints: [path.join(packages, 'jsdom/lib/api.js')],
      outfile: unfinishedFile,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      minifyWhitespace: true,
      external: ['canvas', 'bufferutil', 'utf-8-validate'],
      logLevel: 'silent',
      plugins: [absoluteSyncWorker],
    });
    await rename(unfinishedFile, bundle);
    const unfinishedCode = `${code}.${process.pid}`;
    execFileSync(process.execPath, [...execArgv, preload], {
      env: { ...process.env, ...variables, WALKDOWN_JSDOM_CODE: unfinishedCode },
    });
    await rename(unfinishedCode, code);
  }
  // Test processes inherit the environment of Vitest.
  Object.assign(process.env, variables);
  return ['--require', preload];
}
