import { createHash } from 'node:crypto';
import { build, type Metafile } from 'esbuild';
import { basePath } from '#core';
import type { BuildContext } from './build-context.ts';
import { toBuildError } from './build-error.ts';
import { minifyScript } from './minify.ts';
import { SourceGuard } from './source-guard.ts';
import { createBrowserOptions } from './web-bundle.ts';

/** Timeout of loading one script, in milliseconds, as specified. */
export const chunkTimeoutMs = 120_000;

export interface ServiceWorkerBundle {
  readonly content: Uint8Array;
  readonly metafile: Metafile;
}

const subject = 'The worker of the progressive web app';

/**
 * Bundles the service worker. Its version is a hash of its precached files, so that the same product gets the same
 * worker.
 *
 * @param precachedFiles contents of the shell, the pages and their styles, by path relative to the web folder
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
    ...createBrowserOptions(context),
    entryPoints: { sw: context.core.serviceWorker },
    entryNames: '[name]',
    format: 'iife',
    minify: true,
    define: {
      __PRECACHE__: JSON.stringify(paths.map((path) => `${basePath}/${path}`)),
      __VERSION__: JSON.stringify(hash.digest('hex').slice(0, 12)),
      __BASE_PATH__: JSON.stringify(basePath),
      __CHUNK_TIMEOUT_MS__: String(chunkTimeoutMs),
    },
    plugins: [guard.plugin()],
  }).catch((error: unknown) => {
    throw toBuildError(error, subject);
  });
  const metafile = result.metafile ?? { inputs: {}, outputs: {} };
  guard.review(metafile, [context.core.serviceWorker], subject);
  return { content: Buffer.from((await minifyScript('sw.js', result.outputFiles?.[0]?.text ?? '')).code), metafile };
}
