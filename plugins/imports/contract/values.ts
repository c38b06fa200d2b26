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
 * Steps of an import. FILES waits for files, COLUMNS for the choice of columns, PREVIEW for corrections and the
 * decision to apply. READING, CHECKING and APPLYING are jobs.
 */
export const importPhases = [
  'FILES',
  'READING',
  'COLUMNS',
  'CHECKING',
  'PREVIEW',
  'APPLYING',
  'DONE',
  'CANCELLED',
] as const;
export type ImportPhase = (typeof importPhases)[number];

/** What applying an import does with a row. A row with an error prevents applying. */
export const rowStates = ['ADDED', 'CHANGED', 'UNCHANGED', 'REMOVED', 'ERROR'] as const;
export type RowState = (typeof rowStates)[number];

export const severities = ['ERROR', 'WARNING'] as const;
export type Severity = (typeof severities)[number];

/** What undoing an import does with a row. BLOCKED: the database cannot hold the former row, `reason` says why. */
export const undoOutcomes = ['REVERSED', 'KEPT', 'BLOCKED'] as const;

/** One value of a row. A date is ISO 8601 in UTC, a list has texts. */
export type ImportValue = string | number | boolean | null | readonly string[];

/** A text in both languages, for screens and workbooks. */
export interface LocalizedText {
  readonly en: string;
  readonly fr: string;
}

export const maxRowsPerSheet = 100_000;
