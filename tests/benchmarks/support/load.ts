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
  /** Of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
}

/**
 * Median requests a second of each target, measured in turns by autocannon in a process of its own, after one
 * unmeasured turn. Throws where any answer was no 2xx.
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
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const load = [program, '--json', '-n', '-c', String(connections), '-d', String(seconds), ...words, url];
  const { requests, duration, errors, non2xx } = JSON.parse(
    await runCommand(process.execPath, load, { what: 'autocannon' }),
  ) as Report;
  if (errors > 0 || non2xx > 0 || requests.total === 0)
    throw new Error(
      `${url} was asked ${requests.total} times: ${non2xx} answers were no 2xx, ${errors} requests failed.`,
    );
  return requests.total / duration;
}
