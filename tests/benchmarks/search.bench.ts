import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createPostgresDatabase, startPostgres } from '../../core/testing/server/postgres-server.ts';
import { waitFor } from '../browser/waiting.ts';
import { atMost, type Bench, type BenchContext, type BenchResult } from './bench.ts';
import { createProcessActivity } from './support/process-tree.ts';
import { createChildActivity, runProgram } from './support/programs.ts';
import { formatTagNumber } from './support/tag-names.ts';

const siteCount = 20;

/** Compares searching tags with opening one tag by its number, with 500,000 tags on 20 sites, on both databases. */
const bench: Bench = async (context) => {
  const postgres = await waitFor('PostgreSQL to start', startPostgres(), createProcessActivity(process.pid));
  try {
    if ('missing' in postgres.postgres)
      throw new Error(`There is no PostgreSQL for the benchmark: ${postgres.postgres.missing}.`);
    const database = await createPostgresDatabase(postgres.postgres.url);
    try {
      return [
        ...(await measureSearch(context, 'PostgreSQL', 30, { DATABASE_URL: database.url })),
        ...(await measureSearch(context, 'embedded database', 120, {})),
      ];
    } finally {
      await database.remove();
    }
  } finally {
    await postgres.stop();
  }
};
export default bench;

async function measureSearch(
  { chooseCount, log }: BenchContext,
  database: string,
  goalMs: number,
  environment: Readonly<Record<string, string>>,
): Promise<readonly BenchResult[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-bench-'));
  const tagsPerSite = chooseCount(2500, 25_000);
  const server = await runProgram('tag-server.ts', ['address', 'token', 'restrictedToken'], {
    ...environment,
    WALKDOWN_DATA: folder,
    WALKDOWN_ACCESS_TOKEN_MS: '86400000',
    BENCH_SITES: String(siteCount),
    BENCH_TAGS: String(tagsPerSite),
  });
  try {
    const { address, token, restrictedToken } = server.values;
    const fetchTime = createTimedFetch(address);
    const searches: number[] = [];
    const lookUps: number[] = [];
    const samples = chooseCount(30, 300);
    const byKind = new Map<string, number[]>();
    const run = async (): Promise<void> => {
      for (let sample = 0; sample < samples; sample++) {
        // The prime steps through all sites, numbers and kinds of texts.
        const index = (sample * 7919) % tagsPerSite;
        const site = sample % siteCount;
        const number = formatTagNumber(index);
        lookUps.push(await fetchTime(`/api/tour/unit-${site}/tags/${encodeURIComponent(number)}`, token));
        for (const [kind, searched] of listSearches(number)) {
          const query = `tags?text=${encodeURIComponent(searched)}`;
          const times = [await fetchTime(`/api/tour/unit-${site}/${query}`, token)];
          if (site === 0) times.push(await fetchTime(`/api/tour/deck-0-1/${query}`, restrictedToken));
          searches.push(...times);
          byKind.set(kind, [...(byKind.get(kind) ?? []), ...times]);
        }
      }
    };
    await waitFor(`${database} to answer all searches`, run(), createChildActivity(server.child));
    for (const [kind, times] of byKind)
      log(`${database}, ${kind}: ${formatMs(percentile(times, 50))}, 95 % within ${formatMs(percentile(times, 95))}`);
    const [search, lookUp] = [percentile(searches, 95), percentile(lookUps, 95)];
    const total = `${(siteCount * tagsPerSite).toLocaleString('en')} tags on ${siteCount} sites`;
    return [
      atMost(20, {
        name: `search on ${database}, 95th percentile against that of opening a tag by its number`,
        value: search / lookUp,
        unit: 'x',
        against: `${formatMs(search)} against ${formatMs(lookUp)}; ${total}, ${searches.length} searches`,
      }),
      atMost(goalMs, {
        name: `search on ${database}, 95th percentile`,
        value: search,
        unit: 'ms',
        against: `${total}; median ${formatMs(percentile(searches, 50))}`,
      }),
    ];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The texts that people type to find a tag or what is like it, by kind. */
function listSearches(number: string): readonly (readonly [kind: string, text: string])[] {
  const middle = Math.floor(number.length / 2);
  return [
    ['one character', number.slice(0, 1)],
    ['two characters', number.slice(0, 2)],
    ['half of the number', number.slice(0, middle + 1)],
    ['all of the number', number],
    ['digits', number.replaceAll(/\D/g, '').slice(0, 4)],
    ['without separators', number.toLowerCase().replaceAll(/[^a-z0-9]/g, '')],
    ['a wildcard', `${number.slice(0, 2)}*${number.slice(-2)}`],
    ['a wrong character', `${number.slice(0, middle)}Q${number.slice(middle + 1)}`],
    ['two swapped characters', number.slice(0, -2) + number.slice(-1) + number.slice(-2, -1)],
    ['a common word', 'valve'],
    ['the beginning of a word', 'sep'],
    ['words', 'relief valve upstream'],
    ['a word with a typing error', 'seperator'],
    ['nothing like it', 'zzqzz'],
  ];
}

/** Measures the milliseconds until a reply is complete, over one kept connection. */
function createTimedFetch(address: string): (path: string, token: string) => Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return (target, token) =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      http
        .get(address + target, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
          text(response).then((body) => {
            if (response.statusCode === 200) resolve(performance.now() - start);
            else reject(new Error(`The server replied ${response.statusCode} to ${target}: ${body}`));
          }, reject);
        })
        .once('error', reject);
    });
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

const formatMs = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`;
