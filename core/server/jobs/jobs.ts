import type { QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import { token } from '#core';
import type { Job } from '#core/api';
import type { Words } from '../kernel/server-error.ts';

export type JobResult = 'SUCCESS' | 'FAILED' | 'WARNING';

export interface JobStep {
  readonly done: number;
  readonly total?: number;
  /** JSON; the next attempt begins here. */
  readonly cursor?: unknown;
}

/**
 * One running attempt of a job. Every write of progress is fenced: a process that lost its lease is stopped by a throw.
 */
export interface JobRun<Payload> {
  readonly id: string;
  readonly payload: Payload;
  /** Where the last attempt got to; undefined in the first. */
  readonly cursor: unknown;
  /**
   * Aborted when the server stops or the lease was lost: end soon, by a throw or a return; the job goes on elsewhere.
   */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /**
   * Saves how far it got, and tells who listens. `within`: the transaction of the step's own rows, so that rows and
   * cursor are kept together or not at all.
   */
  progress(step: JobStep, within?: QueryExecutorProvider): Promise<void>;
}

export interface JobOutcome {
  readonly result: JobResult;
  /** Shown to the job's owner. What went wrong is a refusal, so that it can be shown in their language. */
  readonly message?: Words;
}

export interface JobKindOptions {
  /**
   * Takes seconds, and somebody waits for it, such as a mail: runs in places of its own, beside the long jobs and never
   * behind them. Where it finds something away, it is tried again less and less often, for fifteen hours.
   */
  readonly short?: boolean;
}

export interface Jobs {
  /**
   * Called while a plugin is mounted. `run` is called again from the last saved cursor after a kill: it must be safe to
   * repeat from there. `kind` starts with the plugin's id, such as `<plugin>.tile`. Where `run` throws a
   * `ServerError` the job is FAILED with its words (503: it is tried again later); any other throw is FAILED with a
   * sentence that says nothing of the cause, which is logged.
   */
  register<Payload>(kind: string, run: (run: JobRun<Payload>) => Promise<JobOutcome>, options?: JobKindOptions): void;
  /**
   * Returns the job's id when its row is committed. `owner`: uid of who may see it; null for the system's own. The
   * payload is forgotten when the job is COMPLETED, the job a week later. `within`: the transaction to whose rows the
   * job belongs: it is started by the commit, and noticed within some seconds, or at once by `look` after the commit.
   */
  start<Payload>(kind: string, payload: Payload, owner: string | null, within?: QueryExecutorProvider): Promise<string>;
  /** There may be new jobs. */
  look(): Promise<void>;
  find(id: string): Promise<Job | undefined>;
  /** Those of these jobs that exist, by id; one query for any number. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Job>>;
  /** Resolves when the job is COMPLETED, in whichever process. Rejects where it does not exist. */
  finished(id: string): Promise<Job>;
}
export const Jobs = token<Jobs>('core.Jobs');
