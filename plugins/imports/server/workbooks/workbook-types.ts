import type { CsvSeparator } from '#plugins/imports';

/**
 * A cell. A whole number that shows leading zeros, as `00123`, is a text. A `Date` has no time zone: its UTC fields are
 * the date and time that the cell shows. An empty text is null. `error` is what the spreadsheet shows (`#N/A`), or why
 * the cell cannot be read exactly: `NOT_CALCULATED` (a formula without a stored result), `NOT_EXACT` (an integer with
 * too many digits), `BAD_DATE` or `UNREADABLE`.
 */
export type CellValue = string | number | boolean | Date | null | { readonly error: string };

/** A cell as it is read. `day` is a date that it shows without a time, `percent` 0.05 where it shows `5 %`. */
export type ReadCell = CellValue | { readonly percent: number } | { readonly day: Date };

/** A row that is not blank. `cells` ends with the last cell that is not empty. */
export interface SheetRow {
  /** Empty for CSV, and for JSON that is one list. */
  readonly sheet: string;
  /** The number that the spreadsheet shows. */
  readonly row: number;
  /** Whether the row or its sheet is hidden. A filter hides rows. */
  readonly hidden: boolean;
  /** First and last index of each range of hidden columns of the sheet, if there are any. */
  readonly hiddenColumns?: readonly (readonly [first: number, last: number])[];
  readonly cells: readonly ReadCell[];
}

export interface ReadOptions {
  /** More rows than this, over all sheets, are refused. Blank rows do not count. */
  readonly maxRows: number;
  readonly signal?: AbortSignal;
  /** Receives the number of rows read so far. */
  readonly onProgress?: (rows: number) => void;
  /** The separator of a CSV file. By default it is found from the file. */
  readonly separator?: CsvSeparator | undefined;
  /** Whether the `Errors` columns and the `Summary` of an error workbook are read like data. By default they are not. */
  readonly report?: boolean;
}

export type FileType = 'xlsx' | 'csv' | 'json';

export interface ColumnLayout {
  readonly header: string;
  readonly required: boolean;
  /** Type and rule, shown as the comment of the header. */
  readonly note: string;
  /** Allowed values, offered as a drop-down list. */
  readonly values?: readonly string[];
  readonly kind: 'text' | 'number' | 'date' | 'boolean';
  /** Width in characters. */
  readonly width?: number;
}

export interface SheetLayout {
  readonly name: string;
  readonly columns: readonly ColumnLayout[];
}

export interface WorkbookLayout {
  readonly sheets: readonly SheetLayout[];
  /** The lines of the sheet `README`. */
  readonly readme: readonly string[];
  /** Names and values of the hidden sheet `_meta`. */
  readonly meta: Readonly<Record<string, string>>;
}

export interface CellFinding {
  /** Its name in the workbook, whatever its case and spaces. */
  readonly sheet: string;
  /** The number that the spreadsheet shows. */
  readonly row: number;
  /** The header of the column; null if the finding concerns the row. */
  readonly column: string | null;
  /** The index of its cell in `SheetRow.cells`; null if the finding concerns the row. */
  readonly columnIndex: number | null;
  readonly message: string;
  readonly severity: 'ERROR' | 'WARNING';
}
