import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FullConfig } from '@playwright/test';
import { answerTourForms } from './answer-tour-forms.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
const command = path.join(project, 'cli', 'walkdown.mjs');

/**
 * Builds the demo profile and starts one server with the demo plant and its own database per worker. Sets
 * `JOURNEY_ADDRESSES`. If `JOURNEY_PRODUCT` and `JOURNEY_DATA` are set, uses that product and a copy of its seeded
 * data. If `JOURNEY_ADDRESS` is set, one worker uses the server there. `JOURNEY_TWIN` is the product with a further
 * copy of the data, for the journey of two sites.
 */
export default async function serveDemo(
  { workers }: Pick<FullConfig, 'workers'> = { workers: 1 },
): Promise<(() => Promise<void>) | undefined> {
  const runningAddress = process.env['JOURNEY_ADDRESS'];
  if (runningAddress !== undefined) {
    await answerTourForms(runningAddress);
    return undefined;
  }
  // The product is built outside of the project, as delivery engineers do.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-journeys-'));
  const data = (worker: number): string => path.join(folder, `data-${worker}`);
  const out = process.env['JOURNEY_PRODUCT'] ?? path.join(folder, 'product');
  if (process.env['JOURNEY_PRODUCT'] === undefined) buildProduct('demo', out);
  const seededFolder = process.env['JOURNEY_DATA'];
  if (seededFolder !== undefined) await cp(seededFolder, data(0), { recursive: true });
  const first = await serve(out, data(0));
  await answerTourForms(first.address);
  await first.stop();
  const otherWorkers = Array.from({ length: workers - 1 }, (_, index) => index + 1);
  const twinData = path.join(folder, 'data-twin');
  await Promise.all([...otherWorkers.map(data), twinData].map((copy) => cp(data(0), copy, { recursive: true })));
  process.env['JOURNEY_TWIN'] = JSON.stringify({ out, data: twinData });
  const servers = await Promise.all([0, ...otherWorkers].map((worker) => serve(out, data(worker))));
  process.env['JOURNEY_ADDRESSES'] = servers.map(({ address }) => address).join(' ');
  return async () => {
    await Promise.all(servers.map(({ stop }) => stop()));
    await rm(folder, { recursive: true, force: true });
  };
}

/** Starts a server for a built product with the demo data. */
export async function serve(
  out: string,
  data: string,
): Promise<{ readonly address: string; readonly stop: () => Promise<void> }> {
  const server = spawn(process.execPath, [command, 'serve', '--out', out, '--demo', '--json'], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      WALKDOWN_DATA: data,
      WALKDOWN_REQUESTS_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await waitForAddress(server);
  return {
    address,
    stop: async () => {
      const exit = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await exit;
    },
  };
}

/** Builds a profile into the folder `out`. */
export function buildProduct(profile: string, out: string): void {
  const build = spawnSync(process.execPath, [command, 'build', '--profile', profile, '--out', out, '--json'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (build.status !== 0) throw new Error(`The profile ${profile} could not be built:\n${build.stdout}${build.stderr}`);
}

function waitForAddress(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const address = /"address":\s*"([^"]+)"/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
}
