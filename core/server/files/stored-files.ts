import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { sql, type QueryExecutorProvider, type Selectable } from 'kysely';
import type { Logger } from 'pino';
import { coreRefusal } from '#core/api';
import type { Database } from '../database/database.ts';
import { notFound, unavailable } from '../kernel/server-error.ts';
import { BlobNotFoundError, type BlobStore, type BlobSummary } from './blob-store.ts';
import type {
  ByteRange,
  FileAudience,
  FileStore,
  FolderEntry,
  NewFile,
  StoredFile,
  StoredEntry,
} from './file-store.ts';
import type { FileTables } from './file-tables.ts';
import { EntryPaths } from './entry-path.ts';

/** The interval of a writer's heartbeat. */
const heartbeatIntervalMs = 60_000;
/** A writer without a heartbeat for this long is dead. */
const heartbeatTimeout = '10 minutes';
const maxRowsPerInsert = 500;
const fileColumns = ['id', 'name', 'media_type', 'audience', 'location', 'guard', 'folder', 'bytes', 'sha256'] as const;

/**
 * Stores rows in the database and bytes in a blob store. A row is inserted before the bytes are written, becomes
 * visible once they are stored, and is hidden before they are removed. So `cleanUp` finds a row of each interrupted
 * operation.
 */
export class StoredFiles implements FileStore {
  readonly #database: Database;
  readonly #blobs: BlobStore;
  readonly #log: Logger;
  readonly #apiUrl: string;
  /** Files whose removal could not be written to the database. The cleanup removes them. */
  readonly #unremoved = new Set<string>();

  /** `apiUrl` prefixes each URL. It is empty if this server also serves the pages. */
  constructor(database: Database, blobs: BlobStore, log: Logger, apiUrl = '') {
    this.#database = database;
    this.#blobs = blobs;
    this.#log = log;
    this.#apiUrl = apiUrl;
  }

