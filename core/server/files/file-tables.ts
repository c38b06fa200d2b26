import type { ColumnType, Generated } from 'kysely';
import type { Migration } from '../database/migration.ts';

export interface FileTables {
  file: {
    id: string;
    name: string;
    media_type: string;
    audience: 'public' | 'signedIn' | 'location';
    location: string | null;
    /** The name of an additional guard. Null if the audience is `public`. */
    guard: string | null;
    folder: boolean;
    /**
     * `writing` until all bytes are stored, `removed` until all are deleted. Files in these states are invisible. The
     * cleanup deletes them if the operation was interrupted.
     */
    state: Generated<'writing' | 'stored' | 'removed'>;
    bytes: Generated<number>;
    sha256: Generated<string>;
    created_at: Generated<Date>;
    /** The writer's last heartbeat, by the clock of the database, which all processes share. */
    touched_at: ColumnType<Date, never, never>;
  };
  file_part: { file: string; path: string; bytes: number; sha256: string };
}

export const fileMigrations: readonly Migration[] = [
  {
    id: 'files-0001-create-files',
    up: `
      create table file (
        id text primary key,
        name text not null,
        media_type text not null,
        audience text not null check (audience in ('public', 'signedIn', 'location')),
        location text check ((location is not null) = (audience = 'location')),
        folder boolean not null,
        state text not null default 'writing' check (state in ('writing', 'stored', 'removed')),
        bytes bigint not null default 0,
        sha256 text not null default '',
        created_at timestamptz not null default now(),
        touched_at timestamptz not null default now(),
        guard text check (guard is null or audience = 'location')
      );
      create index file_unfinished on file (touched_at) where state <> 'stored';

      create table file_part (
        file text not null references file on delete cascade,
        path text not null,
        bytes bigint not null,
        sha256 text not null,
        primary key (file, path)
      );
    `,
  },
  {
    id: 'files-0002-guard-files-without-location',
    up: `
      alter table file drop constraint file_check1;
      alter table file add constraint file_guard check (guard is null or audience <> 'public');
    `,
  },
];
