import type { Logger } from 'pino';
import { token } from '#core';
import type { Job } from '#core/api';

export type JobResult = 'SUCCESS' | 'FAILED' | 'WARNING';

/** One running attempt of a job. Every write of progress is fenced: a process that lost its lease is stopped by a throw. */
export interface JobRun<Payload> {
  readonly id: string;
  readonly payload: Payload;
  /** Where the last attempt got to; undefined in the first. */
  readonly cursor: unknown;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Saves how far it got, and tells who listens. */
  progress(step: { readonly done: number; readonly total?: number; readonly cursor?: unknown }): Promise<void>;
}

export interface Jobs {
  /** Called while a plugin is mounted. `run` is called again from the last saved cursor after a kill: it must be safe to repeat from there. `kind` starts with the plugin's id, such as `tour.tile-panorama`. */
  register<Payload>(kind: string, run: (run: JobRun<Payload>) => Promise<{ readonly result: JobResult; readonly message?: string }>): void;
  /** Returns when the job's row is committed. */
  start<Payload>(kind: string, payload: Payload, owner: string | null): Promise<string>;
  find(id: string): Promise<Job | undefined>;
  /** Resolves when the job is COMPLETED. */
  finished(id: string): Promise<Job>;
}
export const Jobs = token<Jobs>('core.Jobs');
