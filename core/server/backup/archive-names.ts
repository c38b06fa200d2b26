import pg from 'pg';
import type { RecordedMigration } from '../database/migrate.ts';
import { isEntryPath } from '../files/entry-path.ts';

/**
 * A backup is a gzipped tar archive: `manifest.json`, `rows/<schema>/<table>/<number>.jsonl`, `files/<id>` or
 * `files/<id>/<path>`, and last `end.json` with the SHA-256 of each entry. A line of rows is a JSON array with the
 * columns of a row, each as text in PostgreSQL's format or null.
 */
export const manifestEntryName = 'manifest.json';
export const endEntryName = 'end.json';
export const archiveFormat = 1;

export interface Manifest {
  readonly format: number;
  /** In ISO 8601 and UTC. */
  readonly createdAt: string;
  readonly steps: readonly RecordedMigration[];
  readonly tables: readonly ArchivedTable[];
}

export interface ArchivedTable {
  readonly schema: string;
  readonly name: string;
  /** In the order of the values in a row. */
  readonly columns: readonly string[];
}

/** The content of the last entry, which tells a complete archive from a truncated one. */
export interface EndEntry {
  readonly entries: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
  /** The last value of each sequence; unused sequences are missing. */
  readonly sequences: readonly { readonly schema: string; readonly name: string; readonly last: string }[];
  readonly summary: BackupSummary;
}

export interface BackupSummary {
  readonly tables: number;
  readonly rows: number;
  /** Each entry of a folder counts as a file. */
  readonly files: number;
  /** The total size of the files. */
  readonly bytes: number;
}

export const formatRowsEntryName = ({ schema, name }: ArchivedTable, chunk: number): string =>
  `rows/${schema}/${name}/${String(chunk).padStart(6, '0')}.jsonl`;
export const formatFileEntryName = (id: string, path?: string): string =>
  path === undefined ? `files/${id}` : `files/${id}/${path}`;
export const formatQualifiedName = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

export type ParsedName =
  | { readonly kind: 'manifest' | 'end' }
  | { readonly kind: 'rows'; readonly schema: string; readonly table: string }
  | { readonly kind: 'file'; readonly id: string; readonly path: string | undefined };

/** @throws if no backup has an entry with this name */
export function parseEntryName(name: string): ParsedName {
  if (name === manifestEntryName) return { kind: 'manifest' };
  if (name === endEntryName) return { kind: 'end' };
  const rows = /^rows\/([^/]+)\/([^/]+)\/\d+\.jsonl$/.exec(name);
  if (rows) return { kind: 'rows', schema: rows[1] ?? '', table: rows[2] ?? '' };
  const file = /^files\/([0-9a-f]{32})(?:\/(.+))?$/.exec(name);
  if (file && (file[2] === undefined || isEntryPath(file[2])))
    return { kind: 'file', id: file[1] ?? '', path: file[2] };
  throw new Error(`The archive has an entry "${name}", which is not an entry of a backup of this product.`);
}
