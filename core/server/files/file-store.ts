import type { Readable } from 'node:stream';
import { token } from '#core';
import type { Caller } from '../access/caller.ts';

/** Metadata of a stored file. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** For a folder, the total of its entries. */
  readonly bytes: number;
  /** Hex SHA-256 of the bytes; the strong ETag. Of a folder: of the sorted lines `<path> <sha256 of the entry>\n`. */
  readonly sha256: string;
  /** Who may read: anybody, any signed-in person, or people with access to the location. */
  readonly audience: FileAudience;
  /** Created by `putFolder`: has entries and no bytes of its own. */
  readonly folder: boolean;
}

/** One entry of a folder. The extension of its path determines the media type. */
export interface StoredPart {
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export type FileAudience =
  | { readonly kind: 'public' }
  | { readonly kind: 'signedIn' }
  | {
      readonly kind: 'location';
      readonly location: string;
      /**
       * Name of an additional guard (`ServerContext.guardFiles`). The file is unreadable while the guard is not
       * registered.
       */
      readonly guard?: string;
    };

/** A read of a file or folder entry by a person with access to its location. */
export interface GuardedRead {
  /** Id of the file. */
  readonly file: string;
  readonly location: string;
  readonly caller: Caller;
}

/**
 * Decides whether the person may read the file now. Throws the error of the reply if not. Called for each request, also
 * for revalidation of cached copies.
 */
export type FileGuard = (guardedRead: GuardedRead) => Promise<void>;

export interface NewFile {
  readonly name: string;
  readonly mediaType: string;
  readonly audience: FileAudience;
}

/**
 * `path`: segments of letters, digits, `.`, `_` and `-`, none beginning with a dot, joined by `/`; at most 200
 * characters.
 */
export interface FolderEntry {
  readonly path: string;
  readonly content: Uint8Array;
}

/** Offsets of bytes, both ends included. */
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
   * Stores many small files under one id, such as the tiles of a pyramid: readable as `/api/files/<id>/<path>`. Stores
   * nothing if reading `entries` throws.
   */
  putFolder(file: NewFile, entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>): Promise<StoredFile>;
  find(id: string): Promise<StoredFile | undefined>;
  /** The existing ones of these files by id, in one query. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredFile>>;
  /** An entry of a folder; undefined if there is none. */
  findPart(id: string, path: string): Promise<StoredPart | undefined>;
  /** All entries of a folder by path; none for a file. */
  parts(id: string): Promise<readonly StoredPart[]>;
  /**
   * The bytes of a file, or of the entry `part` of a folder.
   *
   * @throws 404 if it does not exist, 503 if the store is unavailable
   */
  read(id: string, range?: ByteRange, part?: string): Promise<Readable>;
  /** Removes the file for everybody immediately. Does nothing for an unknown id. */
  remove(id: string): Promise<void>;
  /** The address for browsers; a part names an entry of a folder. */
  address(id: string, part?: string): string;
}
export const FileStore = token<FileStore>('core.FileStore');
