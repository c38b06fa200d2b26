import type { QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import { token } from '#core';
import type { Job } from '#core/api';
import type { UserMessage } from '../kernel/server-error.ts';

export type JobResult = 'SUCCESS' | 'FAILED' | 'WARNING';

export interface JobStep {
  readonly done: number;
  readonly total?: number;
  /** A JSON value from which the next attempt continues. */
  readonly cursor?: unknown;
}

/** One running attempt of a job. */
export interface JobRun<Payload> {
  readonly id: string;
  readonly payload: Payload;
  /** The cursor that an earlier attempt saved last. Undefined if none was saved. */
  readonly cursor: unknown;
  /** Aborted when the server stops or the lease is lost. Return or throw soon: another process continues the job. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /**
   * Saves the progress and notifies listeners. With the `transaction` of the step's rows, rows and cursor are committed
   * together.
   *
   * @throws if the lease is lost
   */
  progress(step: JobStep, transaction?: QueryExecutorProvider): Promise<void>;
}

export interface JobOutcome {
  readonly result: JobResult;
  /** Shown to the job's owner. Use a refusal for a problem, so that the owner reads it in their own language. */
  readonly message?: UserMessage;
}

export interface JobKindOptions {
  /**
   * For jobs that take seconds and that a person waits for, such as mails. Short jobs never wait for long jobs. After
   * an outage, short jobs are retried with growing delays for fifteen hours.
   */
  readonly isShort?: boolean;
  /**
   * For long jobs that wait for other long jobs (`waitForCompletion`). They run one at a time in each process and
   * occupy no slot of other long jobs. They must not wait for each other.
   */
  readonly waitsForJobs?: boolean;
}

export interface Jobs {
  /**
   * Registers the function that runs jobs of a kind, while the plugin is mounted. `kind` begins with the plugin's id.
   * After a kill `runJob` is called again with the last saved cursor, so it must be idempotent. A thrown `ServerError`
   * fails the job with its message, except 503, after which the job is retried. Other errors are logged and fail the
   * job with a generic message.
   */
  register<Payload>(
    kind: string,
    runJob: (run: JobRun<Payload>) => Promise<JobOutcome>,
    options?: JobKindOptions,
  ): void;
  /**
   * Adds a job and returns its id. `owner` is the uid of the person who may see it, or null. The payload is cleared at
   * completion, and the job is deleted a week later. With a `transaction` the job starts after its commit: then call
   * `notifyRunners` to run it at once.
   */
  start<Payload>(
    kind: string,
    payload: Payload,
    owner: string | null,
    transaction?: QueryExecutorProvider,
  ): Promise<string>;
  /** Signals that there may be new jobs. */
  notifyRunners(): Promise<void>;
  find(id: string): Promise<Job | undefined>;
  /** Finds jobs in one query. Unknown ids are missing from the map. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Job>>;
  /** Resolves when any process has completed the job. Rejects for an unknown job. */
  waitForCompletion(id: string): Promise<Job>;
}
export const Jobs = token<Jobs>('core.Jobs');
