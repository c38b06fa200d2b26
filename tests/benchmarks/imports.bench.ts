import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPostgresDatabase, startPostgres } from '../../core/testing/server/postgres-server.ts';
import { readRows } from '../../plugins/imports/server/workbooks/read-workbook.ts';
import { waitFor } from '../browser/waiting.ts';
import { atMost, type Bench, type BenchResult } from './bench.ts';
import { copyRows } from './support/copy-rows.ts';
import { permitColumnCount, writePermitWorkbook } from './support/permit-workbook.ts';
import { createProcessActivity, readProcessTree } from './support/process-tree.ts';
import { runProgram } from './support/programs.ts';

const pollMs = 50;

/** How long the steps of an import take, and what others notice meanwhile. Milliseconds and MB. */
interface Measured {
  readonly staging: number;
  readonly checking: number;
  readonly applying: number;
  /** Latencies of `/healthz` and of a call that needs the database. */
  readonly health: readonly number[];
  readonly calls: readonly number[];
  /** The most memory of the server and its child processes. */
  readonly memory: number;
}

interface State {
  readonly uid: string;
  readonly phase: string;
  readonly version: number;
  readonly result: string | null;
  readonly findings: readonly unknown[];
}

/**
 * Imports a workbook of 100,000 permits and 30 columns, and once more with all stages changed. Staging is compared with
 * the same streaming reader and COPY of the same rows on the same PostgreSQL.
 */
