import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { coreRefusal } from '#core/api';
import { describeOnDatabases, createTestDatabase, openTestDatabase, type TestDatabase } from '#core/testing/server';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import type { PoolDatabase } from '../database/pool-database.ts';
import { invalidRequest, ServerError, unavailable } from '../kernel/server-error.ts';
import { DatabaseJobs } from './database-jobs.ts';
import { JobLeaseLostError, JobTable, type ClaimedJob } from './job-table.ts';
import { jobMigrations, type JobTables } from './job-tables.ts';
import { JobRunner } from './job-runner.ts';
import type { JobRun } from './jobs.ts';

const log = pino({ level: 'silent' });
const jobOwner = 'ann';
const migrationSets = [{ id: 'core.jobs', schema: 'core', prefix: 'jobs-', migrations: jobMigrations }];
const success = { result: 'SUCCESS' } as const;

interface PublishedEvent {
  readonly topic: string;
  readonly data: unknown;
  readonly audience: unknown;
}

/** A barrier at which a job waits until the test opens it. */
function createBarrier(): {
  readonly open: () => void;
  readonly opened: Promise<void>;
  readonly reached: Promise<void>;
  readonly reachAndWait: () => Promise<void>;
} {
  let open = (): void => undefined;
  let resolveReached = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (resolveReached = resolve));
  return {
    open,
    opened,
    reached,
    reachAndWait: () => {
      resolveReached();
      return opened;
    },
  };
}

