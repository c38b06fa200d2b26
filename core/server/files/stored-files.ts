import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { sql, type Selectable } from 'kysely';
import type { Logger } from 'pino';
import { coreRefusal } from '#core/api';
import type { Database } from '../database/database.ts';
import { notFound, unavailable } from '../kernel/server-error.ts';
import { BlobNotFoundError, type BlobStore, type BlobSummary } from './blob-store.ts';
import type { ByteRange, FileStore, FolderEntry, NewFile, StoredFile, StoredPart } from './file-store.ts';
import type { FileTables } from './file-tables.ts';
import { PartPaths } from './part-path.ts';

/** The interval of a writer's heartbeat. */
const heartbeatIntervalMs = 60_000;
/** A writer without a heartbeat for this long is dead. */
const idleTimeoutMs = '10 minutes';
const rowsAtOnce = 500;
const fileColumns = ['id', 'name', 'media_type', 'audience', 'location', 'guard', 'folder', 'bytes', 'sha256'] as const;

/**
 * Rows in the database, bytes in a blob store. The row is inserted first, in the state `writing`, and made visible
 * atomically once all bytes are stored; a removal hides the row first. So every interrupted operation leaves a row for
 * `sweep`.
 */
export class StoredFiles implements FileStore {
  readonly #database: Database;
  readonly #blobs: BlobStore;
  readonly #log: Logger;
  readonly #base: string;
  /** Files whose removal the database could not record; the cleanup tries again. */
  readonly #unremoved = new Set<string>();

  /** `base` prefixes each address: empty if this server serves the pages. */
  constructor(database: Database, blobs: BlobStore, log: Logger, base = '') {
    this.#database = database;
    this.#blobs = blobs;
    this.#log = log;
    this.#base = base;
  }

