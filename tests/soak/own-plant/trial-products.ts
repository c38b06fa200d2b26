import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';

const command = path.resolve(import.meta.dirname, '..', '..', '..', 'cli', 'walkdown.mjs');

const toEnvironment = (data: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  WALKDOWN_DATA: data,
  WALKDOWN_REQUESTS_PER_MINUTE: '0',
  LOG_LEVEL: 'error',
});

/** Runs a command of `walkdown` on the data of a product. Throws with its output if it fails. */
export function runCommand(data: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    env: toEnvironment(data),
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`walkdown ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
}

export interface EmptyProduct {
  readonly address: string;
  readonly admin: { readonly username: string; readonly password: string };
  readonly stop: () => Promise<void>;
}

/** Serves a build with an empty database and its first admin. */
export async function serveEmpty(out: string, data: string): Promise<EmptyProduct> {
  const username = 'admin@walkdown.example';
  const server = spawn(process.execPath, [command, 'serve', '--out', out, '--first-admin', username], {
    env: toEnvironment(data),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [password, address] = ['', ''];
  for await (const line of createInterface({ input: server.stdout })) {
    password = / password: (\S+) /.exec(line)?.[1] ?? password;
    address = /(http:\/\/\S+:\d+)/.exec(line)?.[1] ?? address;
    if (address !== '') break;
  }
  if (address === '' || password === '') throw new Error('The empty product did not start.');
  server.stdout.resume();
  return {
    address,
    admin: { username, password },
    stop: async () => {
      const exit = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await exit;
    },
  };
}
