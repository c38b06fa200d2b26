import { AsyncResource } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import { jobChanged, type Job } from '#core/api';
import type { Database } from '../database/database.ts';
import type { Events } from '../events/events.ts';
import { notFound } from '../kernel/server-error.ts';
import { JobRunner, type RunJob } from './job-runner.ts';
import { JobTable, type ClaimedJob } from './job-table.ts';
import type { JobKindOptions, JobOutcome, JobRun, Jobs } from './jobs.ts';

export interface DatabaseJobsOptions {
  readonly database: Database;
  readonly events: Events;
  readonly log: Logger;
  /** Milliseconds after which another process may claim a job whose process has not renewed the lease. */
  readonly leaseMs: number;
  /** The maximum of concurrent long jobs in this process. */
  readonly maxConcurrent: number;
  /** Returns whether long jobs, which write files, may start now. If undefined, long jobs may always start. */
  readonly canStartLongJobs?: () => Promise<boolean>;
}

const maxConcurrentShortJobs = 4;
const maxDelayMs = { long: 60_000, short: 60 * 60_000 } as const;

const channel = 'core_jobs';
/** Polling finds jobs whose announcement was lost, and jobs of dead processes. */
const maxPollIntervalMs = 5_000;
/** The minimum time between two progress announcements of a job. Its completion is always announced. */
const announceIntervalMs = 200;

