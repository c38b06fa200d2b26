import { createHash } from 'node:crypto';
import { build, type Metafile } from 'esbuild';
import { basePath } from '#core';
import type { BuildContext } from './build-context.ts';
import { bundleFailure } from './bundle-failure.ts';
import { minifyScript } from './minify.ts';
import { SourceGuard } from './source-guard.ts';
import { browserOptions } from './web-bundle.ts';

/** Timeout of loading one script, in milliseconds, as specified. */
export const chunkTimeout = 120_000;

export interface ServiceWorkerBundle {
  readonly content: Uint8Array;
  readonly metafile: Metafile;
}

const what = 'The worker of the progressive web app';

/**
 * Bundles the service worker. Its version is a hash of its precached files: the same product gives the same worker.
 *
 * @param precachedFiles contents by path relative to the web folder: the shell, its pages, its styles
 */
export async function bundleServiceWorker(
  context: BuildContext,
  precachedFiles: ReadonlyMap<string, Uint8Array>,
): Promise<ServiceWorkerBundle> {
  const paths = [...precachedFiles.keys()].sort();
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(precachedFiles.get(path) ?? '')
      .update('\0');
  const guard = new SourceGuard(context, 'web');
  const result = await build({
    ...browserOptions(context),
    entryPoints: { sw: context.frame.serviceWorker },
    entryNames: '[name]',
    format: 'iife',
    minify: true,
    define: {
      __PRECACHE__: JSON.stringify(paths.map((path) => `${basePath}/${path}`)),
      __VERSION__: JSON.stringify(hash.digest('hex').slice(0, 12)),
      __BASE_PATH__: JSON.stringify(basePath),
      __CHUNK_TIMEOUT_MS__: String(chunkTimeout),
    },
    plugins: [guard.plugin()],
  }).catch((error: unknown) => {
    throw bundleFailure(error, what);
  });
  const metafile = result.metafile ?? { inputs: {}, outputs: {} };
  guard.review(metafile, [context.frame.serviceWorker], what);
  return { content: Buffer.from((await minifyScript('sw.js', result.outputFiles?.[0]?.text ?? '')).code), metafile };
}
