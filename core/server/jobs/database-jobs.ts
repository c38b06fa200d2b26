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
  /** How long a job stays with a process without a heartbeat, in milliseconds. */
  readonly lease: number;
  /** Concurrent long jobs in this process. */
  readonly atOnce: number;
  /** Whether long jobs, which write files, may start now. Default: always. */
  readonly mayTakeLong?: () => Promise<boolean>;
}

const shortAtOnce = 4;
const maxDelay = { long: 60_000, short: 60 * 60_000 } as const;

const channel = 'core_jobs';
/** Polling interval in milliseconds. Finds jobs whose announcement was lost, and jobs of dead processes. */
const maxPollIntervalMs = 5_000;
/** Minimum time between two progress announcements of a job; completion is always announced. */
const announceIntervalMs = 200;

/** Jobs in the database, shared by all its processes. */
export class DatabaseJobs implements Jobs {
  readonly #database: Database;
  readonly #events: Events;
  readonly #log: Logger;
  readonly #table: JobTable;
  readonly #runners: readonly JobRunner[];
  readonly #pollIntervalMs: number;
  readonly #kinds = { long: new Map<string, RunJob>(), short: new Map<string, RunJob>() } as const;
  readonly #announcements = new Map<string, NodeJS.Timeout>();
  /** A step may be saved inside a transaction; later reads and announcements must run outside of it. */
  readonly #outside = new AsyncResource('DatabaseJobs');
  /** Callbacks at the end of a job, by its id. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor({ database, events, log, lease, atOnce, mayTakeLong }: DatabaseJobsOptions) {
    this.#database = database;
    this.#events = events;
    this.#log = log;
    this.#pollIntervalMs = Math.min(maxPollIntervalMs, lease / 2);
    this.#table = new JobTable(database, lease);
    const shared = {
      table: this.#table,
      log,
      lease,
      pollIntervalMs: this.#pollIntervalMs,
      onChange: (job: ClaimedJob, completed: boolean) => this.#changed(job, completed),
    };
    this.#runners = [
      new JobRunner({
        ...shared,
        kinds: this.#kinds.long,
        atOnce,
        maxDelay: maxDelay.long,
        ...(mayTakeLong ? { mayTake: mayTakeLong } : {}),
      }),
      new JobRunner({ ...shared, kinds: this.#kinds.short, atOnce: shortAtOnce, maxDelay: maxDelay.short }),
    ];
  }

  register<Payload>(
    kind: string,
    run: (run: JobRun<Payload>) => Promise<JobOutcome>,
    { short = false }: JobKindOptions = {},
  ): void {
    if (this.#kinds.long.has(kind) || this.#kinds.short.has(kind))
      throw new Error(`Two parts register the job kind '${kind}'. Begin the kind with the plugin's own id.`);
    this.#kinds[short ? 'short' : 'long'].set(kind, (untyped) => run(untyped as JobRun<Payload>));
  }

  async start<Payload>(
    kind: string,
    payload: Payload,
    owner: string | null,
    within?: QueryExecutorProvider,
  ): Promise<string> {
    const id = randomBytes(16).toString('hex');
    await this.#table.insert(id, kind, payload, owner, within);
    if (within === undefined) await this.look();
    return id;
  }

  async look(): Promise<void> {
    await this.#notify('look');
  }

  /** Deletes jobs a week after their completion. */
  removeOld(): Promise<void> {
    return this.#table.removeCompleted(7);
  }

  async find(id: string): Promise<Job | undefined> {
    return (await this.#table.find(id))?.job;
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Job>> {
    const found = await this.#table.findAll(ids);
    return new Map(found.map(({ job }) => [job.id, job]));
  }

  /** Undefined also for another person's job. */
  async findOwned(owner: string, id: string): Promise<Job | undefined> {
    const found = await this.#table.find(id);
    return found?.owner === owner ? found.job : undefined;
  }

  async finished(id: string): Promise<Job> {
    for (;;) {
      let wake: () => void = () => undefined;
      const wakeUp = new Promise<void>((resolve) => {
        const look = setTimeout(resolve, this.#pollIntervalMs);
        wake = () => {
          clearTimeout(look);
          resolve();
        };
      });
      const callbacks = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, callbacks.add(wake));
      try {
        const job = await this.find(id);
        if (job === undefined) throw notFound('This job');
        if (job.status === 'COMPLETED') return job;
        await wakeUp;
      } finally {
        wake();
        callbacks.delete(wake);
        if (callbacks.size === 0) this.#waiting.delete(id);
      }
    }
  }

  /**
   * Starts running jobs. `alone`: no other process shares the database, so jobs marked as running belong to a killed
   * one. Returns a function that stops within the given time.
   */
  async run(isOnlyProcess: boolean): Promise<(timeoutMs: number) => Promise<void>> {
    if (isOnlyProcess) await this.#table.expireAll();
    const unlisten = await this.#database.listen(
      channel,
      (payload) => this.#handleMessage(JSON.parse(payload) as JobMessage),
      {
        missed: () => this.#wake(),
      },
    );
    for (const runner of this.#runners) runner.start();
    return async (timeoutMs) => {
      await Promise.all(this.#runners.map((runner) => runner.stop(timeoutMs)));
      for (const timer of this.#announcements.values()) clearTimeout(timer);
      await unlisten();
    };
  }

  #handleMessage(message: JobMessage): void {
    if (message === 'look') this.#wake();
    else for (const wake of this.#waiting.get(message.completed) ?? []) wake();
  }

  #wake(): void {
    for (const runner of this.#runners) runner.wake();
  }

  #changed(job: ClaimedJob, completed: boolean): void {
    if (completed) {
      clearTimeout(this.#announcements.get(job.id));
      this.#announcements.delete(job.id);
      void this.#notify({ completed: job.id });
      void this.#announce(job);
    } else if (!this.#announcements.has(job.id)) {
      const announce = (): void => {
        this.#announcements.delete(job.id);
        void this.#announce(job);
      };
      this.#announcements.set(
        job.id,
        setTimeout(() => this.#outside.runInAsyncScope(announce), announceIntervalMs).unref(),
      );
    }
  }

  /** Sends the job's state to its owner, as in `GET /api/jobs/:id`. */
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
        this.#log.warn({ err: error }, 'A change of the jobs was not announced. The next look finds it.'),
      );
  }
}

type JobMessage = 'look' | { readonly completed: string };