  get #tables() {
    return this.#database.of<FileTables>('core');
  }

  put(file: NewFile, content: Readable | Uint8Array): Promise<StoredFile> {
    return this.#write(file, false, async (id) => ({
      summary: await this.#blobs.write(id, content),
      storedEntries: [],
    }));
  }

  putFolder(file: NewFile, entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>): Promise<StoredFile> {
    return this.#write(file, true, async (id) => {
      const storedEntries = [...(await this.#blobs.writeFolder(id, checkPaths(entries)))].sort((a, b) =>
        a.path < b.path ? -1 : 1,
      );
      const entriesHash = createHash('sha256');
      for (const { path, sha256 } of storedEntries) entriesHash.update(`${path} ${sha256}\n`);
      return {
        summary: { bytes: storedEntries.reduce((sum, { bytes }) => sum + bytes, 0), sha256: entriesHash.digest('hex') },
        storedEntries,
      };
    });
  }

  async find(id: string): Promise<StoredFile | undefined> {
    const row = await this.#tables
      .selectFrom('file')
      .select(fileColumns)
      .where('id', '=', id)
      .where('state', '=', 'stored')
      .executeTakeFirst();
    return row && toStoredFile(row);
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredFile>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#tables
      .selectFrom('file')
      .select(fileColumns)
      .where(sql<boolean>`id = any(${[...new Set(ids)]}::text[])`)
      .where('state', '=', 'stored')
      .execute();
    return new Map(rows.map((row) => [row.id, toStoredFile(row)]));
  }

  findEntry(id: string, path: string): Promise<StoredEntry | undefined> {
    return this.#tables
      .selectFrom('file_part')
      .select(['path', 'bytes', 'sha256'])
      .where('file', '=', id)
      .where('path', '=', path)
      .executeTakeFirst();
  }

  listEntries(id: string): Promise<readonly StoredEntry[]> {
    return this.#tables
      .selectFrom('file_part')
      .select(['path', 'bytes', 'sha256'])
      .where('file', '=', id)
      .orderBy('path')
      .execute();
  }

  async read(id: string, range?: ByteRange, entryPath?: string): Promise<Readable> {
    const file = await this.find(id);
    if (file === undefined || file.folder !== (entryPath !== undefined)) throw notFound('This file');
    if (entryPath !== undefined && (await this.findEntry(id, entryPath)) === undefined) throw notFound('This file');
    return this.open(id, range, entryPath);
  }

  /** Like `read`, but does not check that the file exists. */
  async open(id: string, range: ByteRange | undefined, entryPath: string | undefined): Promise<Readable> {
    return this.#blobs.read(id, entryPath, range).catch(async (error: unknown) => {
      if (!(error instanceof BlobNotFoundError)) throw unavailable(coreRefusal('core.refused.fileStore'), error);
      if ((await this.find(id)) !== undefined)
        this.#log.error(
          { file: id, part: entryPath, err: error },
          'A file has a row but no bytes. Restore the file store from the same backup as the database.',
        );
      throw notFound('This file');
    });
  }

  async moveTo(locations: ReadonlyMap<string, string>, transaction: QueryExecutorProvider): Promise<void> {
    if (locations.size === 0) return;
    await sql`
      update core.file set location = moved.location
      from unnest(${[...locations.keys()]}::text[], ${[...locations.values()]}::text[]) as moved (id, location)
      where file.id = moved.id and file.audience = 'location' and file.location <> moved.location`.execute(transaction);
  }

  async remove(id: string): Promise<void> {
    this.#unremoved.add(id);
    const { numUpdatedRows } = await this.#tables
      .updateTable('file')
      .set({ state: 'removed' })
      .where('id', '=', id)
      .where('state', '=', 'stored')
      .executeTakeFirst();
    this.#unremoved.delete(id);
    if (numUpdatedRows === 0n) return;
    await this.#deleteRemoved(id).catch((error: unknown) =>
      this.#log.warn(
        { file: id, err: error },
        'The bytes of a removed file could not be deleted. The next cleanup deletes them.',
      ),
    );
  }

  url(id: string, entryPath?: string): string {
    const fileUrl = `${this.#apiUrl}/api/files/${id}`;
    return entryPath === undefined ? fileUrl : `${fileUrl}/${entryPath.split('/').map(encodeURIComponent).join('/')}`;
  }

  /**
   * Removes the unfinished files of killed processes and returns their number. If this is the only process, heartbeats
   * are ignored, because no other process can be writing.
   */
  async cleanUp(isOnlyProcess: boolean): Promise<number> {
    for (const id of this.#unremoved) await this.remove(id);
    await this.#tables
      .updateTable('file')
      .set({ state: 'removed' })
      .where('state', '=', 'writing')
      .$if(!isOnlyProcess, (query) => query.where('touched_at', '<', sql<Date>`now() - ${heartbeatTimeout}::interval`))
      .execute();
    const removedRows = await this.#tables.selectFrom('file').select('id').where('state', '=', 'removed').execute();
    let count = 0;
    for (const { id } of removedRows) {
      await this.#deleteRemoved(id).then(
        () => count++,
        (error: unknown) =>
          this.#log.warn(
            { file: id, err: error },
            'The bytes of an unfinished or removed file could not be deleted. The next cleanup deletes them.',
          ),
      );
    }
    return count;
  }

  async #write(
    file: NewFile,
    folder: boolean,
    write: (id: string) => Promise<{ readonly summary: BlobSummary; readonly storedEntries: readonly StoredEntry[] }>,
  ): Promise<StoredFile> {
    const id = randomBytes(16).toString('hex');
    const audience = file.audience;
    await this.#tables
      .insertInto('file')
      .values({
        id,
        name: file.name,
        media_type: file.mediaType,
        audience: audience.kind,
        location: audience.kind === 'location' ? audience.location : null,
        guard: audience.kind === 'public' ? null : (audience.guard ?? null),
        folder,
      })
      .execute();
    const heartbeat = setInterval(() => void this.#saveHeartbeat(id), heartbeatIntervalMs).unref();
    try {
      const { summary, storedEntries } = await write(id).catch(async (error: unknown) => {
        // The bytes are removed first, because the database may need their space to record the removal.
        await this.#blobs.remove(id).catch(() => undefined);
        throw error;
      });
      await this.#publish(id, summary, storedEntries);
      return { id, name: file.name, mediaType: file.mediaType, audience, folder, ...summary };
    } catch (error) {
      await this.#abandon(id);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  async #publish(id: string, summary: BlobSummary, storedEntries: readonly StoredEntry[]): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      for (let from = 0; from < storedEntries.length; from += maxRowsPerInsert) {
        await transaction
          .insertInto('file_part')
          .values(
            storedEntries
              .slice(from, from + maxRowsPerInsert)
              .map(({ path, bytes, sha256 }) => ({ file: id, path, bytes, sha256 })),
          )
          .execute();
      }
      const { numUpdatedRows } = await transaction
        .updateTable('file')
        .set({ state: 'stored', bytes: summary.bytes, sha256: summary.sha256 })
        .where('id', '=', id)
        .where('state', '=', 'writing')
        .executeTakeFirst();
      if (numUpdatedRows !== 1n)
        throw new Error(
          `Writing the file '${id}' took too long without a heartbeat, so the cleanup removed it. Try again.`,
        );
    });
  }

  async #saveHeartbeat(id: string): Promise<void> {
    await sql`update core.file set touched_at = now() where id = ${id} and state = 'writing'`
      .execute(this.#tables)
      .catch((error: unknown) =>
        this.#log.warn({ file: id, err: error }, 'The heartbeat of a file that is being written was not saved.'),
      );
  }

  async #abandon(id: string): Promise<void> {
    await this.#tables
      .updateTable('file')
      .set({ state: 'removed' })
      .where('id', '=', id)
      .where('state', '=', 'writing')
      .execute()
      .then(() => this.#deleteRemoved(id))
      .catch((error: unknown) =>
        this.#log.warn(
          { file: id, err: error },
          'A file whose write failed could not be deleted. The next cleanup deletes it.',
        ),
      );
  }

  async #deleteRemoved(id: string): Promise<void> {
    await this.#blobs.remove(id);
    await this.#tables.deleteFrom('file').where('id', '=', id).where('state', '=', 'removed').execute();
  }
}

function toAudience({
  audience: kind,
  location,
  guard,
}: Pick<Selectable<FileTables['file']>, 'audience' | 'location' | 'guard'>): FileAudience {
  if (kind === 'public') return { kind };
  const guardField = guard === null ? {} : { guard };
  return kind === 'location' ? { kind, location: location ?? '', ...guardField } : { kind, ...guardField };
}

function toStoredFile(row: Pick<Selectable<FileTables['file']>, (typeof fileColumns)[number]>): StoredFile {
  return {
    id: row.id,
    name: row.name,
    mediaType: row.media_type,
    bytes: row.bytes,
    sha256: row.sha256,
    audience: toAudience(row),
    folder: row.folder,
  };
}

async function* checkPaths(entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>): AsyncGenerator<FolderEntry> {
  const paths = new EntryPaths();
  for await (const entry of entries) {
    paths.add(entry.path);
    yield entry;
  }
}