describeOnDatabases('jobs', (kind) => {
  let database: PoolDatabase;
  let publishedEvents: PublishedEvent[] = [];
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    await migrate(database, migrationSets);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await database.query('delete from core.job');
    publishedEvents = [];
  });
  afterAll(() => database.close());

  const createJobs = (
    jobDatabase: PoolDatabase = database,
    options: { readonly leaseMs?: number; readonly maxConcurrent?: number } = {},
  ): DatabaseJobs =>
    new DatabaseJobs({
      database: jobDatabase,
      events: { publish: async ({ topic }, audience, data) => void publishedEvents.push({ topic, audience, data }) },
      log,
      leaseMs: options.leaseMs ?? 30_000,
      maxConcurrent: options.maxConcurrent ?? 2,
    });
  const run = async (jobs: DatabaseJobs): Promise<(timeoutMs?: number) => Promise<void>> => {
    const stop = await jobs.run({ isOnlyProcess: false });
    let completion: Promise<void> | undefined;
    const stopOnce = (timeoutMs = 1000): Promise<void> => (completion ??= stop(timeoutMs));
    stops.push(stopOnce);
    return stopOnce;
  };
  const readAttempts = async (id: string): Promise<number> =>
    (
      await database
        .of<JobTables>('core')
        .selectFrom('job')
        .select('attempts')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).attempts;

  it('clears the payload of a completed job and deletes the job a week later', async () => {
    const jobs = createJobs();
    jobs.register('fixture.tile', async ({ progress }) => {
      await progress({ done: 1, cursor: 'here' });
      return { result: 'SUCCESS' };
    });
    await run(jobs);
    const [old, young] = [
      await jobs.start('fixture.tile', { secret: 1 }, null),
      await jobs.start('fixture.tile', null, null),
    ];
    await Promise.all([jobs.waitForCompletion(old), jobs.waitForCompletion(young)]);
    expect(await database.query('select payload, cursor from core.job')).toEqual([
      { payload: null, cursor: null },
      { payload: null, cursor: null },
    ]);
    await database.query(`update core.job set finished_at = now() - interval '8 days' where id = $1`, [old]);
    await database.query(
      "insert into core.job (id, kind, payload, created_at) values ('waits', 'other.kind', '{}', now() - interval " +
        "'8 days')",
    );
    await jobs.deleteOldJobs();
    expect((await database.query<{ id: string }>('select id from core.job')).map(({ id }) => id).sort()).toEqual(
      [young, 'waits'].sort(),
    );
  });

  it('finds many jobs at once and omits unknown ids', async () => {
    const jobs = createJobs();
    const [one, two] = [await jobs.start('fixture.tile', null, jobOwner), await jobs.start('fixture.tile', null, null)];
    const jobsById = await jobs.findAll([two, 'none', one, two]);
    expect([...jobsById.keys()].sort()).toEqual([one, two].sort());
    expect([jobsById.get(one), jobsById.get(two)]).toEqual([await jobs.find(one), await jobs.find(two)]);
    expect(await jobs.findAll([])).toEqual(new Map());
  });

  it('runs a job outside of the asynchronous context of the call that started it', async () => {
    const currentCall = new AsyncLocalStorage<string>();
    const callsOfJobs: (string | undefined)[] = [];
    const jobs = createJobs();
    jobs.register('fixture.tile', async () => {
      callsOfJobs.push(currentCall.getStore());
      return success;
    });
    await run(jobs);
    await currentCall.run('call', async () => {
      for (let index = 0; index < 5; index += 1)
        await jobs.waitForCompletion(await jobs.start('fixture.tile', null, null));
    });
    expect(callsOfJobs).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it('runs short jobs while long jobs fill all slots for long jobs', async () => {
    const jobs = createJobs(database, { maxConcurrent: 1 });
    let endLongJob: () => void = () => undefined;
    const longJobEnd = new Promise<void>((resolve) => (endLongJob = resolve));
    jobs.register('fixture.tile', async () => longJobEnd.then(() => ({ result: 'SUCCESS' })));
    jobs.register('core.mail', async () => ({ result: 'SUCCESS' }), { isShort: true });
    await run(jobs);
    const long = await jobs.start('fixture.tile', null, null);
    expect(await jobs.waitForCompletion(await jobs.start('core.mail', null, null))).toMatchObject({
      result: 'SUCCESS',
    });
    expect((await jobs.find(long))?.status).toBe('INPROGRESS');
    endLongJob();
    await jobs.waitForCompletion(long);
  });

  it('runs a job that waits for other jobs while those fill all slots for long jobs', async () => {
    const jobs = createJobs(database, { maxConcurrent: 1 });
    jobs.register('core.part', async () => success);
    const runWhole = async (): Promise<typeof success> => {
      await jobs.waitForCompletion(await jobs.start('core.part', {}, jobOwner));
      return success;
    };
    jobs.register('core.whole', runWhole, { waitsForJobs: true });
    stops.push(await jobs.run({ isOnlyProcess: false }).then((stop) => () => stop(1000)));
    const ids = [await jobs.start('core.whole', {}, jobOwner), await jobs.start('core.whole', {}, jobOwner)];
    for (const id of ids) expect(await jobs.waitForCompletion(id)).toMatchObject({ result: 'SUCCESS' });
  });

  it('runs a started job and reports its result', async () => {
    const jobs = createJobs();
    const receivedValues: unknown[] = [];
    jobs.register<{ readonly node: string }>('fixture.tile', async ({ payload, cursor }) => {
      receivedValues.push(payload, cursor);
      return { result: 'WARNING', message: 'Two tiles were grey.' };
    });
    await run(jobs);
    const id = await jobs.start('fixture.tile', { node: 'HB-P01' }, jobOwner);
    const job = await jobs.waitForCompletion(id);
    expect(job).toEqual({
      id,
      kind: 'fixture.tile',
      status: 'COMPLETED',
      result: 'WARNING',
      done: 0,
      total: null,
      message: 'Two tiles were grey.',
      refusal: null,
      createdAt: expect.any(String) as string,
      finishedAt: expect.any(String) as string,
    });
    expect(receivedValues).toEqual([{ node: 'HB-P01' }, undefined]);
    expect(await jobs.find(id)).toEqual(job);
    expect(await jobs.findOwned('ben', id)).toBeUndefined();
    expect(await jobs.find('unknown')).toBeUndefined();
    await expect(jobs.waitForCompletion('unknown')).rejects.toMatchObject({ status: 404 });
  });

  it("[PRO-20] stores the reason of a refusal independently of the reader's language", async () => {
    const jobs = createJobs();
    jobs.register('fixture.tile', async () => {
      throw invalidRequest(coreRefusal('core.refused.pictureShape', { width: 1600, height: 1200 }));
    });
    await run(jobs);
    const job = await jobs.waitForCompletion(await jobs.start('fixture.tile', null, jobOwner));
    expect(job).toMatchObject({
      result: 'FAILED',
      message: 'The image is 1600 x 1200 pixels. A full-sphere panorama is twice as wide as it is high.',
    });
    expect(job.refusal).toEqual({ message: 'core.refused.pictureShape', values: { width: 1600, height: 1200 } });
  });

  it('shows progress to the owner only', async () => {
    const jobs = createJobs();
    const halfway = createBarrier();
    jobs.register('fixture.tile', async ({ progress }) => {
      await progress({ done: 5, total: 10 });
      await halfway.reachAndWait();
      await progress({ done: 10 });
      return success;
    });
    await run(jobs);
    const id = await jobs.start('fixture.tile', null, jobOwner);
    await halfway.reached;
    expect(await jobs.find(id)).toMatchObject({
      status: 'INPROGRESS',
      result: null,
      done: 5,
      total: 10,
      finishedAt: null,
    });
    halfway.open();
    await jobs.waitForCompletion(id);
    await expect
      .poll(() => publishedEvents.at(-1))
      .toMatchObject({
        topic: `job.${id}`,
        data: { status: 'COMPLETED', done: 10, total: 10 },
        audience: { accounts: [jobOwner] },
      });
    const publishedBefore = publishedEvents.length;
    await jobs.waitForCompletion(await jobs.start('fixture.tile', null, null));
    expect(publishedEvents.length).toBe(publishedBefore);
  });

  it('shows the owner the message of a ServerError and hides the message of any other error', async () => {
    const jobs = createJobs();
    jobs.register<boolean>('fixture.tile', async ({ payload }) => {
      if (payload) throw new ServerError(400, 'E002', 'The picture is too small.');
      throw new Error('ENOENT /secret/path');
    });
    await run(jobs);
    expect(await jobs.waitForCompletion(await jobs.start('fixture.tile', true, jobOwner))).toMatchObject({
      result: 'FAILED',
      message: 'The picture is too small.',
    });
    const failedJob = await jobs.waitForCompletion(await jobs.start('fixture.tile', false, jobOwner));
    expect(failedJob.result).toBe('FAILED');
    expect(failedJob.message).toContain(failedJob.id);
    expect(failedJob.message).not.toContain('secret');
  });

  it('continues from the saved cursor after the lease expired, and refuses writes of the former holder', async () => {
    const table = new JobTable(database, 600_000);
    await table.insert('job-1', 'fixture.tile', { a: 1 }, jobOwner);
    const first = (await table.claim(['fixture.tile'], 'first')) as ClaimedJob;
    expect(first).toMatchObject({ id: 'job-1', payload: { a: 1 }, cursor: undefined, attempts: 1 });
    expect(await table.claim(['fixture.tile'], 'second')).toBeUndefined();
    await table.save(first, { done: 3, total: 9, cursor: { row: 3 } });
    expect(await table.claim(['fixture.tile'], 'second')).toBeUndefined();

    await database.query("update core.job set lease_until = now() - interval '1 second' where id = 'job-1'");
    const second = await table.claim(['fixture.tile'], 'second');
    expect(second).toMatchObject({ id: 'job-1', cursor: { row: 3 }, attempts: 2 });
    for (const write of [
      () => table.save(first, { done: 4, cursor: { row: 4 } }),
      () => table.renew(first),
      () => table.complete(first, success),
    ])
      await expect(write()).rejects.toThrow(JobLeaseLostError);
    await table.releaseJob(first);
    await table.complete(second as ClaimedJob, success);
    expect(await table.find('job-1')).toMatchObject({ job: { status: 'COMPLETED', done: 3, total: 9 } });
  });

  it('distinguishes a saved null from no cursor', async () => {
    const table = new JobTable(database, 1);
    await table.insert('job-1', 'k', null, null);
    const first = (await table.claim(['k'], 'first')) as ClaimedJob;
    await table.save(first, { done: 1, cursor: null });
    let second: ClaimedJob | undefined;
    await expect.poll(async () => (second = await table.claim(['k'], 'second'))).toBeDefined();
    expect(second?.cursor).toBeNull();
  });

  it('renews the lease as long as the job runs', async () => {
    // Long enough for three renewals, because a busy machine may renew late.
    const leaseMs = 1500;
    const jobs = createJobs(database, { leaseMs });
    let attempts = 0;
    const long = createBarrier();
    jobs.register('fixture.tile', async () => {
      attempts++;
      await long.reachAndWait();
      return success;
    });
    await run(jobs);
    const id = await jobs.start('fixture.tile', null, jobOwner);
    await long.reached;
    const readLease = async (): Promise<number> =>
      (
        await database
          .of<JobTables>('core')
          .selectFrom('job')
          .select('lease_until')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).lease_until?.getTime() ?? 0;
    const initialLease = await readLease();
    await expect.poll(readLease).toBeGreaterThan(initialLease + leaseMs);
    long.open();
    expect((await jobs.waitForCompletion(id)).result).toBe('SUCCESS');
    expect(attempts).toBe(1);
  });

  it('aborts a run whose lease was lost', async () => {
    const jobs = createJobs(database, { leaseMs: 1500 });
    const runBarrier = createBarrier();
    let abortReason: unknown;
    jobs.register('fixture.tile', async ({ signal }) => {
      void runBarrier.reachAndWait();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      abortReason = signal.reason;
      throw new Error('aborted');
    });
    await run(jobs);
    const id = await jobs.start('fixture.tile', null, jobOwner);
    await runBarrier.reached;
    await database.query(
      "update core.job set holder = 'another', lease_until = now() + interval '1 hour' where id = $1",
      [id],
    );
    await expect.poll(() => abortReason).toBeInstanceOf(JobLeaseLostError);
    expect(await database.query('select holder, state from core.job where id = $1', [id])).toEqual([
      { holder: 'another', state: 'running' },
    ]);
  });

  it('saves a step and its cursor in one transaction', async () => {
    await database.query('create table core.imported (n int not null)');
    const jobs = createJobs(database, { leaseMs: 1000 });
    let attempts = 0;
    const startCursors: unknown[] = [];
    jobs.register('sheets.rows', async (step) => {
      attempts++;
      startCursors.push(step.cursor);
      for (let n = Number(step.cursor ?? 0) + 1; n <= 4; n++) {
        await database
          .of<{ imported: { n: number } }>('core')
          .transaction()
          .execute(async (transaction) => {
            await transaction.insertInto('imported').values({ n }).execute();
            await step.progress({ done: n, total: 4, cursor: n }, transaction);
            if (n === 3 && attempts === 1) throw unavailable('Unavailable.');
          });
      }
      return success;
    });
    await run(jobs);
    const id = await jobs.start('sheets.rows', null, jobOwner);
    // Retried automatically after two seconds; the test triggers it at once.
    await expect
      .poll(
        async () =>
          attempts > 1 ||
          (
            await database.query(
              "update core.job set not_before = now() where id = $1 and state = 'waiting' returning id",
              [id],
            )
          ).length > 0,
      )
      .toBe(true);
    expect((await jobs.waitForCompletion(id)).result).toBe('SUCCESS');
    expect(startCursors).toEqual([undefined, 2]);
    expect(await database.query('select n from core.imported order by n')).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
      { n: 4 },
    ]);
    expect(attempts).toBe(2);
  });

  it('releases a job at a stop without counting the attempt, so that another server continues it', async () => {
    const [first, second] = [createJobs(), createJobs()];
    const halfway = createBarrier();
    const cursors: unknown[] = [];
    const work = async ({ cursor, progress, signal }: JobRun<unknown>): Promise<{ readonly result: 'SUCCESS' }> => {
      cursors.push(cursor);
      if (cursor === undefined) {
        await progress({ done: 1, cursor: 'half' });
        void halfway.reachAndWait();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        signal.throwIfAborted();
      }
      return success;
    };
    for (const jobs of [first, second]) jobs.register('fixture.tile', work);
    const stop = await run(first);
    const id = await first.start('fixture.tile', null, jobOwner);
    await halfway.reached;
    await stop();
    expect(await readAttempts(id)).toBe(0);
    await run(second);
    expect((await second.waitForCompletion(id)).result).toBe('SUCCESS');
    expect(cursors).toEqual([undefined, 'half']);
  });

  it('releases a job that is being claimed when the server stops', async () => {
    const claiming = createBarrier();
    class SlowJobTable extends JobTable {
      override async claim(...args: Parameters<JobTable['claim']>): Promise<ClaimedJob | undefined> {
        const job = await super.claim(...args);
        await claiming.reachAndWait();
        return job;
      }
    }
    const table = new SlowJobTable(database, 30_000);
    await table.insert('job-1', 'fixture.tile', null, jobOwner);
    const untilAborted = async ({ signal }: JobRun<unknown>): Promise<typeof success> => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      signal.throwIfAborted();
      return success;
    };
    const runner = new JobRunner({
      table,
      log,
      runJobByKind: new Map([['fixture.tile', untilAborted]]),
      leaseMs: 30_000,
      maxConcurrent: 1,
      pollIntervalMs: 60_000,
      maxDelayMs: 1000,
      onChange: () => undefined,
    });
    runner.start();
    await claiming.reached;
    const completion = runner.stop(1000);
    claiming.open();
    await completion;
    expect(await readAttempts('job-1')).toBe(0);
    expect(await new JobTable(database, 30_000).claim(['fixture.tile'], 'another')).toMatchObject({ id: 'job-1' });
  });

  it('stops without waiting for a job that ignores the signal, and refuses its later writes', async () => {
    const jobs = createJobs();
    const stopIgnored = createBarrier();
    const lateWrite: { error?: unknown } = {};
    const jobEnd = createBarrier();
    jobs.register('fixture.tile', async ({ progress }) => {
      await stopIgnored.reachAndWait();
      await progress({ done: 9 }).catch((error: unknown) => (lateWrite.error = error));
      jobEnd.open();
      return success;
    });
    const stop = await run(jobs);
    const id = await jobs.start('fixture.tile', null, jobOwner);
    await stopIgnored.reached;
    await stop(50);
    expect(await database.query('select state, holder, attempts from core.job where id = $1', [id])).toEqual([
      { state: 'waiting', holder: null, attempts: 0 },
    ]);
    stopIgnored.open();
    await jobEnd.opened;
    expect(lateWrite.error).toBeInstanceOf(Error);
    expect(await jobs.find(id)).toMatchObject({ status: 'INPROGRESS', done: 0 });
  });

  it('leaves jobs of unknown kinds to other servers', async () => {
    const [oldServer, newServer] = [createJobs(), createJobs()];
    oldServer.register('fixture.tile', async () => success);
    await run(oldServer);
    const unknown = await oldServer.start('fixture.thumbnails', null, jobOwner);
    await oldServer.waitForCompletion(await oldServer.start('fixture.tile', null, jobOwner));
    expect(await readAttempts(unknown)).toBe(0);
    newServer.register('fixture.thumbnails', async () => success);
    await run(newServer);
    expect((await newServer.waitForCompletion(unknown)).result).toBe('SUCCESS');
  });

  it('fails a job after 25 attempts in each of which its process died', async () => {
    const jobs = createJobs();
    let runs = 0;
    jobs.register('fixture.tile', async () => {
      runs++;
      return success;
    });
    const table = new JobTable(database, 1000);
    await table.insert('job-1', 'fixture.tile', null, jobOwner);
    await database.query(
      "update core.job set state = 'running', holder = 'dead', lease_until = now() - interval '1 second', attempts " +
        "= 25 where id = 'job-1'",
    );
    await run(jobs);
    expect(await jobs.waitForCompletion('job-1')).toMatchObject({
      result: 'FAILED',
      message: expect.stringContaining('25 times') as string,
    });
    expect(runs).toBe(0);
  });

  it('takes over the jobs of a killed process at once if it is the only process', async () => {
    const jobs = createJobs();
    jobs.register('fixture.tile', async () => success);
    const table = new JobTable(database, 3_600_000);
    await table.insert('job-1', 'fixture.tile', null, jobOwner);
    await table.claim(['fixture.tile'], 'killed');
    const stop = await jobs.run({ isOnlyProcess: true });
    stops.push(() => stop(1000));
    expect((await jobs.waitForCompletion('job-1')).result).toBe('SUCCESS');
  });

  it('refuses to register a kind twice', () => {
    const jobs = createJobs();
    jobs.register('fixture.tile', async () => success);
    expect(() => jobs.register('fixture.tile', async () => success)).toThrow(/Two parts/);
  });

  it.runIf(kind === 'postgres')('runs each job once with several processes on one database', async () => {
    const sharedDatabase: TestDatabase = await createTestDatabase('postgres');
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase(sharedDatabase.config, { log })));
    await migrate(databases[0] as PoolDatabase, migrationSets);
    const runs = new Map<number, number>();
    const runsByProcess = [0, 0, 0];
    const all = databases.map((jobDatabase, process) => {
      const jobs = createJobs(jobDatabase, { maxConcurrent: 4 });
      jobs.register<number>('fixture.tile', async ({ payload, progress }) => {
        runs.set(payload, (runs.get(payload) ?? 0) + 1);
        runsByProcess[process] = (runsByProcess[process] ?? 0) + 1;
        await progress({ done: 1, total: 1, cursor: 1 });
        return success;
      });
      return jobs;
    });
    const stopFunctions = await Promise.all(all.map((jobs) => jobs.run({ isOnlyProcess: false })));
    const [first] = all as [DatabaseJobs];
    const ids = await Promise.all(
      Array.from({ length: 90 }, (_, index) => first.start('fixture.tile', index, jobOwner)),
    );
    const jobs = await Promise.all(ids.map((id, index) => (all[index % 3] as DatabaseJobs).waitForCompletion(id)));
    expect(jobs.every(({ result }) => result === 'SUCCESS')).toBe(true);
    expect([...runs.values()].filter((times) => times !== 1)).toEqual([]);
    expect(runs.size).toBe(90);
    expect(runsByProcess.filter((times) => times > 0).length).toBeGreaterThan(1);
    await Promise.all(stopFunctions.map((stop) => stop(1000)));
    await Promise.all(databases.map((each) => each.close()));
    await sharedDatabase.remove();
  });
});

describe('JobLeaseLostError', () => {
  it('names the job, and says that another process continues it', () => {
    expect(new JobLeaseLostError('job-1').message).toMatch(/'job-1'.*Another process continues/);
  });
});
