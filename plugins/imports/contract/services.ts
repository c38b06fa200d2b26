import { token } from '#core';
import type { ImportKind } from './kinds.ts';

/** Registers the import kinds of other plugins, which call it in their `server/bridges/imports.ts`. */
export const ImportKinds = token<ImportKinds>('imports.ImportKinds');
export interface ImportKinds {
  /** Call it while the bridge is mounted, once per kind. */
  register<Tables>(kind: ImportKind<Tables>): void;
}

/** A list of another plugin, to be written as a workbook with one sheet. */
export interface ListedRows {
  /** Name of the file. */
  readonly name: string;
  /** The first line of the sheet `README`. */
  readonly title: string;
  /** Name of the sheet. */
  readonly sheet: string;
  readonly columns: readonly { readonly header: string; readonly kind: 'text' | 'number' | 'date' | 'boolean' }[];
  /** Dates are shown in UTC. Rows are streamed, so that they are never all in memory. */
  readonly rows: AsyncIterable<readonly (string | number | boolean | Date | null)[]>;
}

/** Writes lists as workbooks. Text is never a formula. */
export const Workbooks = token<Workbooks>('imports.Workbooks');
export interface Workbooks {
  /** Only this person may download the file, for a day. */
  write(
    person: { readonly uid: string },
    list: ListedRows,
  ): Promise<{ readonly address: string; readonly name: string }>;
}
