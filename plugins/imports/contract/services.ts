import { token } from '#core';
import type { ImportKind } from './kinds.ts';

/** Takes the kinds of imports of other plugins, from `server/bridges/imports.ts`. */
export const ImportKinds = token<ImportKinds>('imports.ImportKinds');
export interface ImportKinds {
  /** Call it while the bridge is mounted, once per kind. */
  register<Tables>(kind: ImportKind<Tables>): void;
}

/** Rows of a list, which a workbook holds in one sheet. */
export interface ListedRows {
  /** Name of the file. */
  readonly name: string;
  /** The first line of the sheet `README`. */
  readonly title: string;
  /** Name of the sheet. */
  readonly sheet: string;
  readonly columns: readonly { readonly header: string; readonly kind: 'text' | 'number' | 'date' | 'boolean' }[];
  /** A date is UTC, as it is shown. Rows are never held all at once. */
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
