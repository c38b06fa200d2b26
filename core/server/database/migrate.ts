import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Migration } from './migration.ts';
import type { PoolDatabase } from './pool-database.ts';

/** An owner of migrations: a part of core, or a plugin. */
export interface MigrationOwner {
  /** A part of core, such as `core.auth`, or a plugin's id. */
  readonly id: string;
  /** The Postgres schema of the migrations. */
  readonly schema: string;
  /** The prefix of each migration id. */
  readonly prefix: string;
  readonly migrations: readonly Migration[];
}

export interface AppliedMigration {
  readonly owner: string;
  readonly id: string;
}

interface PendingMigration {
  readonly owner: MigrationOwner;
  readonly migration: Migration;
  readonly position: number;
}

/** An applied migration that is recorded in the database. */
export interface RecordedMigration extends AppliedMigration {
  /** The SHA-256 of the migration's SQL in hexadecimal digits. */
  readonly checksum: string;
  /** The SQL, with which a restore creates the tables of a removed plugin. Null in older databases. */
  readonly up?: string | null;
}

/** Selects all `RecordedMigration`s, grouped by owner. Works without the column `up` too. */
export const selectRecordedMigrations =
  "select owner, id, checksum, to_jsonb(step) ->> 'up' as up from core.migration step order by min(applied_at) over " +
  '(partition by owner), owner, position';

/** Selects `plugin` and `schema` of all plugins with applied migrations. */
export const selectRecordedPlugins =
  "select distinct owner as plugin, replace(owner, '-', '_') as schema from core.migration where not " +
  "starts_with(owner, 'core.')";

/** The Postgres schema of a plugin. */
export const toPluginSchema = (id: string): string => id.replaceAll('-', '_');

/** "walk" in ASCII. The lock lets one of several starting processes migrate while the others wait. */
export const migrationLock = 0x77616c6b;

/**
 * Applies all pending migrations, each in its own transaction, and returns them. Before any change, refuses a database
 * that is newer than this code, or whose applied migrations differ from the ones in this code.
 */
export async function migrate(
  database: PoolDatabase,
  migrationSources: readonly MigrationOwner[],
): Promise<readonly AppliedMigration[]> {
  migrationSources.forEach(checkOwner);
  return database.withClient(async (client) => {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    try {
      await prepareDatabase(client);
      const { rows } = await client.query<RecordedMigration>(selectRecordedMigrations);
      const pendingMigrations = migrationSources.flatMap((owner) => findPending(owner, rows));
      await addMissingSql(client, migrationSources, rows);
      for (const pendingMigration of pendingMigrations) await applyMigration(client, pendingMigration);
      return pendingMigrations.map(({ owner, migration }) => ({ owner: owner.id, id: migration.id }));
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock]);
      await client.query('reset statement_timeout');
    }
  });
}

/** Whether all migrations are applied. Does not change the database. */
export async function isMigrated(
  database: PoolDatabase,
  migrationSources: readonly MigrationOwner[],
): Promise<boolean> {
  const [migrationTable] = await database.query<{ hasTable: boolean }>(
    'select to_regclass(\'core.migration\') is not null as "hasTable"',
  );
  if (!migrationTable?.hasTable) return false;
  const rows = await database.query<RecordedMigration>(selectRecordedMigrations);
  return migrationSources.every((owner) => findPending(owner, rows).length === 0);
}

/**
 * Applies exactly the migrations that a backup recorded to an empty database, in the transaction of the caller. Uses
 * the recorded SQL for removed plugins. Refuses a migration that differs from the one in this code, or that is unknown
 * and has no recorded SQL.
 */
export async function migrateTo(
  client: pg.PoolClient,
  migrationSources: readonly MigrationOwner[],
  recordedMigrations: readonly RecordedMigration[],
): Promise<void> {
  migrationSources.forEach(checkOwner);
  const allOwners = [...migrationSources, ...listAbsentOwners(migrationSources, recordedMigrations)];
  await prepareDatabase(client);
  for (const owner of allOwners) {
    const rows = recordedMigrations.filter((row) => row.owner === owner.id);
    findPending(owner, rows);
    for (const [position, migration] of owner.migrations.slice(0, rows.length).entries())
      await applyInTransaction(client, { owner, migration, position });
  }
}

/** Lists removed plugins with recorded migrations, in the order of their first migration. */
function listAbsentOwners(
  migrationSources: readonly MigrationOwner[],
  recordedMigrations: readonly RecordedMigration[],
): readonly MigrationOwner[] {
  const absent = new Map<string, Migration[]>();
  for (const { owner, id, up, checksum } of recordedMigrations) {
    if (migrationSources.some((knownOwner) => knownOwner.id === owner)) continue;
    const migration = { id: id as Migration['id'], up: up ?? '' };
    if (owner.startsWith('core.') || computeChecksum(migration) !== checksum)
      throw new Error(
        `The migration "${id}" belongs to "${owner}", which this profile does not have, and its SQL is not in the backup. ` +
          'Use the profile that the backup was made with.',
      );
    absent.set(owner, [...(absent.get(owner) ?? []), migration]);
  }
  const result = [...absent].map(([id, migrations]) => ({
    id,
    schema: toPluginSchema(id),
    prefix: `${id}-`,
    migrations,
  }));
  result.forEach(checkOwner);
  return result;
}

