import { buffer, text } from 'node:stream/consumers';
import pg from 'pg';
import { migrateTo, migrationLock } from '../database/migrate.ts';
import type { BlobStore } from '../files/blob-store.ts';
import type { FolderEntry } from '../files/file-store.ts';
import { formatQualifiedName, type BackupSummary } from './archive-names.ts';
import { readArchive, verifyArchive, type ArchiveEntry, type VerifiedArchive } from './archive-reader.ts';
import type { BackupContext } from './backup.ts';
import { listForeignKeys, hasTables, listTables, type CatalogTable, type ForeignKey } from './catalog.ts';

/**
 * Restores an archive into an empty database and any file store. Verifies the whole archive first. Restores the tables
 * of the archive's version in one transaction; the next start migrates them.
 *
 * @param verifiedArchive the result of `verifyArchive` for the same file, if available
 */
export async function restoreBackup(
  file: string,
  context: BackupContext,
  verifiedArchive?: VerifiedArchive,
): Promise<BackupSummary> {
  const archive = verifiedArchive ?? (await verifyArchive(file));
  const restoredIds: string[] = [];
  try {
    await context.database.withClient(async (client) => {
      await client.query('begin');
      try {
        await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
        await restoreAll(client, file, archive, context, restoredIds);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    });
  } catch (error) {
    for (const id of restoredIds) await context.blobs.remove(id).catch(() => undefined);
    throw error;
  }
  return archive.endEntry.summary;
}

async function restoreAll(
  client: pg.PoolClient,
  file: string,
  { manifest, endEntry }: VerifiedArchive,
  { blobs, migrationSources }: BackupContext,
  restoredIds: string[],
): Promise<void> {
  // A server that starts during the restore waits for this lock, and then finds the restored tables.
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  if (await hasTables(client))
    throw new Error(
      'The database is not empty: a backup is restored into an empty one only. Set WALKDOWN_DATA to a new folder, ' +
        'or DATABASE_URL to a new database.',
    );
  await migrateTo(client, migrationSources, manifest.steps);
  const tables = await listTables(client);
  const columnsByTable = new Map(manifest.tables.map((table) => [formatQualifiedName(table), table.columns]));
  const tablesByName = new Map(tables.map((table) => [formatQualifiedName(table), table]));
  const foreignKeys = await listForeignKeys(client);
  await prepareTables(client, tables, foreignKeys);

  for await (const entry of storeFiles(readArchive(file), blobs, restoredIds)) {
    if (entry.parsedName.kind !== 'rows') continue;
    const name = formatQualifiedName({ schema: entry.parsedName.schema, name: entry.parsedName.table });
    const table = tablesByName.get(name);
    if (table === undefined)
      throw new Error(`The archive has rows of the table ${name}, which its own migrations do not create.`);
    await insertRows(client, table, columnsByTable.get(name) ?? [], await text(entry.content));
  }

  await restoreConstraints(client, tables, foreignKeys);
  for (const { schema, name, last } of endEntry.sequences)
    await client.query('select setval($1, $2::bigint)', [formatQualifiedName({ schema, name }), last]);
}

/** Drops foreign keys, disables triggers, and deletes rows that migrations inserted and the archive contains too. */
async function prepareTables(
  client: pg.PoolClient,
  tables: readonly CatalogTable[],
  foreignKeys: readonly ForeignKey[],
): Promise<void> {
  for (const key of foreignKeys)
    await client.query(
      `alter table ${formatQualifiedName(key)} drop constraint ${pg.escapeIdentifier(key.constraint)}`,
    );
  for (const table of tables) await client.query(`alter table ${formatQualifiedName(table)} disable trigger user`);
  if (tables.length > 0) await client.query(`truncate ${tables.map(formatQualifiedName).join(', ')}`);
}

async function restoreConstraints(
  client: pg.PoolClient,
  tables: readonly CatalogTable[],
  foreignKeys: readonly ForeignKey[],
): Promise<void> {
  for (const table of tables) await client.query(`alter table ${formatQualifiedName(table)} enable trigger user`);
  for (const key of foreignKeys)
    await client.query(
      `alter table ${formatQualifiedName(key)} add constraint ${pg.escapeIdentifier(key.constraint)} ${key.definition}`,
    );
}

async function insertRows(
  client: pg.PoolClient,
  table: CatalogTable,
  columns: readonly string[],
  lines: string,
): Promise<void> {
  const values = columns.map((name, index) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (column === undefined)
      throw new Error(
        `The archive has a column "${name}" of the table ${formatQualifiedName(table)}, which its own migrations do not create.`,
      );
    return `(line ->> ${index})::${column.type}`;
  });
  const rows = `[${lines.trimEnd().replaceAll('\n', ',')}]`;
  await client.query(
    `insert into ${formatQualifiedName(table)} (${columns.map((name) => pg.escapeIdentifier(name)).join(', ')}) overriding ` +
      `system value select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as line`,
    [rows],
  );
}

/** Stores the files of an archive and yields all other entries. */
async function* storeFiles(
  entries: AsyncGenerator<ArchiveEntry>,
  blobs: BlobStore,
  restoredIds: string[],
): AsyncGenerator<ArchiveEntry> {
  let next = await entries.next();
  while (next.done !== true) {
    const { parsedName, content } = next.value;
    if (parsedName.kind !== 'file') {
      yield next.value;
      next = await entries.next();
      continue;
    }
    const { id } = parsedName;
    restoredIds.push(id);
    // Files of an interrupted restore would prevent the creation of a folder.
    await blobs.remove(id);
    if (parsedName.path === undefined) {
      await blobs.write(id, content);
      next = await entries.next();
    } else {
      const folder = new FolderReader(entries, next);
      await blobs.writeFolder(id, folder.read(id));
      next = folder.next;
    }
  }
}

/** Reads the consecutive entries of one folder. `next` is then the first entry after the folder. */
class FolderReader {
  readonly #entries: AsyncGenerator<ArchiveEntry>;
  next: IteratorResult<ArchiveEntry>;

  constructor(entries: AsyncGenerator<ArchiveEntry>, firstEntry: IteratorResult<ArchiveEntry>) {
    this.#entries = entries;
    this.next = firstEntry;
  }

  async *read(id: string): AsyncGenerator<FolderEntry> {
    while (this.next.done !== true) {
      const { parsedName, content } = this.next.value;
      if (parsedName.kind !== 'file' || parsedName.id !== id || parsedName.path === undefined) return;
      yield { path: parsedName.path, content: await buffer(content) };
      this.next = await this.#entries.next();
    }
  }
}