const bench: Bench = async ({ chooseCount, log }) => {
  const rows = chooseCount(2000, 100_000);
  const activity = createProcessActivity(process.pid);
  const postgres = await waitFor('PostgreSQL to start', startPostgres(), activity);
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-imports-'));
  try {
    if ('missing' in postgres.postgres)
      throw new Error(`There is no PostgreSQL for the benchmark: ${postgres.postgres.missing}.`);
    const stages = ['ISSUE', 'ACCEPT'].map((stage) => ({ stage, file: path.join(folder, `${stage}.xlsx`) }));
    for (const { stage, file } of stages)
      await waitFor('the workbook', writePermitWorkbook(file, rows, stage), activity);
    const database = await createPostgresDatabase(postgres.postgres.url);
    const results: BenchResult[] = [];
    try {
      const start = performance.now();
      await waitFor('the copy', copyRows(database.url, permitColumnCount, readCells(stages[0]?.file ?? '')), activity);
      const copying = performance.now() - start;
      for (const kind of ['PostgreSQL', 'embedded'] as const) {
        const environment = kind === 'PostgreSQL' ? { DATABASE_URL: database.url } : {};
        const dataFolder = path.join(folder, kind);
        const program = await runProgram('import-server.ts', ['address', 'token'], {
          WALKDOWN_DATA: dataFolder,
          // Both imports on a busy machine take longer than the default.
          WALKDOWN_ACCESS_TOKEN_MS: '3600000',
          ...environment,
        });
        try {
          const server = { ...program.values, pid: program.child.pid ?? 0 };
          const measurements: Measured[] = [];
          for (const { stage, file } of stages) {
            const result = await waitFor('the import', measureImport(server, file), activity);
            log(`${kind}, ${stage}: ${describe(result)}`);
            measurements.push(result);
          }
          results.push(...judge(`import of ${rows} x ${permitColumnCount}, ${kind}`, measurements, copying));
        } finally {
          await program.stop();
        }
      }
    } finally {
      await database.remove();
    }
    return results;
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

function judge(name: string, [added, changed]: readonly Measured[], copying: number): readonly BenchResult[] {
  if (!added || !changed) throw new Error('Both imports must be measured.');
  const all = [added, changed];
  const isEmbedded = name.endsWith('embedded');
  const applying = Math.max(added.applying, changed.applying);
  const health = all.flatMap((measurement) => measurement.health).toSorted((a, b) => a - b);
  const calls = all.flatMap((measurement) => measurement.calls);
  return [
    ...(isEmbedded
      ? []
      : [
          atMost(1.5, {
            name: `${name}: staging against streaming read and COPY`,
            value: Math.min(added.staging, changed.staging) / copying,
            unit: 'x',
            against: `${toSeconds(copying)} of the same reader and COPY; of the two imports the faster`,
          }),
          atMost(500, {
            name: `${name}: memory of the server and its processes`,
            value: Math.max(...all.map(({ memory }) => memory)),
            unit: 'MB',
            against: 'the most of the sum of their resident sets',
          }),
        ]),
    atMost(4, {
      name: `${name}: apply against staging`,
      value: applying / Math.max(added.staging, changed.staging),
      unit: 'x',
      against: all.map(describe).join('; '),
    }),
    atMost(200, {
      name: `${name}: /healthz meanwhile, p99`,
      value: health[Math.floor(0.99 * (health.length - 1))] ?? Number.NaN,
      unit: 'ms',
      against: `${health.length} calls, one at a time`,
    }),
    ...(isEmbedded
      ? [
          atMost(10, {
            name: `${name}: longest wait of other calls`,
            value: Math.max(...calls) / 1000,
            unit: 's',
            against: `${calls.length} calls that read the database, one at a time`,
          }),
        ]
      : []),
  ];
}

const toSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const describe = ({ staging, checking, applying, calls, memory }: Measured): string =>
  `staged in ${toSeconds(staging)}, checked in ${toSeconds(checking)}, applied in ${toSeconds(applying)}, ` +
  `calls waited up to ${toSeconds(Math.max(...calls))}, ${memory.toFixed(0)} MB`;

async function* readCells(file: string): AsyncIterable<readonly unknown[]> {
  for await (const { sheet, row, cells } of readRows(file, 'xlsx', { maxRows: 1_000_000 }))
    if (sheet === 'Permits' && row > 1) yield cells;
}

/** Uploads a workbook, waits for the preview and applies it. */
async function measureImport(
  { address, token, pid }: { readonly address: string; readonly token: string; readonly pid: number },
  file: string,
): Promise<Measured> {
  const headers = { authorization: `Bearer ${token}` };
  const call = async (url: string, init: RequestInit = {}): Promise<State> => {
    const reply = await fetch(address + url, { ...init, headers: { ...headers, ...init.headers } });
    if (!reply.ok) throw new Error(`The server replied ${reply.status} to ${url}: ${await reply.text()}`);
    return (await reply.json()) as State;
  };
  const post = (url: string, body: unknown): Promise<State> =>
    call(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const { uid } = await post('/api/imports', {
    uid: randomUUID(),
    kind: 'permits.permits',
    site: 'site',
    mode: 'UPSERT',
  });
  const form = new FormData();
  form.append('files', await openAsBlob(file), 'Permits.xlsx');
  const health: number[] = [];
  const calls: number[] = [];
  let memory = 0;
  const controller = new AbortController();
  const probe = async (run: () => Promise<void>): Promise<void> => {
    while (!controller.signal.aborted) {
      await run();
      await pause(pollMs);
    }
  };
  const time = async (latencies: number[], run: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await run();
    latencies.push(performance.now() - start);
  };
  /** Milliseconds from `start` until the import has left these phases. */
  const leave = async (
    start: number,
    ...phases: readonly string[]
  ): Promise<{ readonly state: State; readonly time: number }> => {
    for (;;) {
      const state = await call(`/api/imports/${uid}`);
      if (!phases.includes(state.phase)) return { state, time: performance.now() - start };
      await pause(pollMs);
    }
  };
  const probes = [
    probe(() => time(health, async () => (await fetch(`${address}/healthz`)).arrayBuffer())),
    probe(() => time(calls, () => call('/api/imports'))),
    probe(async () => {
      memory = Math.max(memory, await readMemory(pid));
    }),
  ];
  const probing = Promise.all(probes);
  // Awaited below, so that the import's own failure is reported first.
  probing.catch(() => undefined);
  try {
    await call(`/api/imports/${uid}/files`, { method: 'POST', body: form });
    const staging = await leave(performance.now(), 'FILES', 'READING');
    const checking = await leave(performance.now(), 'CHECKING');
    const { phase, findings } = checking.state;
    if (phase !== 'PREVIEW') throw new Error(`The import is in the phase ${phase}: ${JSON.stringify(findings)}`);
    // On the embedded database, the reply may wait until the job has ended.
    const start = performance.now();
    await post(`/api/imports/${uid}/apply`, { version: checking.state.version, remove: false, backup: false });
    const applying = await leave(start, 'PREVIEW', 'APPLYING');
    if (applying.state.result === 'FAILED') throw new Error('The import has failed.');
    controller.abort();
    await probing;
    return { staging: staging.time, checking: checking.time, applying: applying.time, health, calls, memory };
  } finally {
    controller.abort();
    await Promise.allSettled(probes);
  }
}

/** The resident sets of a process and its descendants in MB. Linux only; 0 on other systems. */
async function readMemory(pid: number): Promise<number> {
  const sizes = await Promise.all(
    [...readProcessTree(pid).keys()].map(async (processId) => {
      const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
