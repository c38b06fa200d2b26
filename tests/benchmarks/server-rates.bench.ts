import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createPostgresDatabase, startPostgres } from '../../core/testing/server/postgres-server.ts';
import { waitFor } from '../browser/waiting.ts';
import { atLeast, type Bench } from './bench.ts';
import { itemAddress } from './support/item-endpoint.ts';
import { compareRates, type Target } from './support/load.ts';
import { processActivity } from './support/process-tree.ts';
import { runProgram } from './support/programs.ts';

const encodings = 'gzip, deflate, br';
const longEnough = { WALKDOWN_ACCESS_TOKEN_MS: '86400000' };

/**
 * Requests per second on a real PostgreSQL: the cached location tree against a static file of the same bytes, and a
 * guarded endpoint against a minimal server for the same task.
 */
const bench: Bench = async ({ root, count }) => {
  const postgres = await waitFor('PostgreSQL to start', startPostgres(), processActivity(process.pid));
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-bench-'));
  try {
    if ('missing' in postgres.postgres)
      throw new Error(`There is no PostgreSQL for the bench: ${postgres.postgres.missing}.`);
    const database = await createPostgresDatabase(postgres.postgres.url);
    const bundle = path.join(folder, 'web');
    const environment = { DATABASE_URL: database.url, WALKDOWN_DATA: folder, BENCH_BUNDLE: bundle, ...longEnough };
    await mkdir(path.join(bundle, 'static'), { recursive: true });
    await writeFile(path.join(bundle, 'index.html'), '<!doctype html><title>Bench</title>');
    const headers = { 'content-security-policy': "default-src 'self'" };
    await writeFile(path.join(folder, 'headers.json'), JSON.stringify({ '/login': headers, '/': headers }));
    const programs = await Promise.all([
      runProgram('guarded-server.ts', ['address', 'token'], environment),
      runProgram('raw-server.ts', ['address', 'token'], environment),
    ]);
    const [guarded, raw] = programs;
    const load = { root, connections: 16, seconds: count(1, 5), rounds: count(1, 5) };
    try {
      const of = ({ address, token }: typeof guarded.values, url: string): Target => ({
        url: address + url,
        headers: { authorization: `Bearer ${token}`, 'accept-encoding': encodings },
      });
      const locations = of(guarded.values, '/api/locations');
      const bytes = await placeSameBytes(locations, path.join(bundle, 'static', 'locations.json'));
      const [cached = 0, file = 0] = await compareRates(
        [locations, of(guarded.values, '/dashboard/static/locations.json')],
        load,
      );
      const [own = 0, floor = 0] = await compareRates(
        [of(guarded.values, itemAddress('P-4711')), of(raw.values, itemAddress('P-4711'))],
        load,
      );
      const rate = (value: number) => `${value.toFixed(0)}/s`;
      return [
        atLeast(0.8, {
          name: 'locations of 2,000 rows, cached, against a file',
          value: cached / file,
          unit: 'x',
          against:
            `${rate(cached)} against ${rate(file)} of a static JSON of the same ${bytes} bytes from the ` +
            'same server',
        }),
        atLeast(0.75, {
          name: 'guarded endpoint against raw Fastify and pg',
          value: own / floor,
          unit: 'x',
          against: `${rate(own)} against ${rate(floor)}: token, account, flag, validation, one indexed row`,
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
 * Writes the endpoint's reply in each encoding as static files. Returns the number of bytes that a browser receives.
 */
async function placeSameBytes(target: Target, file: string): Promise<number> {
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
      .get(url, { headers: { ...headers, 'accept-encoding': encoding } }, (answer) =>
        answer.statusCode === 200
          ? resolve(buffer(answer))
          : reject(new Error(`${url} was answered with ${answer.statusCode}.`)),
      )
      .once('error', reject);
  });
}
