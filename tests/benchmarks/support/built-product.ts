import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildProduct, type BuildReport } from '../../../cli/bundle/build-product.ts';
import { loadPlugins } from '../../../cli/profile/load-plugins.ts';
import { resolveProfile } from '../../../cli/profile/resolve-profile.ts';
import { killAndWait, waitForMessage } from '../../../core/testing/server/node-program.ts';
import { waitFor } from '../../browser/waiting.ts';
import { answerTourForms } from '../../journeys/answer-tour-forms.ts';
import type { BenchContext } from '../bench.ts';
import { processActivity } from './process-tree.ts';
import { readActivity, benchEnvironment } from './programs.ts';

/** The profile with all plugins. */
export const fullProfile = 'demo';

export interface BuiltProduct {
  readonly report: BuildReport;
  /**
   * Starts a server with an embedded database, which is empty or has the demo plant with answered tour forms. Resolves
   * to an origin such as `http://127.0.0.1:41234`.
   */
  serve(content: 'demo' | 'nothing'): Promise<string>;
  /** Stops the server. */
  stop(): Promise<void>;
}

const noBudgets = {
  signIn: { gzip: Infinity, files: Infinity },
  shell: { gzip: Infinity },
  lazy: { files: Infinity },
  plugin: { bytes: Infinity },
};

/**
 * Builds the full profile without budgets, since the benchmark reports missed bars. All benchmarks of a run share
 * product and demo plant.
 */
export async function builtProduct(context: BenchContext): Promise<BuiltProduct> {
  const report = await onceInRun(context, 'product', () => build(context));
  let server: ChildProcess | undefined;
  return {
    report,
    serve: async (content) => {
      const data = await dataFolder(context, report, content);
      server = startServer(context, report, data);
      return waitForAddress(server);
    },
    stop: async () => {
      if (server) await stop(server);
    },
  };
}

/** Caches the result of `make` as JSON for all benchmarks of the run. */
async function onceInRun<T>({ shared }: BenchContext, name: string, make: () => Promise<T>): Promise<T> {
  const file = path.join(shared, `${name}.json`);
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as T;
  const made = await make();
  await writeFile(file, JSON.stringify(made));
  return made;
}

async function build({ root, shared }: BenchContext): Promise<BuildReport> {
  const folder = await mkdtemp(path.join(shared, 'product-'));
  const resolved = await resolveProfile(root, fullProfile, await loadPlugins(root));
  const building = buildProduct({
    root,
    resolved,
    // Inside the project, so that the server finds its packages.
    out: path.join(folder, 'product'),
    generated: path.join(folder, 'entries'),
    budgets: noBudgets,
  });
  return waitFor(`the build of the profile ${fullProfile}`, building, processActivity(process.pid));
}

async function dataFolder(context: BenchContext, report: BuildReport, content: 'demo' | 'nothing'): Promise<string> {
  if (content === 'nothing') return mkdtemp(path.join(context.shared, 'data-'));
  return onceInRun(context, 'demo-data', async () => {
    const data = await mkdtemp(path.join(context.shared, 'data-demo-'));
    const server = startServer(context, report, data, '--demo');
    try {
      await waitFor('the answers to the tour form', answerTourForms(await waitForAddress(server)));
    } finally {
      await stop(server);
    }
    return data;
  });
}

function startServer(
  { root }: BenchContext,
  { out }: BuildReport,
  data: string,
  ...args: readonly string[]
): ChildProcess {
  const environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...benchEnvironment,
    WALKDOWN_DATA: data,
  };
  return fork(path.join(root, 'cli', 'walkdown.mjs'), ['serve', '--out', out, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

async function waitForAddress(server: ChildProcess): Promise<string> {
  const ready = waitForMessage<{ readonly address: string }>(server);
  return (await waitFor('the server of the built product to start', ready, readActivity(server))).address;
}

async function stop(server: ChildProcess): Promise<void> {
  await waitFor('the server of the built product to stop', killAndWait(server, 'SIGTERM'), readActivity(server));
}
