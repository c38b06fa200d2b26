import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPostgresDatabase, startPostgres } from '../../core/testing/server/postgres-server.ts';
import { waitFor } from '../browser/waiting.ts';
import { atLeast, atMost, type Bench } from './bench.ts';
import { compareRates, type Target } from './support/load.ts';
import { createProcessActivity } from './support/process-tree.ts';
import { runProgram } from './support/programs.ts';

const [smallTour, middleTour, largeTour] = [16, 100, 2000] as const;
const [fewStations, manyStations] = [10, 300] as const;

/** Measures how the server's time for opening a tour or its scans grows with their size, on a real PostgreSQL. */
const bench: Bench = async ({ root, chooseCount }) => {
  const postgres = await waitFor('PostgreSQL to start', startPostgres(), createProcessActivity(process.pid));
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-bench-'));
  try {
    if ('missing' in postgres.postgres)
      throw new Error(`There is no PostgreSQL for the benchmark: ${postgres.postgres.missing}.`);
    const database = await createPostgresDatabase(postgres.postgres.url);
    const server = await runProgram('plant-server.ts', ['address', 'token'], {
      DATABASE_URL: database.url,
      WALKDOWN_DATA: folder,
      WALKDOWN_ACCESS_TOKEN_MS: '86400000',
      BENCH_TOURS: [smallTour, middleTour, largeTour].join(','),
      BENCH_STATIONS: [fewStations, manyStations].join(','),
    });
    const { address, token } = server.values;
    // One request at a time, so that no queueing is measured.
    const load = { root, connections: 1, seconds: chooseCount(1, 5), rounds: chooseCount(1, 5) };
    const createTarget = (url: string): Target => ({
      url: address + url,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, deflate, br' },
    });
    try {
      const [few = 0, many = 0] = await compareRates(
        [fewStations, manyStations].map((size) => createTarget(`/api/scan/unit-${size}`)),
        load,
      );
      const [me = 0, small = 0, middle = 0, large = 0] = await compareRates(
        [
          createTarget('/api/me'),
          ...[smallTour, middleTour, largeTour].map((size) => createTarget(`/api/tour/unit-${size}`)),
        ],
        load,
      );
      const formatTime = (rate: number) => `${(1000 / rate).toFixed(2)} ms`;
      return [
        atMost(3, {
          name: `opening ${manyStations} scan stations against ${fewStations}`,
          value: few / many,
          unit: 'x',
          against: `${formatTime(many)} against ${formatTime(few)} of the same server`,
        }),
        atLeast(1 / 3, {
          name: `rate of opening a tour of ${smallTour} nodes against /api/me`,
          value: small / me,
          unit: 'x of rate',
          against: `${small.toFixed(0)}/s against ${me.toFixed(0)}/s of the same server`,
        }),
        atMost(5, {
          name: `opening a tour of ${largeTour} nodes against ${middleTour}`,
          value: middle / large,
          unit: 'x',
          against: `${formatTime(large)} against ${formatTime(middle)} of the same server`,
        }),
      ];
    } finally {
      await server.stop();
      await database.remove();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;
