import type { QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import { token } from '#core';
import type { Job } from '#core/api';
import type { UserMessage } from '../kernel/server-error.ts';

export type JobResult = 'SUCCESS' | 'FAILED' | 'WARNING';

export interface JobStep {
  readonly done: number;
  readonly total?: number;
  /** JSON; where the next attempt begins. */
  readonly cursor?: unknown;
}

/** One running attempt of a job. Progress writes are fenced: they throw in a process that lost its lease. */
export interface JobRun<Payload> {
  readonly id: string;
  readonly payload: Payload;
  /** The cursor saved by earlier attempts; undefined in the first. */
  readonly cursor: unknown;
  /** Aborted when the server stops or the lease is lost: return or throw soon; the job continues elsewhere. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /**
   * Saves the progress and notifies listeners. `within`: the transaction of the step's rows, so that rows and cursor
   * are committed together.
   */
  progress(step: JobStep, within?: QueryExecutorProvider): Promise<void>;
}

export interface JobOutcome {
  readonly result: JobResult;
  /** Shown to the job's owner. Use a refusal for problems, so that it appears in their language. */
  readonly message?: UserMessage;
}

export interface JobKindOptions {
  /**
   * For jobs of seconds that somebody waits for, such as mails: they run in their own slots, never behind long jobs.
   * After an outage they are retried with growing delays, for fifteen hours.
   */
  readonly short?: boolean;
}

export interface Jobs {
  /**
   * Call it while the plugin is mounted. `run` repeats from the last saved cursor after a kill, so it must be safe to
   * repeat. `kind` starts with the plugin's id, such as `<plugin>.tile`. A thrown `ServerError` fails the job with its
   * message (503: retried later); other errors are logged and fail it with a generic one.
   */
  register<Payload>(kind: string, run: (run: JobRun<Payload>) => Promise<JobOutcome>, options?: JobKindOptions): void;
  /**
   * Returns the job's id after the commit. `owner`: uid of the person who may see it; null for the system. The payload
   * is cleared at completion, the job deleted a week later. `within`: starts the job with that transaction; call `look`
   * after its commit to run it at once.
   */
  start<Payload>(kind: string, payload: Payload, owner: string | null, within?: QueryExecutorProvider): Promise<string>;
  /** Signals that there may be new jobs. */
  look(): Promise<void>;
  find(id: string): Promise<Job | undefined>;
  /** The existing ones of these jobs by id, in one query. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Job>>;
  /** Resolves when the job is COMPLETED, in any process. Rejects for an unknown job. */
  finished(id: string): Promise<Job>;
}
export const Jobs = token<Jobs>('core.Jobs');
