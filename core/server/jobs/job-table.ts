import { sql, type QueryExecutorProvider } from 'kysely';
import { pickLocalizedError } from '#core';
import type { Job } from '#core/api';
import type { Database } from '../database/database.ts';
import { formatSentence } from '../kernel/server-error.ts';
import type { JobTables } from './job-tables.ts';
import type { JobOutcome, JobStep } from './jobs.ts';

/** One claimed attempt. */
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

/** The process of this attempt no longer holds the job; another one continues it. */
export class JobLeaseLost extends Error {
  override readonly name = 'JobLeaseLost';

  constructor(id: string) {
    super(
      `The lease of the job '${id}' ran out or was taken over. Nothing more of this attempt is saved; the job goes ` +
        'on elsewhere.',
    );
  }
}

/**
 * The table of jobs. Leases use the database's clock, which all processes share; every write of an attempt checks its
 * holder and is refused once another process holds the job.
 */
export class JobTable {
  readonly #database: Database;
  readonly #lease: string;

  /** `lease` in milliseconds. */
  constructor(database: Database, lease: number) {
    this.#database = database;
    this.#lease = `${lease} milliseconds`;
  }

  get #jobs() {
    return this.#database.of<JobTables>('core');
  }

  async insert(
    id: string,
    kind: string,
    payload: unknown,
    owner: string | null,
    within: QueryExecutorProvider = this.#jobs,
  ): Promise<void> {
    await sql`insert into core.job (id, kind, owner, payload)
      values (${id}, ${kind}, ${owner}, ${JSON.stringify(payload ?? null)}::jsonb)`.execute(within);
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
    return rows.map(({ owner, state, created_at: createdAt, finished_at: finishedAt, ...rest }) => ({
      owner,
      job: {
        ...rest,
        status: state === 'completed' ? 'COMPLETED' : 'INPROGRESS',
        createdAt: createdAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
      },
    }));
  }

  /** Claims the oldest job of these kinds that waits or whose lease expired; each job goes to one holder only. */
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
      set state = 'running', holder = ${holder}, lease_until = now() + ${this.#lease}::interval, attempts = attempts + 1
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

  /** @throws `JobLeaseLost` */
  async renew({ id, holder }: ClaimedJob): Promise<void> {
    await this.#fenced(
      id,
      sql`update core.job set lease_until = now() + ${this.#lease}::interval where id = ${id} and holder = ${holder}`,
    );
  }

  /** @throws `JobLeaseLost` */
  async save({ id, holder }: ClaimedJob, step: JobStep, within?: QueryExecutorProvider): Promise<void> {
    const cursor = step.cursor === undefined ? null : JSON.stringify({ at: step.cursor });
    await this.#fenced(
      id,
      sql`update core.job
        set done = ${step.done},
            total = coalesce(${step.total ?? null}::float8, total),
            cursor = coalesce(${cursor}::jsonb, cursor),
            attempts = case when ${cursor}::jsonb is null then attempts else 1 end,
            lease_until = now() + ${this.#lease}::interval
        where id = ${id} and holder = ${holder}`,
      within,
    );
  }

  /**
   * Clears the payload: it may be secret and is no longer needed.
   *
   * @throws `JobLeaseLost`
   */
  async complete({ id, holder }: ClaimedJob, { result, message }: JobOutcome): Promise<void> {
    const refusal = message === undefined || typeof message === 'string' ? null : pickLocalizedError(message);
    await this.#fenced(
      id,
      sql`update core.job
        set state = 'completed', result = ${result}, message = ${message === undefined ? null : formatSentence(message)},
          refusal = ${refusal === null ? null : JSON.stringify(refusal)}::jsonb, finished_at = now(), holder = null,
          lease_until = null, payload = 'null', cursor = null
        where id = ${id} and holder = ${holder}`,
    );
  }

  /**
   * Releases the job to other holders after `delay` milliseconds. `counts`: the attempt failed and was not merely
   * interrupted. Does nothing if the lease was lost.
   */
  async releaseJob({ id, holder }: ClaimedJob, delay: number, counts: boolean): Promise<void> {
    await sql`
      update core.job
      set state = 'waiting', holder = null, lease_until = null,
          not_before = now() + ${`${delay} milliseconds`}::interval, attempts = attempts - ${counts ? 0 : 1}::int
      where id = ${id} and holder = ${holder}`.execute(this.#jobs);
  }

  /** Expires all leases, for a process that knows it is the only one. */
  async expireAll(): Promise<void> {
    await sql`update core.job set lease_until = now() - interval '1 second' where state = 'running'`.execute(
      this.#jobs,
    );
  }

  async removeCompleted(days: number): Promise<void> {
    await sql`delete from core.job
      where state = 'completed' and finished_at < now() - ${`${days} days`}::interval`.execute(this.#jobs);
  }

  async #fenced(
    id: string,
    statement: ReturnType<typeof sql>,
    within: QueryExecutorProvider = this.#jobs,
  ): Promise<void> {
    const { numAffectedRows } = await statement.execute(within);
    if (numAffectedRows !== 1n) throw new JobLeaseLost(id);
  }
}