/** Jobs in the database, shared by all its processes. */
export class DatabaseJobs implements Jobs {
  readonly #database: Database;
  readonly #events: Events;
  readonly #log: Logger;
  readonly #table: JobTable;
  readonly #runners: readonly JobRunner[];
  readonly #pollIntervalMs: number;
  readonly #runJobByKind = {
    long: new Map<string, RunJob>(),
    short: new Map<string, RunJob>(),
    dependent: new Map<string, RunJob>(),
  } as const;
  readonly #announceTimers = new Map<string, NodeJS.Timeout>();
  /**
   * Leaves the asynchronous context of a caller, which may be in a transaction: a job does not belong to the call that
   * started it, and a step that was saved in a transaction is announced later, outside of it.
   */
  readonly #rootScope = new AsyncResource('DatabaseJobs');
  /** The callbacks that are called when a job is completed, by the id of the job. */
  readonly #completionCallbacks = new Map<string, Set<() => void>>();

  constructor({ database, events, log, leaseMs, maxConcurrent, canStartLongJobs }: DatabaseJobsOptions) {
    this.#database = database;
    this.#events = events;
    this.#log = log;
    this.#pollIntervalMs = Math.min(maxPollIntervalMs, leaseMs / 2);
    this.#table = new JobTable(database, leaseMs);
    const sharedOptions = {
      table: this.#table,
      log,
      leaseMs,
      pollIntervalMs: this.#pollIntervalMs,
      onChange: (job: ClaimedJob, change: { readonly isCompleted: boolean }) => this.#handleChange(job, change),
    };
    const long = {
      ...sharedOptions,
      maxDelayMs: maxDelayMs.long,
      ...(canStartLongJobs ? { canClaim: canStartLongJobs } : {}),
    };
    this.#runners = [
      new JobRunner({ ...long, runJobByKind: this.#runJobByKind.long, maxConcurrent }),
      new JobRunner({ ...long, runJobByKind: this.#runJobByKind.dependent, maxConcurrent: 1 }),
      new JobRunner({
        ...sharedOptions,
        runJobByKind: this.#runJobByKind.short,
        maxConcurrent: maxConcurrentShortJobs,
        maxDelayMs: maxDelayMs.short,
      }),
    ];
  }

  register<Payload>(
    kind: string,
    runJob: (run: JobRun<Payload>) => Promise<JobOutcome>,
    { isShort = false, waitsForJobs = false }: JobKindOptions = {},
  ): void {
    if (Object.values(this.#runJobByKind).some((runJobByKind) => runJobByKind.has(kind)))
      throw new Error(`Two parts register the job kind '${kind}'. Begin the kind with the plugin's own id.`);
    this.#runJobByKind[isShort ? 'short' : waitsForJobs ? 'dependent' : 'long'].set(kind, (untypedRun) =>
      runJob(untypedRun as JobRun<Payload>),
    );
  }

  async start<Payload>(
    kind: string,
    payload: Payload,
    owner: string | null,
    transaction?: QueryExecutorProvider,
  ): Promise<string> {
    const id = randomBytes(16).toString('hex');
    await this.#table.insert(id, kind, payload, owner, transaction);
    if (transaction === undefined) await this.notifyRunners();
    return id;
  }

  async notifyRunners(): Promise<void> {
    await this.#notify('wake');
  }

  /** Deletes jobs a week after their completion. */
  deleteOldJobs(): Promise<void> {
    return this.#table.deleteCompleted(7);
  }

  async find(id: string): Promise<Job | undefined> {
    return (await this.#table.find(id))?.job;
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Job>> {
    const ownedJobs = await this.#table.findAll(ids);
    return new Map(ownedJobs.map(({ job }) => [job.id, job]));
  }

  /** Returns undefined for an unknown job and for a job of another person. */
  async findOwned(owner: string, id: string): Promise<Job | undefined> {
    const ownedJob = await this.#table.find(id);
    return ownedJob?.owner === owner ? ownedJob.job : undefined;
  }

  async waitForCompletion(id: string): Promise<Job> {
    for (;;) {
      let resolveWait: () => void = () => undefined;
      const completionOrPoll = new Promise<void>((resolve) => {
        const pollTimer = setTimeout(resolve, this.#pollIntervalMs);
        resolveWait = () => {
          clearTimeout(pollTimer);
          resolve();
        };
      });
      const callbacks = this.#completionCallbacks.get(id) ?? new Set();
      this.#completionCallbacks.set(id, callbacks.add(resolveWait));
      try {
        const job = await this.find(id);
        if (job === undefined) throw notFound('This job');
        if (job.status === 'COMPLETED') return job;
        await completionOrPoll;
      } finally {
        resolveWait();
        callbacks.delete(resolveWait);
        if (callbacks.size === 0) this.#completionCallbacks.delete(id);
      }
    }
  }

  /**
   * Starts running jobs. If no other process shares the database, jobs that are marked as running belong to a killed
   * process and are taken over at once. Returns a function that stops within the given time.
   */
  async run({ isOnlyProcess }: { readonly isOnlyProcess: boolean }): Promise<(timeoutMs: number) => Promise<void>> {
    if (isOnlyProcess) await this.#table.expireAll();
    const unlisten = await this.#database.listen(
      channel,
      (payload) => this.#handleMessage(JSON.parse(payload) as JobMessage),
      { onMissed: () => this.#wake() },
    );
    for (const runner of this.#runners) runner.start();
    return async (timeoutMs) => {
      await Promise.all(this.#runners.map((runner) => runner.stop(timeoutMs)));
      for (const timer of this.#announceTimers.values()) clearTimeout(timer);
      await unlisten();
    };
  }

  #handleMessage(message: JobMessage): void {
    if (message === 'wake') this.#wake();
    else for (const callback of this.#completionCallbacks.get(message.completed) ?? []) callback();
  }

  #wake(): void {
    this.#rootScope.runInAsyncScope(() => {
      for (const runner of this.#runners) runner.wake();
    });
  }

  #handleChange(job: ClaimedJob, { isCompleted }: { readonly isCompleted: boolean }): void {
    if (isCompleted) {
      clearTimeout(this.#announceTimers.get(job.id));
      this.#announceTimers.delete(job.id);
      void this.#notify({ completed: job.id });
      void this.#announce(job);
    } else if (!this.#announceTimers.has(job.id)) {
      const announce = (): void => {
        this.#announceTimers.delete(job.id);
        void this.#announce(job);
      };
      this.#announceTimers.set(
        job.id,
        setTimeout(() => this.#rootScope.runInAsyncScope(announce), announceIntervalMs).unref(),
      );
    }
  }

  /** Sends the owner the job's state, in the format of `GET /api/jobs/:id`. */
  async #announce({ id, owner }: ClaimedJob): Promise<void> {
    if (owner === null) return;
    try {
      const job = await this.find(id);
      if (job !== undefined) await this.#events.publish(jobChanged(id), { accounts: [owner] }, job);
    } catch (error) {
      this.#log.warn({ job: id, err: error }, 'The progress of a job was not announced.');
    }
  }

  async #notify(message: JobMessage): Promise<void> {
    await this.#database
      .notify(channel, JSON.stringify(message))
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, 'A change of the jobs was not announced. The next poll finds it.'),
      );
  }
}

/** `wake` means that there may be new jobs. */
type JobMessage = 'wake' | { readonly completed: string };
