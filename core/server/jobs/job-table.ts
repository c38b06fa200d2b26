import { sql, type QueryExecutorProvider } from 'kysely';
import { pickLocalizedError } from '#core';
import type { Job } from '#core/api';
import type { Database } from '../database/database.ts';
import { formatSentence } from '../kernel/server-error.ts';
import type { JobTables } from './job-tables.ts';
import type { JobOutcome, JobStep } from './jobs.ts';

/** One attempt of a job, claimed by this process. */
export interface ClaimedJob {
  readonly id: string;
  readonly kind: string;
  readonly owner: string | null;
  readonly payload: unknown;
  readonly cursor: unknown;
  readonly attempts: number;
  readonly holder: string;
}

export interface OwnedJob {
  readonly job: Job;
  readonly owner: string | null;
}

/** This attempt has lost its lease: another process may have claimed the job. */
export class JobLeaseLostError extends Error {
  override readonly name = 'JobLeaseLostError';

  constructor(id: string) {
    super(
      `This attempt has lost the lease of the job '${id}' and saves nothing more. Another process continues the job.`,
    );
  }
}

/**
 * The table of jobs. Leases use the database's clock, which all processes share. Each write of an attempt is refused
 * once another attempt holds the job.
 */
export class JobTable {
  readonly #database: Database;
  readonly #leaseInterval: string;

  constructor(database: Database, leaseMs: number) {
    this.#database = database;
    this.#leaseInterval = `${leaseMs} milliseconds`;
  }

  get #jobs() {
    return this.#database.of<JobTables>('core');
  }

  async insert(
    id: string,
    kind: string,
    payload: unknown,
    owner: string | null,
    transaction: QueryExecutorProvider = this.#jobs,
  ): Promise<void> {
    await sql`insert into core.job (id, kind, owner, payload)
      values (${id}, ${kind}, ${owner}, ${JSON.stringify(payload ?? null)}::jsonb)`.execute(transaction);
  }

  async find(id: string): Promise<OwnedJob | undefined> {
    const [found] = await this.findAll([id]);
    return found;
  }

  async findAll(ids: readonly string[]): Promise<readonly OwnedJob[]> {
    if (ids.length === 0) return [];
    const rows = await this.#jobs
      .selectFrom('job')
      .select([
        'id',
        'kind',
        'owner',
        'state',
        'result',
        'message',
        'refusal',
        'done',
        'total',
        'created_at',
        'finished_at',
      ])
      .where(sql<boolean>`id = any(${[...new Set(ids)]}::text[])`)
      .execute();
    return rows.map(({ owner, state, created_at: createdAt, finished_at: finishedAt, ...jobFields }) => ({
      owner,
      job: {
        ...jobFields,
        status: state === 'completed' ? 'COMPLETED' : 'INPROGRESS',
        createdAt: createdAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
      },
    }));
  }

  /** Claims the oldest job of these kinds that waits or whose lease has expired. Each job has one holder at a time. */
  async claim(kinds: readonly string[], holder: string): Promise<ClaimedJob | undefined> {
    const { rows } = await sql<{
      id: string;
      kind: string;
      owner: string | null;
      payload: unknown;
      cursor: { at: unknown } | null;
      attempts: number;
    }>`
      update core.job
      set state = 'running', holder = ${holder}, lease_until = now() + ${this.#leaseInterval}::interval, attempts = attempts + 1
      where id = (
        select id from core.job
        where kind = any(${[...kinds]}::text[])
          and ((state = 'waiting' and not_before <= now()) or (state = 'running' and lease_until < now()))
        order by created_at, id
        limit 1
        for update skip locked
      )
      returning id, kind, owner, payload, cursor, attempts`.execute(this.#jobs);
    const [row] = rows;
    return row === undefined ? undefined : { ...row, cursor: row.cursor?.at, holder };
  }

  /** @throws `JobLeaseLostError` */
  async renew({ id, holder }: ClaimedJob): Promise<void> {
    await this.#executeAsHolder(
      id,
      sql`update core.job set lease_until = now() + ${this.#leaseInterval}::interval where id = ${id} and holder = ${holder}`,
    );
  }

  /** @throws `JobLeaseLostError` */
  async save({ id, holder }: ClaimedJob, step: JobStep, transaction?: QueryExecutorProvider): Promise<void> {
    const cursor = step.cursor === undefined ? null : JSON.stringify({ at: step.cursor });
    await this.#executeAsHolder(
      id,
      sql`update core.job
        set done = ${step.done},
            total = coalesce(${step.total ?? null}::float8, total),
            cursor = coalesce(${cursor}::jsonb, cursor),
            attempts = case when ${cursor}::jsonb is null then attempts else 1 end,
            lease_until = now() + ${this.#leaseInterval}::interval
        where id = ${id} and holder = ${holder}`,
      transaction,
    );
  }

  /**
   * Saves the result and clears the payload, which may be secret.
   *
   * @throws `JobLeaseLostError`
   */
  async complete({ id, holder }: ClaimedJob, { result, message }: JobOutcome): Promise<void> {
    const refusal = message === undefined || typeof message === 'string' ? null : pickLocalizedError(message);
    await this.#executeAsHolder(
      id,
      sql`update core.job
        set state = 'completed', result = ${result}, message = ${message === undefined ? null : formatSentence(message)},
          refusal = ${refusal === null ? null : JSON.stringify(refusal)}::jsonb, finished_at = now(), holder = null,
          lease_until = null, payload = 'null', cursor = null
        where id = ${id} and holder = ${holder}`,
    );
  }

  /**
   * Lets other processes claim the job after `delayMs` milliseconds. `countsAttempt` is true if the attempt failed, and
   * false if the attempt was interrupted. Does nothing if the lease was lost.
   */
  async releaseJob(
    { id, holder }: ClaimedJob,
    { delayMs = 0, countsAttempt = false }: { readonly delayMs?: number; readonly countsAttempt?: boolean } = {},
  ): Promise<void> {
    await sql`
      update core.job
      set state = 'waiting', holder = null, lease_until = null,
          not_before = now() + ${`${delayMs} milliseconds`}::interval, attempts = attempts - ${countsAttempt ? 0 : 1}::int
      where id = ${id} and holder = ${holder}`.execute(this.#jobs);
  }

  /** Expires all leases, for a process that knows it is the only one. */
  async expireAll(): Promise<void> {
    await sql`update core.job set lease_until = now() - interval '1 second' where state = 'running'`.execute(
      this.#jobs,
    );
  }

  async deleteCompleted(days: number): Promise<void> {
    await sql`delete from core.job
      where state = 'completed' and finished_at < now() - ${`${days} days`}::interval`.execute(this.#jobs);
  }

  async #executeAsHolder(
    id: string,
    statement: ReturnType<typeof sql>,
    transaction: QueryExecutorProvider = this.#jobs,
  ): Promise<void> {
    const { numAffectedRows } = await statement.execute(transaction);
    if (numAffectedRows !== 1n) throw new JobLeaseLostError(id);
  }
}
