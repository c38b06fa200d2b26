import { randomBytes } from 'node:crypto';
import type { QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import { coreRefusal } from '#core/api';
import { DatabaseUnavailableError } from '../kernel/database-error.ts';
import { isDiskFull } from '../kernel/disk-space.ts';
import { formatSentence, ServerError } from '../kernel/server-error.ts';
import { JobLeaseLostError, type ClaimedJob, type JobTable } from './job-table.ts';
import type { JobOutcome, JobRun, JobStep } from './jobs.ts';

/** Returns whether the error means that a dependency is temporarily unavailable. A job that throws it is retried later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError ||
  (error instanceof ServerError && error.status === 503) ||
  isDiskFull(error);

export type RunJob = (run: JobRun<unknown>) => Promise<JobOutcome>;

export interface JobRunnerOptions {
  readonly table: JobTable;
  readonly log: Logger;
  readonly runJobByKind: ReadonlyMap<string, RunJob>;
  /** Milliseconds. Must equal the lease of the table. */
  readonly leaseMs: number;
  /** The maximum of concurrent jobs in this process. */
  readonly maxConcurrent: number;
  /** Polling finds jobs that nothing announces: released jobs and jobs of dead processes. */
  readonly pollIntervalMs: number;
  /** The maximum delay before a job is retried after an outage. Delays start at two seconds and double. */
  readonly maxDelayMs: number;
  /** Called before jobs are claimed. If it returns false, claiming waits for the next poll. */
  readonly canClaim?: () => Promise<boolean>;
  /** Called after a step was saved or the job completed. Must not throw. */
  readonly onChange: (job: ClaimedJob, change: { readonly isCompleted: boolean }) => void;
}

/** A job fails after 25 attempts without a saved cursor, each of which was ended by a killed process or an outage. */
const maxAttempts = 25;

interface Attempt {
  readonly job: ClaimedJob;
  readonly controller: AbortController;
  /** Resolves when the attempt has ended, whatever its result. */
  readonly completion: Promise<void>;
}

/** Claims jobs from the table and runs at most `maxConcurrent` of them at once, until the runner is stopped. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #running = new Set<Attempt>();
  #pollTimer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | undefined;
  #claimRequested = false;
  #stopped = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#pollTimer = setInterval(() => this.wake(), this.#options.pollIntervalMs).unref();
    this.wake();
  }

  /** Signals that there may be work. */
  wake(): void {
    this.#claimRequested = true;
    this.#claiming ??= this.#claimJobs().finally(() => (this.#claiming = undefined));
  }

  /**
   * Aborts the running jobs, waits at most `timeoutMs` for them, and releases the remaining ones so that another
   * process continues them at once.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#pollTimer);
    await this.#claiming;
    const attempts = [...this.#running];
    for (const { controller } of attempts) controller.abort(new Error('The server stops.'));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
    await Promise.race([Promise.all(attempts.map(({ completion }) => completion)), timeout]);
    clearTimeout(timer);
    for (const { job } of this.#running) await this.#options.table.releaseJob(job);
  }

  async #claimJobs(): Promise<void> {
    const { table, runJobByKind, maxConcurrent, log, canClaim } = this.#options;
    while (this.#claimRequested && !this.#stopped) {
      this.#claimRequested = false;
      try {
        if (canClaim && !(await canClaim())) continue;
        while (runJobByKind.size > 0 && this.#running.size < maxConcurrent && !this.#stopped) {
          const job = await table.claim([...runJobByKind.keys()], randomBytes(12).toString('base64url'));
          if (job === undefined) break;
          this.#startAttempt(job);
        }
      } catch (error) {
        log.warn({ err: error }, 'Jobs could not be claimed. The next poll tries again.');
      }
    }
  }

  #startAttempt(job: ClaimedJob): void {
    const controller = new AbortController();
    const attempt: Attempt = {
      job,
      controller,
      completion: this.#runAttempt(job, controller).finally(() => {
        this.#running.delete(attempt);
        this.wake();
      }),
    };
    this.#running.add(attempt);
  }

  async #runAttempt(job: ClaimedJob, controller: AbortController): Promise<void> {
    const { table, runJobByKind, leaseMs, maxDelayMs, onChange } = this.#options;
    const log = this.#options.log.child({ job: job.id, kind: job.kind, attempt: job.attempts });
    let leaseEndsAt = Date.now() + leaseMs;
    const renewalTimer = setInterval(() => {
      table.renew(job).then(
        () => (leaseEndsAt = Date.now() + leaseMs),
        (error: unknown) => {
          if (error instanceof JobLeaseLostError || Date.now() > leaseEndsAt) controller.abort(error);
          else log.warn({ err: error }, 'The lease of a job could not be renewed.');
        },
      );
    }, leaseMs / 3).unref();

    const progress = async (step: JobStep, transaction?: QueryExecutorProvider): Promise<void> => {
      controller.signal.throwIfAborted();
      await table.save(job, step, transaction).catch((error: unknown) => {
        if (error instanceof JobLeaseLostError) controller.abort(error);
        throw error;
      });
      onChange(job, { isCompleted: false });
    };

    try {
      const outcome = await this.#runJob(
        job,
        { id: job.id, payload: job.payload, cursor: job.cursor, signal: controller.signal, log, progress },
        runJobByKind,
        log,
      );
      if (outcome === 'retry')
        await table.releaseJob(job, {
          delayMs: Math.min(1000 * 2 ** job.attempts, maxDelayMs),
          countsAttempt: true,
        });
      else if (outcome === 'release') await table.releaseJob(job);
      else {
        // No person sees the result of a job without an owner, so the log gets it.
        if (job.owner === null && outcome.result !== 'SUCCESS') {
          const reason = outcome.message === undefined ? undefined : formatSentence(outcome.message);
          log.warn({ result: outcome.result, reason }, 'A job without an owner did not succeed.');
        }
        await table.complete(job, outcome);
        onChange(job, { isCompleted: true });
      }
    } catch (error) {
      log.warn({ err: error }, 'The result of a job could not be saved. The job runs again when its lease expires.');
    } finally {
      clearInterval(renewalTimer);
    }
  }

  async #runJob(
    job: ClaimedJob,
    run: JobRun<unknown>,
    runJobByKind: ReadonlyMap<string, RunJob>,
    log: Logger,
  ): Promise<JobOutcome | 'retry' | 'release'> {
    if (job.attempts > maxAttempts) {
      log.error('A job failed after too many attempts.');
      return {
        result: 'FAILED',
        message: coreRefusal('core.refused.jobGivenUp', { attempts: maxAttempts, job: job.id }),
      };
    }
    try {
      const runJob = runJobByKind.get(job.kind);
      if (runJob === undefined) return 'release';
      return await runJob(run);
    } catch (error) {
      if (run.signal.aborted) return 'release';
      if (isOutage(error)) {
        log.warn({ err: error }, 'A dependency of a job is unavailable. The job is retried later.');
        return 'retry';
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
