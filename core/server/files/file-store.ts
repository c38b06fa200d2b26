import type { Readable } from 'node:stream';
import { token } from '#core';

/** What is kept of a file besides its bytes. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Hex SHA-256 of the bytes; the strong ETag. */
  readonly sha256: string;
  /** Who may read: anybody, any signed-in person, or those who reach the location. */
  readonly audience: FileAudience;
}

export type FileAudience = { readonly kind: 'public' } | { readonly kind: 'signedIn' } | { readonly kind: 'location'; readonly location: string };

export interface NewFile {
  readonly name: string;
  readonly mediaType: string;
  readonly audience: FileAudience;
}

/** Files on disk or in an S3-compatible store, with their rows in the database. A file is either whole or absent, also after a kill. */
export interface FileStore {
  put(file: NewFile, content: Readable | Uint8Array): Promise<StoredFile>;
  /** Many small files under one id, such as the tiles of a pyramid: readable as `/api/files/<id>/<path>`. */
  putFolder(file: NewFile, entries: AsyncIterable<{ readonly path: string; readonly content: Uint8Array }> | Iterable<{ readonly path: string; readonly content: Uint8Array }>): Promise<StoredFile>;
  find(id: string): Promise<StoredFile | undefined>;
  read(id: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  remove(id: string): Promise<void>;
  /** The address that a browser fetches; a part names an entry of a folder. */
  address(id: string, part?: string): string;
}
export const FileStore = token<FileStore>('core.FileStore');
