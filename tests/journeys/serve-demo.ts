import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { answerTourForms } from './answer-tour-forms.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
const command = path.join(project, 'cli', 'walkdown.mjs');

/** Builds the demo profile, serves it with the demo plant on an embedded database of its own, and says where by `JOURNEY_ADDRESS`. Where that is set already, the server there is used. */
export default async function serveDemo(): Promise<(() => Promise<void>) | undefined> {
  const running = process.env['JOURNEY_ADDRESS'];
  if (running !== undefined) {
    await answerTourForms(running);
    return undefined;
  }
  // Within the project, so that the server finds its packages.
  await mkdir(path.join(project, 'dist'), { recursive: true });
  const folder = await mkdtemp(path.join(project, 'dist', 'journeys-'));
  const out = path.join(folder, 'product');
  buildProduct('demo', out);
  const server = spawn(process.execPath, [command, 'serve', '--out', out, '--demo', '--json'], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', WALKDOWN_DATA: path.join(folder, 'data'), WALKDOWN_REQUESTS_PER_MINUTE: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await addressOf(server);
  process.env['JOURNEY_ADDRESS'] = address;
  await answerTourForms(address);
  process.env['JOURNEY_DATA'] = path.join(folder, 'data');
  return async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
}

/** Builds a profile into the folder `out`. */
export function buildProduct(profile: string, out: string): void {
  const built = spawnSync(process.execPath, [command, 'build', '--profile', profile, '--out', out, '--json'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  if (built.status !== 0) throw new Error(`The profile ${profile} could not be built:\n${built.stdout}${built.stderr}`);
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /"address":\s*"([^"]+)"/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });
}
