import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FullConfig } from '@playwright/test';
import { answerTourForms } from './answer-tour-forms.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
const program = path.join(project, 'cli', 'walkdown.mjs');

/**
 * Builds the demo profile and starts one server per worker, each with the demo plant in a database of its own. Sets
 * `JOURNEY_ADDRESSES` to the URLs of the servers, and `JOURNEY_TWIN` to the folders of the product and of a further
 * copy of the data, for the journey of two sites. If `JOURNEY_PRODUCT` and `JOURNEY_DATA` are set, uses that product
 * and a copy of its seeded data. If `JOURNEY_ADDRESS` is set, starts nothing: one worker uses the server at this URL.
 */
export default async function serveDemo(
  { workers }: Pick<FullConfig, 'workers'> = { workers: 1 },
): Promise<(() => Promise<void>) | undefined> {
  const runningUrl = process.env['JOURNEY_ADDRESS'];
  if (runningUrl !== undefined) {
    await answerTourForms(runningUrl);
    return undefined;
  }
  // The product is built outside of the project, as delivery engineers do.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-journeys-'));
  const getDataFolder = (worker: number): string => path.join(folder, `data-${worker}`);
  const productFolder = process.env['JOURNEY_PRODUCT'] ?? path.join(folder, 'product');
  if (process.env['JOURNEY_PRODUCT'] === undefined) buildProduct('demo', productFolder);
  const seededFolder = process.env['JOURNEY_DATA'];
  if (seededFolder !== undefined) await cp(seededFolder, getDataFolder(0), { recursive: true });
  const firstServer = await serve(productFolder, getDataFolder(0));
  await answerTourForms(firstServer.url);
  await firstServer.stop();
  const otherWorkers = Array.from({ length: workers - 1 }, (_, index) => index + 1);
  const twinDataFolder = path.join(folder, 'data-twin');
  await Promise.all(
    [...otherWorkers.map(getDataFolder), twinDataFolder].map((copyFolder) =>
      cp(getDataFolder(0), copyFolder, { recursive: true }),
    ),
  );
  process.env['JOURNEY_TWIN'] = JSON.stringify({ out: productFolder, data: twinDataFolder });
  const servers = await Promise.all([0, ...otherWorkers].map((worker) => serve(productFolder, getDataFolder(worker))));
  process.env['JOURNEY_ADDRESSES'] = servers.map(({ url }) => url).join(' ');
  return async () => {
    await Promise.all(servers.map(({ stop }) => stop()));
    await rm(folder, { recursive: true, force: true });
  };
}

/** Starts a server for a built product with the demo data. */
export async function serve(
  productFolder: string,
  dataFolder: string,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = spawn(process.execPath, [program, 'serve', '--out', productFolder, '--demo', '--json'], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      WALKDOWN_DATA: dataFolder,
      WALKDOWN_REQUESTS_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await waitForUrl(server);
  return {
    url,
    stop: async () => {
      const exit = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await exit;
    },
  };
}

/** Builds a profile into `productFolder`. */
export function buildProduct(profile: string, productFolder: string): void {
  const build = spawnSync(
    process.execPath,
    [program, 'build', '--profile', profile, '--out', productFolder, '--json'],
    {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  if (build.status !== 0) throw new Error(`The profile ${profile} could not be built:\n${build.stdout}${build.stderr}`);
}

function waitForUrl(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /"address":\s*"([^"]+)"/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
}
