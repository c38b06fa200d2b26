import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';

const program = path.resolve(import.meta.dirname, '..', '..', '..', 'cli', 'walkdown.mjs');

const toEnvironment = (dataFolder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  WALKDOWN_DATA: dataFolder,
  WALKDOWN_REQUESTS_PER_MINUTE: '0',
  LOG_LEVEL: 'error',
});

/** Runs a command of `walkdown` on a data folder. @throws Error with the output if the command fails */
export function runCommand(dataFolder: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: toEnvironment(dataFolder),
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`walkdown ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
}

/** A product that a process of its own serves. */
export interface RunningProduct {
  readonly url: string;
  readonly admin: { readonly username: string; readonly password: string };
  readonly stop: () => Promise<void>;
}

/** Serves a built product with a new, empty data folder, and creates its first admin. */
export async function serveEmptyProduct(productFolder: string, dataFolder: string): Promise<RunningProduct> {
  const username = 'admin@walkdown.example';
  const server = spawn(process.execPath, [program, 'serve', '--out', productFolder, '--first-admin', username], {
    env: toEnvironment(dataFolder),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [password, url] = ['', ''];
  for await (const line of createInterface({ input: server.stdout })) {
    password = / password: (\S+) /.exec(line)?.[1] ?? password;
    url = /(http:\/\/\S+:\d+)/.exec(line)?.[1] ?? url;
    if (url !== '') break;
  }
  if (url === '' || password === '') throw new Error('The empty product did not start.');
  server.stdout.resume();
  return {
    url,
    admin: { username, password },
    stop: async () => {
      const exit = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await exit;
    },
  };
}
