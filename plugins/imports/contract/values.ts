/** Types of column values. The rules of each type are in `common/check-value.ts`. */
export const columnTypes = [
  'CODE',
  'NAME',
  'TAGNO',
  'TEXT',
  'EMAIL',
  'NUMBER',
  'INTEGER',
  'BOOLEAN',
  'DATETIME',
  'ENUM',
  'REFERENCE',
  'LIST',
] as const;
export type ColumnType = (typeof columnTypes)[number];

/** Kinds of files, spelled as in the specification. */
export const importFileKinds = ['EXCEL', 'FILE', 'IMAGE', 'VIDEO'] as const;
export type ImportFileKind = (typeof importFileKinds)[number];

/** UPSERT adds and changes rows. REPLACE also removes the rows of the scope that the files lack. */
export const importModes = ['UPSERT', 'REPLACE'] as const;
export type ImportMode = (typeof importModes)[number];

/**
 * Phases of an import. FILES waits for files, WAITING for the import that this one follows, COLUMNS for the choice of
 * columns, PREVIEW for corrections and the decision to apply. READING, CHECKING and APPLYING are jobs.
 */
export const importPhases = [
  'FILES',
  'WAITING',
  'READING',
  'COLUMNS',
  'CHECKING',
  'PREVIEW',
  'APPLYING',
  'DONE',
  'CANCELLED',
] as const;
export type ImportPhase = (typeof importPhases)[number];

/** Phases of an import of a site: its file is checked, the preview shows the counts, and then it is written. */
export const siteImportPhases = ['CHECKING', 'PREVIEW', 'APPLYING', 'DONE', 'FAILED', 'CANCELLED'] as const;
export type SiteImportPhase = (typeof siteImportPhases)[number];

/**
 * What applying an import does with a row. A row with an error prevents applying. A row that a person left out is not
 * written, and removes nothing.
 */
export const rowStates = ['ADDED', 'CHANGED', 'UNCHANGED', 'REMOVED', 'LEFT_OUT', 'ERROR'] as const;
export type RowState = (typeof rowStates)[number];

export const severities = ['ERROR', 'WARNING'] as const;
export type Severity = (typeof severities)[number];

/** What undoing an import does with a row. BLOCKED: the database rejects the former row; `reason` says why. */
export const undoOutcomes = ['REVERSED', 'KEPT', 'BLOCKED'] as const;
/** The unit of the numbers in the report of an undo. */
export const undoUnits = ['ROWS', 'ENTRIES'] as const;

/**
 * How a column is read if its values are ambiguous, such as `05/11/2026` or `91,540`. AS_WRITTEN refuses ambiguous
 * values, so that each one is corrected on its own.
 */
export const readFormats = ['DAY_FIRST', 'MONTH_FIRST', 'DECIMAL_COMMA', 'THOUSANDS_COMMA', 'AS_WRITTEN'] as const;
export type ReadFormat = (typeof readFormats)[number];

/** Marks between the cells of a CSV file. */
export const csvSeparators = [',', ';', '\t', '|'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

/** Whether a person can choose the header row of a file. JSON has no header row. */
export const hasHeaderRow = (name: string): boolean => /\.(?:xlsx|csv)$/i.test(name);

/** The last row of a sheet that a person can choose as the header row. */
export const maxChosenHeaderRow = 50;

/** One value of a row. A date is ISO 8601 in UTC, a list has texts. */
export type ImportValue = string | number | boolean | null | readonly string[];

/** A text in both languages, for screens and workbooks. */
export interface LocalizedText {
  readonly en: string;
  readonly fr: string;
}

export const maxRowsPerSheet = 100_000;
