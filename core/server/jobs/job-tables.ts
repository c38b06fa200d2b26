import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { LocalizedError } from '#core';
import type { Migration } from '../database/migration.ts';
import type { JobResult } from './jobs.ts';

export interface JobTables {
  job: {
    id: string;
    kind: string;
    owner: string | null;
    state: Generated<'waiting' | 'running' | 'completed'>;
    result: JobResult | null;
    message: string | null;
    /** The message id and the values of `message` if it is a refusal. */
    refusal: JSONColumnType<LocalizedError> | null;
    payload: ColumnType<unknown, string, never>;
    /** Null until a step saves a cursor. Wrapped as `{ "at": ... }` so that null can be saved too. */
    cursor: JSONColumnType<{ at: unknown }> | null;
    done: Generated<number>;
    total: number | null;
    /** Attempts since the last saved cursor. */
    attempts: Generated<number>;
    /** The id of the running attempt, unique over all processes. */
    holder: string | null;
    lease_until: Date | null;
    not_before: Generated<Date>;
    created_at: Generated<Date>;
    finished_at: Date | null;
  };
}

export const jobMigrations: readonly Migration[] = [
  {
    id: 'jobs-0001-create-jobs',
    up: `
      create table job (
        id text primary key,
        kind text not null,
        owner text,
        state text not null default 'waiting' check (state in ('waiting', 'running', 'completed')),
        result text check (result in ('SUCCESS', 'FAILED', 'WARNING')),
        message text,
        payload jsonb not null,
        cursor jsonb,
        done double precision not null default 0,
        total double precision,
        attempts integer not null default 0,
        holder text,
        lease_until timestamptz,
        not_before timestamptz not null default now(),
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        refusal jsonb,
        check ((state = 'completed') = (result is not null)),
        check ((state = 'running') = (holder is not null))
      );
      create index job_open on job (created_at, id) where state <> 'completed';
    `,
  },
];
