import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { build, type Metafile } from 'esbuild';
import { CliError, exitCodes } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import { toBuildError } from './build-error.ts';
import { SourceGuard } from './source-guard.ts';
import { createBrowserOptions, createBrowserPlugins } from './web-bundle.ts';

/** The content of the pages before any script is loaded. */
export interface PrerenderedContent {
  /** The body of the sign-in page: the root element with the markup of the first screen. */
  readonly html: string;
  /** The markup's styles beyond the product's stylesheet. */
  readonly css: string;
  /** Text of the script that sets theme and language before the first paint. It follows the root element of each page. */
  readonly firstScript: string;
}

export interface PrerenderedPage extends PrerenderedContent {
  readonly metafile: Metafile;
}

/** These packages stay external, so that the markup and helper libraries share one React. */
const externalPackages = ['react', 'react/*', 'react-dom', 'react-dom/*'];

/** Runs in a worker thread, where React is the production build regardless of the CLI's environment. */
const workerCode = `
const { parentPort, workerData } = require('node:worker_threads');
Promise.resolve()
  .then(() => require(workerData).render())
  .then((value) => parentPort.postMessage({ value }), (error) => parentPort.postMessage({ error: error?.stack ?? String(error) }));
`;

/** Renders the sign-in page at build time, with the modules that the browser runs. */
export async function prerenderSignIn(context: BuildContext, entry: string): Promise<PrerenderedPage> {
  const subject = `The sign-in page of '${context.resolvedProfile.name}'`;
  const guard = new SourceGuard(context, 'web');
  const result = await build({
    ...createBrowserOptions(context),
    entryPoints: { prerender: entry },
    format: 'cjs',
    // The first script is the text of a function of this bundle.
    minify: true,
    external: externalPackages,
    plugins: createBrowserPlugins(context, guard, () => undefined),
  }).catch((error: unknown) => {
    throw toBuildError(error, subject);
  });
  const metafile = result.metafile ?? { inputs: {}, outputs: {} };
  guard.review(metafile, [entry], subject);
  const file = path.join(path.dirname(entry), 'prerender.cjs');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, result.outputFiles?.find((output) => output.path.endsWith('.js'))?.contents ?? '');
  return { ...assertRendered(await runWorker(file), subject), metafile };
}

function runWorker(file: string): Promise<PrerenderedContent> {
  const worker = new Worker(workerCode, {
    eval: true,
    workerData: file,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return new Promise<PrerenderedContent>((resolve, reject) => {
    worker.once('message', ({ value, error }: { value?: PrerenderedContent; error?: string }) =>
      value === undefined ? reject(new Error(error)) : resolve(value),
    );
    worker.once('error', reject);
  }).finally(() => void worker.terminate());
}

function assertRendered(page: PrerenderedContent, subject: string): PrerenderedContent {
  const problem = !/<\w/.test(page.html)
    ? 'its markup is empty'
    : /<[^>]+\sstyle\s*=/.test(page.html)
      ? 'an element has a style attribute, which the content security policy refuses'
      : undefined;
  if (problem !== undefined)
    throw new CliError(exitCodes.buildFailed, [{ cause: `${subject} cannot be prerendered: ${problem}.` }]);
  return page;
}
