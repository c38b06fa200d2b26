import { createRequire } from 'node:module';
import path from 'node:path';
import { median } from '../bench.ts';
import { runCommand } from './programs.ts';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface LoadOptions {
  readonly root: string;
  readonly connections: number;
  /** Duration of each measurement in seconds. */
  readonly seconds: number;
  readonly rounds: number;
}

/**
 * Measures the median requests per second of each target. autocannon measures the targets alternately in a process of
 * its own. The first round is a warm-up.
 *
 * @throws Error if any reply was not 2xx
 */
export async function compareRates(targets: readonly Target[], options: LoadOptions): Promise<readonly number[]> {
  const rates = targets.map((): number[] => []);
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const [index, target] of targets.entries()) {
      const rate = await measureRate(target, options);
      if (round > 0) rates[index]?.push(rate);
    }
  }
  return rates.map(median);
}

interface Report {
  readonly requests: { readonly total: number };
  readonly duration: number;
  readonly errors: number;
  readonly non2xx: number;
}

async function measureRate({ url, headers }: Target, { root, connections, seconds }: LoadOptions): Promise<number> {
  const program = createRequire(path.join(root, 'package.json')).resolve('autocannon/autocannon.js');
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const args = [program, '--json', '-n', '-c', String(connections), '-d', String(seconds), ...headerArgs, url];
  const { requests, duration, errors, non2xx } = JSON.parse(
    await runCommand(process.execPath, args, { description: 'autocannon' }),
  ) as Report;
  if (errors > 0 || non2xx > 0 || requests.total === 0)
    throw new Error(`${non2xx} of ${requests.total} replies of ${url} were not 2xx, and ${errors} requests failed.`);
  return requests.total / duration;
}
