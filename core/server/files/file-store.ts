import type { Readable } from 'node:stream';
import { token } from '#core';
import type { Caller } from '../access/caller.ts';

/** What is kept of a file besides its bytes. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** Of a folder: of all its entries together. */
  readonly bytes: number;
  /** Hex SHA-256 of the bytes; the strong ETag. Of a folder: of the sorted lines `<path> <sha256 of the entry>\n`. */
  readonly sha256: string;
  /** Who may read: anybody, any signed-in person, or those who reach the location. */
  readonly audience: FileAudience;
  /** Put by `putFolder`: it has entries and no bytes of its own. */
  readonly folder: boolean;
}

/** One entry of a folder. Its media type follows from the end of its path. */
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
       * Name of a guard that is asked as well (`ServerContext.guardFiles`). While nobody has registered it, nobody may
       * read the file.
       */
      readonly guard?: string;
    };

/** A file, or an entry of a folder, that somebody who reaches its location is about to read. */
export interface GuardedRead {
  /** Id of the file. */
  readonly file: string;
  readonly location: string;
  readonly caller: Caller;
}

/**
 * Whether it may be read now, by this person. Throws the error that is answered where not. Asked at each request, also
 * for what a browser has kept.
 */
export type FileGuard = (asked: GuardedRead) => Promise<void>;

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
 * Files on disk or in an S3-compatible store, with their rows in the database. A file never changes, and is either
 * whole or absent, also after a kill.
 */
export interface FileStore {
  put(file: NewFile, content: Readable | Uint8Array): Promise<StoredFile>;
  /**
   * Many small files under one id, such as the tiles of a pyramid: readable as `/api/files/<id>/<path>`. Where reading
   * `entries` throws, nothing is kept.
   */
  putFolder(file: NewFile, entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>): Promise<StoredFile>;
  find(id: string): Promise<StoredFile | undefined>;
  /** Those of these files that exist, by id; one query for any number. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredFile>>;
  /** An entry of a folder; undefined where there is none. */
  findPart(id: string, path: string): Promise<StoredPart | undefined>;
  /** All entries of a folder by path; none for a file. */
  parts(id: string): Promise<readonly StoredPart[]>;
  /**
   * The bytes of a file, or of the entry `part` of a folder. Throws 404 where it does not exist, 503 where the store is
   * away.
   */
  read(id: string, range?: ByteRange, part?: string): Promise<Readable>;
  /** Gone at once for everybody; where it does not exist nothing happens. */
  remove(id: string): Promise<void>;
  /** The address that a browser fetches; a part names an entry of a folder. */
  address(id: string, part?: string): string;
}
export const FileStore = token<FileStore>('core.FileStore');