  get #tables() {
    return this.#database.of<FileTables>('core');
  }

  put(file: NewFile, content: Readable | Uint8Array): Promise<StoredFile> {
    return this.#write(file, false, async (id) => ({ summary: await this.#blobs.write(id, content), parts: [] }));
  }

  putFolder(file: NewFile, entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>): Promise<StoredFile> {
    return this.#write(file, true, async (id) => {
      const parts = [...(await this.#blobs.writeFolder(id, checked(entries)))].sort((a, b) =>
        a.path < b.path ? -1 : 1,
      );
      const lines = createHash('sha256');
      for (const { path, sha256 } of parts) lines.update(`${path} ${sha256}\n`);
      return {
        summary: { bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), sha256: lines.digest('hex') },
        parts,
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

  findPart(id: string, path: string): Promise<StoredPart | undefined> {
    return this.#tables
      .selectFrom('file_part')
      .select(['path', 'bytes', 'sha256'])
      .where('file', '=', id)
      .where('path', '=', path)
      .executeTakeFirst();
  }

  parts(id: string): Promise<readonly StoredPart[]> {
    return this.#tables
      .selectFrom('file_part')
      .select(['path', 'bytes', 'sha256'])
      .where('file', '=', id)
      .orderBy('path')
      .execute();
  }

  async read(id: string, range?: ByteRange, part?: string): Promise<Readable> {
    const file = await this.find(id);
    if (file === undefined || file.folder !== (part !== undefined)) throw notFound('This file');
    if (part !== undefined && (await this.findPart(id, part)) === undefined) throw notFound('This file');
    return this.open(id, range, part);
  }

  /** Like `read`, for callers that have the row already. */
  async open(id: string, range: ByteRange | undefined, part: string | undefined): Promise<Readable> {
    return this.#blobs.read(id, part, range).catch(async (error: unknown) => {
      if (!(error instanceof BlobNotFoundError)) throw unavailable(coreRefusal('core.refused.fileStore'), error);
      if ((await this.find(id)) !== undefined)
        this.#log.error(
          { file: id, part, err: error },
          'A file has its row and not its bytes. Restore the file store from the backup that belongs to the database.',
        );
      throw notFound('This file');
    });
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
    await this.#clear(id).catch((error: unknown) =>
      this.#log.warn(
        { file: id, err: error },
        'The bytes of a removed file could not be cleared away. The sweep tries again.',
      ),
    );
  }

  address(id: string, part?: string): string {
    const address = `${this.#base}/api/files/${id}`;
    return part === undefined ? address : `${address}/${part.split('/').map(encodeURIComponent).join('/')}`;
  }

  /**
   * Removes what killed processes left unfinished, and returns how many. `alone`: no other process can be writing, so
   * no heartbeat is awaited.
   */
  async sweep(isOnlyProcess: boolean): Promise<number> {
    for (const id of this.#unremoved) await this.remove(id);
    await this.#tables
      .updateTable('file')
      .set({ state: 'removed' })
      .where('state', '=', 'writing')
      .$if(!isOnlyProcess, (query) => query.where('touched_at', '<', sql<Date>`now() - ${idleTimeoutMs}::interval`))
      .execute();
    const left = await this.#tables.selectFrom('file').select('id').where('state', '=', 'removed').execute();
    let cleared = 0;
    for (const { id } of left) {
      await this.#clear(id).then(
        () => cleared++,
        (error: unknown) =>
          this.#log.warn(
            { file: id, err: error },
            'What is left of a file could not be cleared away. The next sweep tries again.',
          ),
      );
    }
    return cleared;
  }

  async #write(
    file: NewFile,
    folder: boolean,
    write: (id: string) => Promise<{ readonly summary: BlobSummary; readonly parts: readonly StoredPart[] }>,
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
        guard: audience.kind === 'location' ? (audience.guard ?? null) : null,
        folder,
      })
      .execute();
    const touch = setInterval(() => void this.#touch(id), heartbeatIntervalMs).unref();
    try {
      const { summary, parts } = await write(id).catch(async (error: unknown) => {
        // Before the database records it: recording may fail for lack of the very space that this frees.
        await this.#blobs.remove(id).catch(() => undefined);
        throw error;
      });
      await this.#publish(id, summary, parts);
      return { id, name: file.name, mediaType: file.mediaType, audience, folder, ...summary };
    } catch (error) {
      await this.#abandon(id);
      throw error;
    } finally {
      clearInterval(touch);
    }
  }

  async #publish(id: string, summary: BlobSummary, parts: readonly StoredPart[]): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      for (let from = 0; from < parts.length; from += rowsAtOnce) {
        await transaction
          .insertInto('file_part')
          .values(
            parts.slice(from, from + rowsAtOnce).map(({ path, bytes, sha256 }) => ({ file: id, path, bytes, sha256 })),
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
          `Writing the file '${id}' took so long without a sign of life that it was cleared away. Try again.`,
        );
    });
  }

  async #touch(id: string): Promise<void> {
    await sql`update core.file set touched_at = now() where id = ${id} and state = 'writing'`
      .execute(this.#tables)
      .catch((error: unknown) =>
        this.#log.warn({ file: id, err: error }, 'The sign of life of a file being written was not saved.'),
      );
  }

  async #abandon(id: string): Promise<void> {
    await this.#tables
      .updateTable('file')
      .set({ state: 'removed' })
      .where('id', '=', id)
      .where('state', '=', 'writing')
      .execute()
      .then(() => this.#clear(id))
      .catch((error: unknown) =>
        this.#log.warn(
          { file: id, err: error },
          'A file that failed could not be cleared away. The sweep tries again.',
        ),
      );
  }

  async #clear(id: string): Promise<void> {
    await this.#blobs.remove(id);
    await this.#tables.deleteFrom('file').where('id', '=', id).where('state', '=', 'removed').execute();
  }
}

function toStoredFile(row: Pick<Selectable<FileTables['file']>, (typeof fileColumns)[number]>): StoredFile {
  return {
    id: row.id,
    name: row.name,
    mediaType: row.media_type,
    bytes: row.bytes,
    sha256: row.sha256,
    audience:
      row.audience === 'location'
        ? { kind: 'location', location: row.location ?? '', ...(row.guard === null ? {} : { guard: row.guard }) }
        : { kind: row.audience },
    folder: row.folder,
  };
}

async function* checked(entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>): AsyncGenerator<FolderEntry> {
  const paths = new PartPaths();
  for await (const entry of entries) {
    paths.add(entry.path);
    yield entry;
  }
}
