import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { build, type Metafile } from 'esbuild';
import { CliError, exitCodes } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import { bundleFailure } from './bundle-failure.ts';
import { SourceGuard } from './source-guard.ts';
import { browserOptions, browserPlugins } from './web-bundle.ts';

/** What stands in the pages before any script is fetched. */
export interface Prerendered {
  /** For the body of the login page: the root, and what the first script puts into it. */
  readonly html: string;
  /** What the markup needs beside the product's stylesheet. */
  readonly css: string;
  /** Text of the script that stands behind the root of every page: theme and language before the first paint. */
  readonly firstScript: string;
}

export interface PrerenderedPage extends Prerendered {
  readonly metafile: Metafile;
}

/** React is one for markup and helper libraries: it stays outside of the bundle. */
const external = ['react', 'react/*', 'react-dom', 'react-dom/*'];

/** Run in a worker thread, where React is the production build whatever the CLI's own environment says. */
const runner = `
const { parentPort, workerData } = require('node:worker_threads');
Promise.resolve()
  .then(() => require(workerData).render())
  .then((value) => parentPort.postMessage({ value }), (error) => parentPort.postMessage({ error: error?.stack ?? String(error) }));
`;

/** Draws the login page at build, from the same modules that the browser will run. */
export async function prerenderSignIn(context: BuildContext, entry: string): Promise<PrerenderedPage> {
  const what = `The login page of '${context.resolved.name}'`;
  const guard = new SourceGuard(context, 'web');
  const result = await build({
    ...browserOptions(context),
    entryPoints: { prerender: entry },
    format: 'cjs',
    // The first script is the text of a function of this bundle.
    minify: true,
    external,
    plugins: browserPlugins(context, guard, () => undefined),
  }).catch((error: unknown) => {
    throw bundleFailure(error, what);
  });
  const metafile = result.metafile ?? { inputs: {}, outputs: {} };
  guard.review(metafile, [entry], what);
  const file = path.join(path.dirname(entry), 'prerender.cjs');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, result.outputFiles?.find((output) => output.path.endsWith('.js'))?.contents ?? '');
  return { ...checked(await render(file), what), metafile };
}

function render(file: string): Promise<Prerendered> {
  const worker = new Worker(runner, { eval: true, workerData: file, env: { ...process.env, NODE_ENV: 'production' } });
  return new Promise<Prerendered>((resolve, reject) => {
    worker.once('message', ({ value, error }: { value?: Prerendered; error?: string }) =>
      value === undefined ? reject(new Error(error)) : resolve(value),
    );
    worker.once('error', reject);
  }).finally(() => void worker.terminate());
}

function checked(page: Prerendered, what: string): Prerendered {
  const problem = !/<\w/.test(page.html)
    ? 'nothing was drawn'
    : /<[^>]+\sstyle\s*=/.test(page.html)
      ? 'an element has a style attribute, which the content security policy refuses'
      : undefined;
  if (problem !== undefined)
    throw new CliError(exitCodes.buildFailed, [{ cause: `${what} cannot be drawn at build: ${problem}.` }]);
  return page;
}
