import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildProduct, type BuildReport } from '../../../cli/bundle/build-product.ts';
import { loadPlugins } from '../../../cli/profile/load-plugins.ts';
import { resolveProfile } from '../../../cli/profile/resolve-profile.ts';
import { killAndWait, waitForMessage } from '../../../core/testing/server/node-program.ts';
import { waitFor } from '../../browser/waiting.ts';
import { answerTourForms } from '../../journeys/answer-tour-forms.ts';
import type { BenchContext } from '../bench.ts';
import { createProcessActivity } from './process-tree.ts';
import { createChildActivity, benchEnvironment } from './programs.ts';

/** The profile with all plugins. */
export const fullProfile = 'demo';

export interface BuiltProduct {
  readonly report: BuildReport;
  /**
   * Starts a server with an embedded database, which is empty or contains the demo plant with answered tour forms.
   * `prepare` may change a copy of the data folder before. Resolves to an origin such as `http://127.0.0.1:41234`.
   */
  serve(content: 'demo' | 'nothing', prepare?: (dataFolder: string) => Promise<void>): Promise<string>;
  /** Stops the server. */
  stop(): Promise<void>;
}

const infiniteBudgets = {
  signIn: { gzip: Infinity, files: Infinity },
  shell: { gzip: Infinity },
  lazy: { files: Infinity },
  plugin: { bytes: Infinity },
};

/**
 * Builds the full profile without budgets, because the benchmarks report missed bars. All benchmarks of a run share the
 * product and the demo plant.
 */
export async function ensureProduct(context: BenchContext): Promise<BuiltProduct> {
  const report = await createOnce(context, 'product', () => build(context));
  let server: ChildProcess | undefined;
  return {
    report,
    serve: async (content, prepare) => {
      let dataFolder = await prepareDataFolder(context, report, content);
      if (prepare) {
        const copy = await mkdtemp(path.join(context.sharedFolder, 'data-copy-'));
        await cp(dataFolder, copy, { recursive: true });
        await prepare(copy);
        dataFolder = copy;
      }
      server = startServer(context, report, dataFolder);
      return waitForUrl(server);
    },
    stop: async () => {
      if (server) await stop(server);
    },
  };
}

/** Calls `create` once in a run, and caches its result as JSON for all benchmarks. */
async function createOnce<T>({ sharedFolder }: BenchContext, name: string, create: () => Promise<T>): Promise<T> {
  const file = path.join(sharedFolder, `${name}.json`);
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as T;
  const createdValue = await create();
  await writeFile(file, JSON.stringify(createdValue));
  return createdValue;
}

async function build({ root, sharedFolder }: BenchContext): Promise<BuildReport> {
  const folder = await mkdtemp(path.join(sharedFolder, 'product-'));
  const resolvedProfile = await resolveProfile(root, fullProfile, await loadPlugins(root));
  const building = buildProduct({
    root,
    resolvedProfile,
    // The product is inside the project, so that the server finds its packages.
    out: path.join(folder, 'product'),
    entriesFolder: path.join(folder, 'entries'),
    budgets: infiniteBudgets,
  });
  return waitFor(`the build of the profile ${fullProfile}`, building, createProcessActivity(process.pid));
}

async function prepareDataFolder(
  context: BenchContext,
  report: BuildReport,
  content: 'demo' | 'nothing',
): Promise<string> {
  if (content === 'nothing') return mkdtemp(path.join(context.sharedFolder, 'data-'));
  return createOnce(context, 'demo-data', async () => {
    const dataFolder = await mkdtemp(path.join(context.sharedFolder, 'data-demo-'));
    const server = startServer(context, report, dataFolder, '--demo');
    try {
      await waitFor('the answers to the tour form', answerTourForms(await waitForUrl(server)));
    } finally {
      await stop(server);
    }
    return dataFolder;
  });
}

function startServer(
  { root }: BenchContext,
  { out }: BuildReport,
  dataFolder: string,
  ...args: readonly string[]
): ChildProcess {
  const environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...benchEnvironment,
    WALKDOWN_DATA: dataFolder,
  };
  return fork(path.join(root, 'cli', 'walkdown.mjs'), ['serve', '--out', out, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

async function waitForUrl(server: ChildProcess): Promise<string> {
  const ready = waitForMessage<{ readonly address: string }>(server);
  return (await waitFor('the server of the built product to start', ready, createChildActivity(server))).address;
}

async function stop(server: ChildProcess): Promise<void> {
  await waitFor('the server of the built product to stop', killAndWait(server, 'SIGTERM'), createChildActivity(server));
}
