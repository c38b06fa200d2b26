import { AsyncResource } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Job } from '#core/api';
import type { Database } from '../database/database.ts';
import type { Events } from '../events/events.ts';
import { notFound } from '../kernel/server-error.ts';
import { JobRunner, type RunJob } from './job-runner.ts';
import { JobTable, type ClaimedJob } from './job-table.ts';
import type { JobOutcome, JobRun, Jobs } from './jobs.ts';

export interface DatabaseJobsOptions {
  readonly database: Database;
  readonly events: Events;
  readonly log: Logger;
  /** How long a job stays with a process that shows no sign of life, in milliseconds. */
  readonly lease: number;
  /** Jobs at once in this process. */
  readonly atOnce: number;
}

const channel = 'core_jobs';
/** An announcement can be lost while the connection to the database is: so often, in milliseconds, it looks without one. A job whose holder died is found by it too. */
const lookAtLeastEvery = 5_000;
/** Between two announcements of one job's progress; its end is announced always. */
const announceEvery = 200;

/** Jobs in the database, shared by all processes over it. */
export class DatabaseJobs implements Jobs {
  readonly #database: Database;
  readonly #events: Events;
  readonly #log: Logger;
  readonly #table: JobTable;
  readonly #runner: JobRunner;
  readonly #lookEvery: number;
  readonly #kinds = new Map<string, RunJob>();
  readonly #announcements = new Map<string, NodeJS.Timeout>();
  /** A step may be saved inside a transaction; what is read and told of it belongs outside. */
  readonly #outside = new AsyncResource('DatabaseJobs');
  /** Woken when a job ends, by its id. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor({ database, events, log, lease, atOnce }: DatabaseJobsOptions) {
    this.#database = database;
    this.#events = events;
    this.#log = log;
    this.#lookEvery = Math.min(lookAtLeastEvery, lease / 2);
    this.#table = new JobTable(database, lease);
    this.#runner = new JobRunner({ table: this.#table, log, kinds: this.#kinds, lease, atOnce, lookEvery: this.#lookEvery, onChange: (job, completed) => this.#changed(job, completed) });
  }

  register<Payload>(kind: string, run: (run: JobRun<Payload>) => Promise<JobOutcome>): void {
    if (this.#kinds.has(kind)) throw new Error(`Two parts register the job kind '${kind}'. Begin the kind with the plugin's own id.`);
    this.#kinds.set(kind, (untyped) => run(untyped as JobRun<Payload>));
  }

  async start<Payload>(kind: string, payload: Payload, owner: string | null): Promise<string> {
    const id = randomBytes(16).toString('hex');
    await this.#table.insert(id, kind, payload, owner);
    await this.#tell({ waiting: id });
    return id;
  }

  async find(id: string): Promise<Job | undefined> {
    return (await this.#table.find(id))?.job;
  }

  /** Undefined too where the job is another person's. */
  async findOf(owner: string, id: string): Promise<Job | undefined> {
    const found = await this.#table.find(id);
    return found?.owner === owner ? found.job : undefined;
  }

  async finished(id: string): Promise<Job> {
    for (;;) {
      let wake: () => void = () => undefined;
      const woken = new Promise<void>((resolve) => {
        const look = setTimeout(resolve, this.#lookEvery);
        wake = () => {
          clearTimeout(look);
          resolve();
        };
      });
      const others = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, others.add(wake));
      try {
        const job = await this.find(id);
        if (job === undefined) throw notFound('This job');
        if (job.status === 'COMPLETED') return job;
        await woken;
      } finally {
        wake();
        others.delete(wake);
        if (others.size === 0) this.#waiting.delete(id);
      }
    }
  }

  /** Begins to run jobs. `alone`: no other process shares the database, so jobs that look as if they ran were left by a killed one. Returns what stops it, within the given patience. */
  async run(alone: boolean): Promise<(patience: number) => Promise<void>> {
    if (alone) await this.#table.expireAll();
    const unlisten = await this.#database.listen(channel, (payload) => this.#hear(JSON.parse(payload) as Told), { missed: () => this.#runner.wake() });
    this.#runner.start();
    return async (patience) => {
      await this.#runner.stop(patience);
      for (const timer of this.#announcements.values()) clearTimeout(timer);
      await unlisten();
    };
  }

  #hear(told: Told): void {
    if ('waiting' in told) this.#runner.wake();
    else for (const wake of this.#waiting.get(told.completed) ?? []) wake();
  }

  #changed(job: ClaimedJob, completed: boolean): void {
    if (completed) {
      clearTimeout(this.#announcements.get(job.id));
      this.#announcements.delete(job.id);
      void this.#tell({ completed: job.id });
      void this.#announce(job);
    } else if (!this.#announcements.has(job.id)) {
      const announce = (): void => {
        this.#announcements.delete(job.id);
        void this.#announce(job);
      };
      this.#announcements.set(job.id, setTimeout(() => this.#outside.runInAsyncScope(announce), announceEvery).unref());
    }
  }

  /** To the job's owner, as `GET /api/jobs/:id` answers it. */
  async #announce({ id, owner }: ClaimedJob): Promise<void> {
    if (owner === null) return;
    try {
      const job = await this.find(id);
      if (job !== undefined) await this.#events.publish(`job.${id}`, job, [owner]);
    } catch (error) {
      this.#log.warn({ job: id, err: error }, 'The progress of a job was not announced.');
    }
  }

  async #tell(told: Told): Promise<void> {
    await this.#database.notify(channel, JSON.stringify(told)).catch((error: unknown) => this.#log.warn({ err: error }, 'A change of the jobs was not announced. The next look finds it.'));
  }
}

type Told = { readonly waiting: string } | { readonly completed: string };
