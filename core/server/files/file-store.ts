import type { Readable } from 'node:stream';
import type { QueryExecutorProvider } from 'kysely';
import { token } from '#core';
import type { Caller } from '../access/caller.ts';

/** Metadata of a stored file. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** For a folder, the total of its entries. */
  readonly bytes: number;
  /** The SHA-256 of the bytes in hexadecimal digits; of a folder, that of the sorted lines `<path> <sha256>\n`. */
  readonly sha256: string;
  /** Readers of the file: anybody, any signed-in person, or people with access to the location. */
  readonly audience: FileAudience;
  /** Whether it was created by `putFolder` and has entries instead of bytes. */
  readonly folder: boolean;
}

/** One entry of a folder. The extension of its path determines the media type. */
export interface StoredEntry {
  readonly path: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

export type FileAudience =
  | { readonly kind: 'public' }
  | {
      readonly kind: 'signedIn';
      /**
       * The name of an additional guard (`ServerContext.guardFiles`). Nobody can read the file while the guard is not
       * registered.
       */
      readonly guard?: string;
    }
  | { readonly kind: 'location'; readonly location: string; readonly guard?: string };

/** An attempt to read a file or a folder entry, after the check of its audience. */
export interface GuardedRead {
  /** Id of the file. */
  readonly file: string;
  /** Empty if all signed-in people may read the file. */
  readonly location: string;
  readonly caller: Caller;
}

/**
 * Throws the error for the reply if the person may not read the file now. Called for each request, also when cached
 * copies are revalidated.
 */
export type FileGuard = (guardedRead: GuardedRead) => Promise<void>;

export interface NewFile {
  readonly name: string;
  readonly mediaType: string;
  readonly audience: FileAudience;
}

/**
 * `path` consists of segments joined by `/`, with at most 200 characters. Segments consist of letters, digits, `.`, `_`
 * and `-`, and do not begin with a dot.
 */
export interface FolderEntry {
  readonly path: string;
  readonly content: Uint8Array;
}

/** Offsets of the first and the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Files on disk or in an S3-compatible store, with their rows in the database. Files are immutable and created
 * atomically, also if the process is killed.
 */
export interface FileStore {
  put(file: NewFile, content: Readable | Uint8Array): Promise<StoredFile>;
  /**
   * Stores many small files under one id, such as the tiles of a pyramid. Their URLs are `/api/files/<id>/<path>`.
   * Stores nothing if reading `entries` throws.
   */
  putFolder(file: NewFile, entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>): Promise<StoredFile>;
  find(id: string): Promise<StoredFile | undefined>;
  /** Finds files in one query. Unknown ids are missing from the map. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredFile>>;
  /** Undefined if there is no folder with this entry. */
  findEntry(id: string, path: string): Promise<StoredEntry | undefined>;
  /** Lists the entries of a folder in the order of their paths. A file has none. */
  listEntries(id: string): Promise<readonly StoredEntry[]>;
  /**
   * Opens a file, or an entry of a folder.
   *
   * @throws 404 if it does not exist, 503 if the store is unavailable
   */
  read(id: string, range?: ByteRange, entryPath?: string): Promise<Readable>;
  /**
   * Sets the locations of files by id, in the transaction that moves the objects they belong to. Their guards stay.
   * Ignores unknown ids and files with another audience. Browsers may show cached copies for up to an hour.
   */
  moveTo(locations: ReadonlyMap<string, string>, transaction: QueryExecutorProvider): Promise<void>;
  /** Removes the file for everybody immediately. Does nothing for an unknown id. */
  remove(id: string): Promise<void>;
  /** Returns the URL of a file, or of an entry of a folder, for browsers. */
  url(id: string, entryPath?: string): string;
}
export const FileStore = token<FileStore>('core.FileStore');
