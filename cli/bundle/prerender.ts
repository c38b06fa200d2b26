import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { build, type Metafile } from 'esbuild';
import { CliError, exitCodes } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import { bundleFailure } from './bundle-failure.ts';
import { SourceGuard } from './source-guard.ts';
import { browserOptions, browserPlugins } from './web-bundle.ts';

/** The content of the pages before any script is loaded. */
export interface Prerendered {
  /** For the body of the login page: the root with the first screen's markup. */
  readonly html: string;
  /** The markup's styles beyond the product's stylesheet. */
  readonly css: string;
  /** Text of the script after the root of every page: sets theme and language before the first paint. */
  readonly firstScript: string;
}

export interface PrerenderedPage extends Prerendered {
  readonly metafile: Metafile;
}

/** External, so that markup and helper libraries share one React. */
const external = ['react', 'react/*', 'react-dom', 'react-dom/*'];

/** Runs in a worker thread, where React is the production build regardless of the CLI's environment. */
const runner = `
const { parentPort, workerData } = require('node:worker_threads');
Promise.resolve()
  .then(() => require(workerData).render())
  .then((value) => parentPort.postMessage({ value }), (error) => parentPort.postMessage({ error: error?.stack ?? String(error) }));
`;

/** Renders the login page at build time, with the modules that the browser runs. */
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
