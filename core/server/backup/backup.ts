import pg from 'pg';
import { selectRecordedMigrations, type MigrationOwner, type RecordedMigration } from '../database/migrate.ts';
import type { PoolDatabase } from '../database/pool-database.ts';
import { BlobNotFoundError, type BlobStore } from '../files/blob-store.ts';
import {
  archiveFormat,
  endEntryName,
  formatFileEntryName,
  manifestEntryName,
  formatQualifiedName,
  formatRowsEntryName,
  type EndEntry,
  type BackupSummary,
  type Manifest,
} from './archive-names.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { hasTables, listSequences, listTables, type CatalogTable } from './catalog.ts';

/** The stores of rows and files, and the owners of the migrations that created the tables. */
export interface BackupContext {
  readonly database: PoolDatabase;
  readonly blobs: BlobStore;
  readonly migrationSources: readonly MigrationOwner[];
}

const rowsPerFetch = 1000;
const maxChunkCharacters = 2 * 1024 * 1024;

/**
 * Writes a consistent snapshot of all rows and their files to `file` in the format of `archive-names.ts`, including
 * data of removed plugins. Without `blobs` the archive contains no files. PostgreSQL may be in use during the backup.
 * A failed backup does not replace an older archive.
 */
export async function writeBackup(
  file: string,
  context: Pick<BackupContext, 'database'> & Partial<Pick<BackupContext, 'blobs'>>,
): Promise<BackupSummary> {
  const archive = new ArchiveWriter(file);
  try {
    const summary = await context.database.withClient(async (client) => {
      await client.query('begin isolation level repeatable read read only');
      try {
        await client.query(
          'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local timezone = ' +
            "'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'",
        );
        return await writeAll(client, archive, context);
      } finally {
        await client.query('rollback');
      }
    });
    await archive.finish();
    return summary;
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

async function writeAll(
  client: pg.PoolClient,
  archive: ArchiveWriter,
  { blobs }: Partial<Pick<BackupContext, 'blobs'>>,
): Promise<BackupSummary> {
  if (!(await hasTables(client)))
    throw new Error('The database is empty: there is nothing to back up. Check WALKDOWN_DATA, or DATABASE_URL.');
  const tables = await listTables(client);
  const { rows: migrations } = await client.query<RecordedMigration>(selectRecordedMigrations);

  const archivedTables = tables.map(({ schema, name, columns }) => ({
    schema,
    name,
    columns: columns.map((column) => column.name),
  }));
  const manifest: Manifest = {
    format: archiveFormat,
    createdAt: new Date().toISOString(),
    steps: migrations,
    tables: archivedTables,
  };
  await archive.addText(manifestEntryName, JSON.stringify(manifest, null, 2));
  let rows = 0;
  for (const table of tables) rows += await writeRows(client, archive, table);
  const { files, bytes } = blobs ? await writeFiles(client, archive, blobs) : { files: 0, bytes: 0 };
  const summary: BackupSummary = { tables: tables.length, rows, files, bytes };
  const endEntry: EndEntry = { entries: archive.entries, sequences: await listSequences(client), summary };
  await archive.addText(endEntryName, JSON.stringify(endEntry));
  return summary;
}

async function writeRows(client: pg.PoolClient, archive: ArchiveWriter, table: CatalogTable): Promise<number> {
  const texts = table.columns.map(({ name }) => `${pg.escapeIdentifier(name)}::text`).join(', ');
  await client.query(
    `declare backup no scroll cursor for select array_to_json(array[${texts}]::text[])::text as line from ` +
      `${formatQualifiedName(table)}`,
  );
  let count = 0;
  let chunk = 0;
  let lines: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (lines.length > 0)
      await archive.addText(formatRowsEntryName({ ...table, columns: [] }, chunk++), `${lines.join('\n')}\n`);
    lines = [];
    characters = 0;
  };
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${rowsPerFetch} from backup`);
    for (const { line } of rows) {
      lines.push(line);
      characters += line.length;
      if (characters > maxChunkCharacters) await flush();
    }
    count += rows.length;
    if (rows.length < rowsPerFetch) break;
  }
  await flush();
  await client.query('close backup');
  return count;
}

interface FileEntry {
  readonly id: string;
  readonly path: string | null;
  readonly bytes: number;
  readonly sha256: string;
}

async function writeFiles(
  client: pg.PoolClient,
  archive: ArchiveWriter,
  blobs: BlobStore,
): Promise<{ readonly files: number; readonly bytes: number }> {
  let files = 0;
  let bytes = 0;
  await client.query(`
    declare files no scroll cursor for
    select f.id, p.path, coalesce(p.bytes, f.bytes) as bytes, coalesce(p.sha256, f.sha256) as sha256
    from core.file f left join core.file_part p on p.file = f.id
    where f.state = 'stored' and (p.path is not null or not f.folder)
    order by f.id, p.path`);
  for (;;) {
    const { rows } = await client.query<FileEntry>(`fetch ${rowsPerFetch} from files`);
    for (const entry of rows) {
      await writeFile(archive, blobs, entry);
      bytes += entry.bytes;
    }
    files += rows.length;
    if (rows.length < rowsPerFetch) break;
  }
  await client.query('close files');
  return { files, bytes };
}

async function writeFile(
  archive: ArchiveWriter,
  blobs: BlobStore,
  { id, path, bytes, sha256 }: FileEntry,
): Promise<void> {
  const name = formatFileEntryName(id, path ?? undefined);
  const content = await blobs.read(id, path ?? undefined, undefined).catch((error: unknown) => {
    throw error instanceof BlobNotFoundError
      ? new Error(
          `The file "${name}" was removed while the backup was made, or is missing. Make the backup again. If it ` +
            'fails at the same file, restore this file from an older backup.',
          { cause: error },
        )
      : error;
  });
  const writtenSummary = await archive.addStream(name, bytes, content);
  if (writtenSummary.sha256 !== sha256)
    throw new Error(
      `The file "${name}" is damaged: its bytes have changed since it was stored. Restore it from an older backup.`,
    );
}
