import { buffer, text } from 'node:stream/consumers';
import pg from 'pg';
import { migrateTo, migrationLock } from '../database/migrate.ts';
import type { BlobStore } from '../files/blob-store.ts';
import type { FolderEntry } from '../files/file-store.ts';
import { qualified, type BackupSummary } from './archive-names.ts';
import { readArchive, verifyArchive, type ArchiveEntry, type VerifiedArchive } from './archive-reader.ts';
import type { BackupContext } from './backup.ts';
import { listForeignKeys, hasTables, listTables, type CatalogTable, type ForeignKey } from './catalog.ts';

/**
 * Restores an archive into an empty database and a file store, on disk or S3 regardless of its origin. Verifies the
 * whole archive first; rows appear in one transaction, with the tables of the archive's version. The next start
 * migrates them.
 *
 * @param verified the result of `verifyArchive` for the same file, if available
 */
export async function restoreFrom(
  file: string,
  context: BackupContext,
  verified?: VerifiedArchive,
): Promise<BackupSummary> {
  const archive = verified ?? (await verifyArchive(file));
  const restored: string[] = [];
  try {
    await context.database.withClient(async (client) => {
      await client.query('begin');
      try {
        await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
        await restoreAll(client, file, archive, context, restored);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    });
  } catch (error) {
    for (const id of restored) await context.blobs.remove(id).catch(() => undefined);
    throw error;
  }
  return archive.end.summary;
}

async function restoreAll(
  client: pg.PoolClient,
  file: string,
  { manifest, end }: VerifiedArchive,
  { blobs, owners }: BackupContext,
  restored: string[],
): Promise<void> {
  // A server that starts meanwhile waits, and then finds the restored tables.
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  if (await hasTables(client))
    throw new Error(
      'The database is not empty: a backup is restored into an empty one only. Set WALKDOWN_DATA to a new folder, ' +
        'or DATABASE_URL to a new database.',
    );
  await migrateTo(client, owners, manifest.steps);
  const tables = await listTables(client);
  const columns = new Map(manifest.tables.map((table) => [qualified(table), table.columns]));
  const byName = new Map(tables.map((table) => [qualified(table), table]));
  const keys = await listForeignKeys(client);
  await beforeRows(client, tables, keys);

  for await (const entry of storingFiles(readArchive(file), blobs, restored)) {
    if (entry.what.kind !== 'rows') continue;
    const name = qualified({ schema: entry.what.schema, name: entry.what.table });
    const table = byName.get(name);
    if (table === undefined)
      throw new Error(`The archive has rows of the table ${name}, which its own steps do not make.`);
    await insertRows(client, table, columns.get(name) ?? [], await text(entry.content));
  }

  await afterRows(client, tables, keys);
  for (const { schema, name, last } of end.sequences)
    await client.query('select setval($1, $2::bigint)', [qualified({ schema, name }), last]);
}

/** Deletes rows that migrations inserted: the archive contains them too. */
async function beforeRows(
  client: pg.PoolClient,
  tables: readonly CatalogTable[],
  keys: readonly ForeignKey[],
): Promise<void> {
  for (const key of keys)
    await client.query(`alter table ${qualified(key)} drop constraint ${pg.escapeIdentifier(key.constraint)}`);
  for (const table of tables) await client.query(`alter table ${qualified(table)} disable trigger user`);
  if (tables.length > 0) await client.query(`truncate ${tables.map(qualified).join(', ')}`);
}

async function afterRows(
  client: pg.PoolClient,
  tables: readonly CatalogTable[],
  keys: readonly ForeignKey[],
): Promise<void> {
  for (const table of tables) await client.query(`alter table ${qualified(table)} enable trigger user`);
  for (const key of keys)
    await client.query(
      `alter table ${qualified(key)} add constraint ${pg.escapeIdentifier(key.constraint)} ${key.definition}`,
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
        `The archive has a column "${name}" of the table ${qualified(table)}, which its own steps do not make.`,
      );
    return `(line ->> ${index})::${column.type}`;
  });
  const rows = `[${lines.trimEnd().replaceAll('\n', ',')}]`;
  await client.query(
    `insert into ${qualified(table)} (${columns.map((name) => pg.escapeIdentifier(name)).join(', ')}) overriding ` +
      `system value select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as line`,
    [rows],
  );
}

/** Stores the files of an archive and yields all other entries. */
async function* storingFiles(
  entries: AsyncGenerator<ArchiveEntry>,
  blobs: BlobStore,
  restored: string[],
): AsyncGenerator<ArchiveEntry> {
  let next = await entries.next();
  while (next.done !== true) {
    const { what, content } = next.value;
    if (what.kind !== 'file') {
      yield next.value;
      next = await entries.next();
      continue;
    }
    const { id } = what;
    restored.push(id);
    // Removes what an interrupted restore left: it would block a folder.
    await blobs.remove(id);
    if (what.part === undefined) {
      await blobs.write(id, content);
      next = await entries.next();
    } else {
      const folder = new FolderReader(entries, next);
      await blobs.writeFolder(id, folder.read(id));
      next = folder.next;
    }
  }
}

/** Reads the consecutive entries of one folder, and retains the first entry of the next. */
class FolderReader {
  readonly #entries: AsyncGenerator<ArchiveEntry>;
  next: IteratorResult<ArchiveEntry>;

  constructor(entries: AsyncGenerator<ArchiveEntry>, first: IteratorResult<ArchiveEntry>) {
    this.#entries = entries;
    this.next = first;
  }

  async *read(id: string): AsyncGenerator<FolderEntry> {
    while (this.next.done !== true) {
      const { what, content } = this.next.value;
      if (what.kind !== 'file' || what.id !== id || what.part === undefined) return;
      yield { path: what.part, content: await buffer(content) };
      this.next = await this.#entries.next();
    }
  }
}
