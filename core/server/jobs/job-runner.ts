import { randomBytes } from 'node:crypto';
import type { QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import { coreRefusal } from '#core/api';
import { DatabaseUnavailableError } from '../kernel/database-error.ts';
import { isDiskFull } from '../kernel/disk-space.ts';
import { formatSentence, ServerError } from '../kernel/server-error.ts';
import { JobLeaseLost, type ClaimedJob, type JobTable } from './job-table.ts';
import type { JobOutcome, JobRun, JobStep } from './jobs.ts';

export type RunJob = (run: JobRun<unknown>) => Promise<JobOutcome>;

export interface JobRunnerOptions {
  readonly table: JobTable;
  readonly log: Logger;
  readonly kinds: ReadonlyMap<string, RunJob>;
  /** Milliseconds; equal to the table's. */
  readonly lease: number;
  /** Concurrent jobs in this process. */
  readonly atOnce: number;
  /** Polling interval in milliseconds, for jobs without an announcement: handed back, or of a dead process. */
  readonly pollIntervalMs: number;
  /** Maximum delay in milliseconds before a job is retried after an outage; delays start at two seconds and double. */
  readonly maxDelay: number;
  /** Called before jobs are claimed; false postpones them to the next poll. Default: always. */
  readonly mayTake?: () => Promise<boolean>;
  /** Called after a step was saved or the job completed. Must not throw. */
  readonly onChange: (job: ClaimedJob, completed: boolean) => void;
}

/** A job is given up after so many attempts without progress that ended its process or met an outage. */
const maxAttempts = 25;

interface Attempt {
  readonly job: ClaimedJob;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** Claims jobs from the table and runs a few concurrently, until it is stopped. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #running = new Set<Attempt>();
  #look: NodeJS.Timeout | undefined;
  #taking: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#look = setInterval(() => this.wake(), this.#options.pollIntervalMs).unref();
    this.wake();
  }

  /** Signals that there may be work. */
  wake(): void {
    this.#again = true;
    this.#taking ??= this.#takeAll().finally(() => (this.#taking = undefined));
  }

  /**
   * Aborts the running jobs, waits at most `timeoutMs` for them, and hands back the rest so that another process
   * continues at once.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#look);
    await this.#taking;
    const attempts = [...this.#running];
    for (const { abort } of attempts) abort.abort(new Error('The server stops.'));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
    await Promise.race([Promise.all(attempts.map(({ ended }) => ended)), late]);
    clearTimeout(timer);
    for (const { job } of this.#running) await this.#options.table.releaseJob(job, 0, false);
  }

  async #takeAll(): Promise<void> {
    const { table, kinds, atOnce, log, mayTake } = this.#options;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        if (mayTake && !(await mayTake())) continue;
        while (kinds.size > 0 && this.#running.size < atOnce && !this.#stopped) {
          const job = await table.claim([...kinds.keys()], randomBytes(12).toString('base64url'));
          if (job === undefined) break;
          this.#begin(job);
        }
      } catch (error) {
        log.warn({ err: error }, 'Jobs could not be taken from the table. The next look tries again.');
      }
    }
  }

  #begin(job: ClaimedJob): void {
    const abort = new AbortController();
    const attempt: Attempt = {
      job,
      abort,
      ended: this.#run(job, abort).finally(() => {
        this.#running.delete(attempt);
        this.wake();
      }),
    };
    this.#running.add(attempt);
  }

  async #run(job: ClaimedJob, abort: AbortController): Promise<void> {
    const { table, kinds, lease, maxDelay, onChange } = this.#options;
    const log = this.#options.log.child({ job: job.id, kind: job.kind, attempt: job.attempts });
    let leaseEnd = Date.now() + lease;
    const renew = setInterval(() => {
      table.renew(job).then(
        () => (leaseEnd = Date.now() + lease),
        (error: unknown) => {
          if (error instanceof JobLeaseLost || Date.now() > leaseEnd) abort.abort(error);
          else log.warn({ err: error }, 'The lease of a job could not be renewed.');
        },
      );
    }, lease / 3).unref();

    const progress = async (step: JobStep, within?: QueryExecutorProvider): Promise<void> => {
      abort.signal.throwIfAborted();
      await table.save(job, step, within).catch((error: unknown) => {
        if (error instanceof JobLeaseLost) abort.abort(error);
        throw error;
      });
      onChange(job, false);
    };

    try {
      const outcome = await this.#outcome(
        job,
        { id: job.id, payload: job.payload, cursor: job.cursor, signal: abort.signal, log, progress },
        kinds,
        log,
      );
      if (outcome === 'later') await table.releaseJob(job, Math.min(1000 * 2 ** job.attempts, maxDelay), true);
      else if (outcome === 'elsewhere') await table.releaseJob(job, 0, false);
      else {
        // Jobs without an owner report failures only here.
        if (job.owner === null && outcome.result !== 'SUCCESS')
          log.warn(
            {
              result: outcome.result,
              reason: outcome.message === undefined ? undefined : formatSentence(outcome.message),
            },
            'A job that nobody waits for did not succeed.',
          );
        await table.complete(job, outcome);
        onChange(job, true);
      }
    } catch (error) {
      log.warn({ err: error }, 'The end of a job could not be saved. It runs again when its lease has run out.');
    } finally {
      clearInterval(renew);
    }
  }

  async #outcome(
    job: ClaimedJob,
    run: JobRun<unknown>,
    kinds: ReadonlyMap<string, RunJob>,
    log: Logger,
  ): Promise<JobOutcome | 'later' | 'elsewhere'> {
    if (job.attempts > maxAttempts) {
      log.error('A job is given up.');
      return {
        result: 'FAILED',
        message: coreRefusal('core.refused.jobGivenUp', { attempts: maxAttempts, job: job.id }),
      };
    }
    try {
      const work = kinds.get(job.kind);
      if (work === undefined) return 'elsewhere';
      return await work(run);
    } catch (error) {
      if (run.signal.aborted) return 'elsewhere';
      const isUnavailable =
        error instanceof DatabaseUnavailableError || (error instanceof ServerError && error.status === 503);
      if (isUnavailable || isDiskFull(error)) {
        log.warn({ err: error }, 'A job found something away that it needs. It is tried again later.');
        return 'later';
      }
      if (error instanceof ServerError) {
        if (error.status >= 500) log.error({ err: error }, 'A job failed.');
        return { result: 'FAILED', message: error.userMessage };
      }
      log.error({ err: error }, 'A job failed.');
      return { result: 'FAILED', message: coreRefusal('core.refused.jobFailed', { job: job.id }) };
    }
  }
}
