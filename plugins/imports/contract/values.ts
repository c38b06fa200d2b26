/** Classes of column values; the rules of each are in `common/check-value.ts`. */
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
 * Steps of an import. FILES waits for files, WAITING for the import that it follows, COLUMNS for the choice of columns,
 * PREVIEW for corrections and the decision to apply. READING, CHECKING and APPLYING are jobs.
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

/** The steps of an import of a site: its file is checked, the counts are shown, it is written. */
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

/** What undoing an import does with a row. BLOCKED: the database cannot hold the former row, `reason` says why. */
export const undoOutcomes = ['REVERSED', 'KEPT', 'BLOCKED'] as const;
/** What the numbers of an undo count. */
export const undoUnits = ['ROWS', 'ENTRIES'] as const;

/**
 * How values of a column are read that can be read in two ways: `05/11/2026`, `91,540`. AS_WRITTEN refuses them, so
 * that each is corrected by itself.
 */
export const readFormats = ['DAY_FIRST', 'MONTH_FIRST', 'DECIMAL_COMMA', 'THOUSANDS_COMMA', 'AS_WRITTEN'] as const;
export type ReadFormat = (typeof readFormats)[number];

/** Marks between the cells of a CSV file. */
export const csvSeparators = [',', ';', '\t', '|'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

/** Whether a file has a row of headers that can be chosen: JSON has none. */
export const hasLayout = (name: string): boolean => /\.(?:xlsx|csv)$/i.test(name);

/** The last row of a sheet that a person can choose as that of the headers. */
export const maxChosenHeaderRow = 50;

/** One value of a row. A date is ISO 8601 in UTC, a list has texts. */
export type ImportValue = string | number | boolean | null | readonly string[];

/** A text in both languages, for screens and workbooks. */
export interface LocalizedText {
  readonly en: string;
  readonly fr: string;
}

export const maxRowsPerSheet = 100_000;
