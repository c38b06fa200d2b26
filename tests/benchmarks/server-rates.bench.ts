import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createPostgresDatabase, startPostgres } from '../../core/testing/server/postgres-server.ts';
import { waitFor } from '../browser/waiting.ts';
import { atLeast, type Bench } from './bench.ts';
import { buildItemPath } from './support/item-endpoint.ts';
import { compareRates, type Target } from './support/load.ts';
import { createProcessActivity } from './support/process-tree.ts';
import { runProgram } from './support/programs.ts';

const encodings = 'gzip, deflate, br';
const longTokens = { WALKDOWN_ACCESS_TOKEN_MS: '86400000' };

/**
 * Compares requests per second on a real PostgreSQL: the cached location tree with a static file of the same bytes, and
 * a guarded endpoint with a minimal server for the same task.
 */
const bench: Bench = async ({ root, chooseCount }) => {
  const postgres = await waitFor('PostgreSQL to start', startPostgres(), createProcessActivity(process.pid));
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-bench-'));
  try {
    if ('missing' in postgres.postgres)
      throw new Error(`There is no PostgreSQL for the benchmark: ${postgres.postgres.missing}.`);
    const database = await createPostgresDatabase(postgres.postgres.url);
    const bundle = path.join(folder, 'web');
    const environment = { DATABASE_URL: database.url, WALKDOWN_DATA: folder, BENCH_BUNDLE: bundle, ...longTokens };
    await mkdir(path.join(bundle, 'static'), { recursive: true });
    await writeFile(path.join(bundle, 'index.html'), '<!doctype html><title>Bench</title>');
    const headers = { 'content-security-policy': "default-src 'self'" };
    await writeFile(path.join(folder, 'headers.json'), JSON.stringify({ '/login': headers, '/': headers }));
    const programs = await Promise.all([
      runProgram('guarded-server.ts', ['address', 'token'], environment),
      runProgram('raw-server.ts', ['address', 'token'], environment),
    ]);
    const [guarded, raw] = programs;
    const load = { root, connections: 16, seconds: chooseCount(1, 5), rounds: chooseCount(1, 5) };
    try {
      const createTarget = ({ address, token }: typeof guarded.values, url: string): Target => ({
        url: address + url,
        headers: { authorization: `Bearer ${token}`, 'accept-encoding': encodings },
      });
      const locations = createTarget(guarded.values, '/api/locations');
      const bytes = await writeStaticFiles(locations, path.join(bundle, 'static', 'locations.json'));
      const [cachedRate = 0, file = 0] = await compareRates(
        [locations, createTarget(guarded.values, '/dashboard/static/locations.json')],
        load,
      );
      const [guardedRate = 0, rawRate = 0] = await compareRates(
        [createTarget(guarded.values, buildItemPath('P-4711')), createTarget(raw.values, buildItemPath('P-4711'))],
        load,
      );
      const formatRate = (value: number) => `${value.toFixed(0)}/s`;
      return [
        atLeast(0.8, {
          name: 'locations of 2,000 rows, cached, against a file',
          value: cachedRate / file,
          unit: 'x',
          against:
            `${formatRate(cachedRate)} against ${formatRate(file)} of a static JSON of the same ${bytes} bytes from the ` +
            'same server',
        }),
        atLeast(0.75, {
          name: 'guarded endpoint against raw Fastify and pg',
          value: guardedRate / rawRate,
          unit: 'x',
          against: `${formatRate(guardedRate)} against ${formatRate(rawRate)}: token, account, flag, validation, one indexed row`,
        }),
      ];
    } finally {
      await Promise.all(programs.map((program) => program.stop()));
      await database.remove();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

/**
 * Writes the endpoint's reply as a static file in each encoding. Returns the number of bytes that a browser receives.
 */
async function writeStaticFiles(target: Target, file: string): Promise<number> {
  for (const [encoding, suffix] of [
    ['identity', ''],
    ['gzip', '.gz'],
    ['br', '.br'],
  ] as const) {
    await writeFile(file + suffix, await downloadBytes(target, encoding));
  }
  return (await downloadBytes(target, encodings)).length;
}

function downloadBytes({ url, headers }: Target, encoding: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers: { ...headers, 'accept-encoding': encoding } }, (response) =>
        response.statusCode === 200
          ? resolve(buffer(response))
          : reject(new Error(`The server replied ${response.statusCode} to ${url}.`)),
      )
      .once('error', reject);
  });
}
