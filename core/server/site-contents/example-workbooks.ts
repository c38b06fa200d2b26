import { token } from '#core';

/**
 * A cell as people type it. In a text, `{n}` stands for the number of the row. A list gives each row a different value,
 * and so does a column of the current rows, read from `firstIndex` on.
 */
export type ExampleCell =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | { readonly sheet: string; readonly column: string; readonly firstIndex?: number };

export type ExampleRow = Readonly<Record<string, ExampleCell>>;

/** A row with one error that only the checks of its import kind find. */
export interface ExampleFault {
  /** Values that differ from the valid row. */
  readonly row: ExampleRow;
  /** Id of the column that gets the message. */
  readonly column: string;
  /** Id of the message. */
  readonly message: string;
  /**
   * Parameters of the message. `{n}` is the number of the row, `{before}` that of the last preceding row in the sheet.
   */
  readonly messageValues?: Readonly<Record<string, string | number>>;
  readonly severity?: 'WARNING';
  /** Rows that are written before this row, because its error refers to them. They have no errors. */
  readonly precedingRows?: readonly ExampleRow[];
}

export interface ExampleSheet {
  /** A valid row: the first of the current rows with these cells replaced. */
  readonly row: ExampleRow;
  /** By column id: cells to set too when this column gets a wrong value, so that no other error appears. */
  readonly accompanyingCells?: Readonly<Record<string, ExampleRow>>;
  /** Ids of messages for which no row is written, because such a row would also get other messages. */
  readonly without?: readonly string[];
  readonly faults: readonly ExampleFault[];
}

/** By the id of the kind and of the sheet. */
export type ExampleSheets = Readonly<Record<string, Readonly<Record<string, ExampleSheet>>>>;

export interface ExampleFinding {
  /** Name of the sheet. */
  readonly sheet: string;
  /** The number that the spreadsheet shows. */
  readonly row: number;
  /** Header of the column, with its asterisk. */
  readonly column: string;
  readonly message: string;
  readonly severity: 'ERROR' | 'WARNING';
}

/** The workbooks of one kind, relative to the folder. */
export interface ExampleWorkbook {
  readonly kind: string;
  /** The workbook with the current rows. */
  readonly file: string;
  readonly rows: number;
  /** The workbook with a row for each check. */
  readonly errorFile: string;
  readonly findings: readonly ExampleFinding[];
}

export interface ExampleOptions {
  readonly folder: string;
  /** Code of the site. */
  readonly site: string;
  readonly language: 'en' | 'fr';
  readonly sheets: ExampleSheets;
}

/** Writes workbooks of every kind of imports from current data. Provided by a plugin, for the command line. */
export const ExampleWorkbooks = token<ExampleWorkbooks>('core.ExampleWorkbooks');
export interface ExampleWorkbooks {
  /** @throws `ConfigurationError` if the folder is not empty, or a sheet of a kind is not described */
  write(options: ExampleOptions): Promise<readonly ExampleWorkbook[]>;
}
