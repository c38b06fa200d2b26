import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildProduct, type BuildReport } from '../../../cli/bundle/build-product.ts';
import { loadPlugins } from '../../../cli/profile/load-plugins.ts';
import { resolveProfile } from '../../../cli/profile/resolve-profile.ts';
import { killed, nextMessage } from '../../../core/testing/server/node-program.ts';

/** The profile that has all plugins on. */
export const fullProfile = 'demo';

export interface BuiltProduct {
  readonly report: BuildReport;
  /**
   * Serves it on an embedded database of its own, with the demo plant or with nothing in it; such as
   * `http://127.0.0.1:41234`.
   */
  serve(content: 'demo' | 'nothing'): Promise<string>;
  remove(): Promise<void>;
}

const noBudgets = {
  signIn: { gzip: Infinity, files: Infinity },
  shell: { gzip: Infinity },
  lazy: { files: Infinity },
  plugin: { bytes: Infinity },
};

/** Builds the full profile, however much it weighs: the bench says by how much a bar is missed. */
export async function builtProduct(root: string): Promise<BuiltProduct> {
  // Within the project, so that its server finds the packages.
  await mkdir(path.join(root, '.generated'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.generated', 'bench-product-'));
  const resolved = await resolveProfile(root, fullProfile, await loadPlugins(root));
  const report = await buildProduct({
    root,
    resolved,
    out: path.join(folder, 'product'),
    generated: path.join(folder, 'entries'),
    budgets: noBudgets,
  });
  let stop = async (): Promise<void> => undefined;
  return {
    report,
    serve: async (content) => {
      const environment = {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PORT: '0',
        LOG_LEVEL: 'silent',
        WALKDOWN_REQUESTS_PER_MINUTE: '0',
        WALKDOWN_DATA: path.join(folder, 'data'),
      };
      const words = ['serve', '--out', report.out, ...(content === 'demo' ? ['--demo'] : [])];
      const child = fork(path.join(root, 'cli', 'walkdown.mjs'), words, {
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      stop = async () => void (await killed(child, 'SIGTERM'));
      return (await nextMessage<{ readonly address: string }>(child)).address;
    },
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