/** `btree_gin` lets a trigram index begin with another column, such as the site. */
const extensions = ['btree_gin', 'pg_trgm'] as const;

async function prepareDatabase(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('create schema if not exists core');
    for (const extension of extensions)
      await client.query(`create extension if not exists ${extension} with schema public`);
  } catch (error) {
    throw toPreparationError(error);
  }
  await client.query(
    'create table if not exists core.migration (owner text not null, position int not null, id text not null, ' +
      'checksum text not null, applied_at timestamptz not null default now(), primary key (owner, position), unique ' +
      '(owner, id))',
  );
  // Checked first, because `alter table` waits for readers of the table, such as a backup.
  const { rows } = await client.query(
    "select from pg_attribute where attrelid = 'core.migration'::regclass and attname = 'up'",
  );
  if (rows.length === 0) await client.query('alter table core.migration add column up text');
}

/** Records the SQL of migrations that were applied by versions which did not record it. */
async function addMissingSql(
  client: pg.PoolClient,
  migrationSources: readonly MigrationOwner[],
  rows: readonly RecordedMigration[],
): Promise<void> {
  const missingSql = migrationSources.flatMap((owner) =>
    owner.migrations
      .filter(({ id }) => rows.some((row) => row.owner === owner.id && row.id === id && (row.up ?? null) === null))
      .map(({ id, up }) => ({ owner: owner.id, id, up })),
  );
  if (missingSql.length === 0) return;
  await client.query(
    'update core.migration step set up = known.up from unnest($1::text[], $2::text[], $3::text[]) as known (owner, id, ' +
      'up) where step.owner = known.owner and step.id = known.id',
    [missingSql.map(({ owner }) => owner), missingSql.map(({ id }) => id), missingSql.map(({ up }) => up)],
  );
}

function findPending(owner: MigrationOwner, rows: readonly RecordedMigration[]): readonly PendingMigration[] {
  const appliedMigrations = rows.filter((row) => row.owner === owner.id);
  appliedMigrations.forEach((row, position) => {
    const migration = owner.migrations[position];
    if (!migration || !owner.migrations.some(({ id }) => id === row.id))
      throw new Error(
        `The database is newer than this code: "${row.id}" of "${owner.id}" was applied to it, and this code does ` +
          'not have it. Start the newer version, or restore a backup from before its start.',
      );
    if (migration.id !== row.id)
      throw new Error(
        `The migrations of "${owner.id}" were applied in another order: "${row.id}" was applied where this code ` +
          `has "${migration.id}". Add migrations at the end only.`,
      );
    if (row.checksum !== computeChecksum(migration))
      throw new Error(
        `The migration "${row.id}" of "${owner.id}" was changed after it was applied. Undo the change, and add ` +
          'it as a new migration.',
      );
  });
  return owner.migrations
    .slice(appliedMigrations.length)
    .map((migration, index) => ({ owner, migration, position: appliedMigrations.length + index }));
}

async function applyMigration(client: pg.PoolClient, pendingMigration: PendingMigration): Promise<void> {
  await client.query('begin');
  try {
    await applyInTransaction(client, pendingMigration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(
      `The migration "${pendingMigration.migration.id}" of "${pendingMigration.owner.id}" failed, and was rolled back: ` +
        `${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function applyInTransaction(
  client: pg.PoolClient,
  { owner, migration, position }: PendingMigration,
): Promise<void> {
  const schema = pg.escapeIdentifier(owner.schema);
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`set local search_path to ${schema}, public`);
  await client.query(migration.up);
  // Uses the clock instead of the transaction time, because a restore applies all migrations in one transaction.
  await client.query(
    'insert into core.migration (owner, position, id, checksum, up, applied_at) values ($1, $2, $3, $4, $5, ' +
      'clock_timestamp())',
    [owner.id, position, migration.id, computeChecksum(migration), migration.up],
  );
}

function checkOwner(owner: MigrationOwner): void {
  const seenIds = new Set<string>();
  for (const { id } of owner.migrations) {
    if (!id.startsWith(owner.prefix))
      throw new Error(`The migration "${id}" belongs to "${owner.id}": its id must begin with "${owner.prefix}".`);
    if (seenIds.has(id)) throw new Error(`Two migrations of "${owner.id}" are called "${id}".`);
    seenIds.add(id);
  }
}

const computeChecksum = (migration: Migration): string =>
  createHash('sha256').update(migration.up.replaceAll('\r\n', '\n').trim()).digest('hex');

/** Explains the errors of a database that was created without the guide's settings; returns other errors unchanged. */
function toPreparationError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const reason = `The database is not prepared: ${error.message}.`;
  // 42501 is insufficient_privilege. 58P01 and 0A000 mean that the server lacks the extension.
  if (error.code === '42501')
    return new Error(
      `${reason} Its owner must be the role of DATABASE_URL: run \`alter database <name> owner to <role>\` as ` +
        'administrator of PostgreSQL.',
      { cause: error },
    );
  if (error.code === '58P01' || error.code === '0A000')
    return new Error(
      `${reason} Install the contrib modules of PostgreSQL, which contain ${extensions.join(' and ')}.`,
      { cause: error },
    );
  return error;
}
