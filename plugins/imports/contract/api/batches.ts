import { Type, type Static } from 'typebox';
import { endpoint, lengthUnits, siteUnits } from '#core';
import { Empty, Instant, LocalizedError, LocationUid, NewUid, nullable, Page, pageQuery } from '#core/api';
import {
  csvSeparators,
  importModes,
  importPhases,
  maxChosenHeaderRow,
  readFormats,
  undoOutcomes,
  undoUnits,
} from '../values.ts';
import { BatchUid, ColumnId, Finding, ImportValue, KindId, SheetId } from './shapes.ts';
import { PreparedFile } from './kinds.ts';

const Count = Type.Integer({ minimum: 0 });

/** How one column of a file is read. `column` is null if the column is ignored. */
export type HeaderMatch = Static<typeof HeaderMatch>;
export const HeaderMatch = Type.Object({
  header: Type.String(),
  column: nullable(Type.String()),
  /**
   * Matched by the header or a synonym, by a choice in an earlier import, by its values, or by a choice in this import.
   * Null if not matched.
   */
  by: nullable(Type.Enum(['HEADER', 'SYNONYM', 'REMEMBERED', 'CONTENT', 'CHOSEN'])),
  /** The first values, as texts. */
  examples: Type.Array(Type.String()),
  /**
   * For each format, a value that only this format fits. DATE and NUMBER: a value that fits both formats. See
   * `findReading`.
   */
  evidence: Type.Optional(
    Type.Partial(
      Type.Object({
        DAY_FIRST: Type.String(),
        MONTH_FIRST: Type.String(),
        DATE: Type.String(),
        DECIMAL_COMMA: Type.String(),
        THOUSANDS_COMMA: Type.String(),
        NUMBER: Type.String(),
      }),
    ),
  ),
  /** How ambiguous values are read, and whether that was chosen in this import or an earlier one. */
  format: Type.Optional(Type.Enum([...readFormats])),
  formatBy: Type.Optional(Type.Enum(['CHOSEN', 'REMEMBERED'])),
  /** Whether the workbook hides the column. */
  hidden: Type.Optional(Type.Boolean()),
  /**
   * Whether a person has confirmed for this file that values are not converted although the header has another unit.
   */
  unitConfirmed: Type.Optional(Type.Boolean()),
  /** The unit of length that a person has chosen for this file. See `findUnitReading`. */
  unit: Type.Optional(Type.Enum([...lengthUnits])),
  /** The unit of the site's files when the file was read, unless it is metres. */
  siteUnit: Type.Optional(Type.Enum([...siteUnits])),
  /**
   * Whether the column is remembered from a choice that was made without this unit, so that a person must choose the
   * unit.
   */
  unitUnseen: Type.Optional(Type.Boolean()),
});

/** A sheet of an import: its columns and how many rows are in which state. */
export type ImportSheetState = Static<typeof ImportSheetState>;
export const ImportSheetState = Type.Object({
  sheet: Type.String(),
  /** False if no file has the sheet. */
  present: Type.Boolean(),
  /** The header row of the file. Null if the file was read by an earlier version of Walkdown. */
  headerRow: nullable(Type.Integer()),
  /** The separator that a person has chosen for the CSV file. Null if it is detected. */
  separator: nullable(Type.Enum([...csvSeparators])),
  headers: Type.Array(HeaderMatch),
  /**
   * Values that all rows get in columns that the file lacks. A value that was chosen for an earlier file is not used
   * until a person confirms it.
   */
  constants: Type.Array(
    Type.Object({ column: Type.String(), value: ImportValue, by: Type.Enum(['CHOSEN', 'REMEMBERED']) }),
  ),
  /**
   * Words in lower case that are read as other values, as chosen before, and the number of their cells without a
   * correction when all rows were last read.
   */
  replacedWords: Type.Array(
    Type.Object({ column: Type.String(), written: Type.String(), value: Type.String(), cells: Count }),
  ),
  /** Ids of required columns that no header matches, and for which no value is chosen. */
  missing: Type.Array(Type.String()),
  rows: Count,
  added: Count,
  changed: Count,
  unchanged: Count,
  removed: Count,
  withErrors: Count,
  withWarnings: Count,
  leftOut: Count,
  /** Number of cells that a person has corrected since the files were read. */
  correctedCells: Count,
});

export type UndoRow = Static<typeof UndoRow>;
export const UndoRow = Type.Object({
  table: Type.String(),
  /** Names of the sheets whose rows the table has. Empty for other tables. */
  sheets: Type.Array(Type.String()),
  name: Type.String(),
  /** Null if it has none, or if it is the name. */
  code: nullable(Type.String()),
  outcome: Type.Enum([...undoOutcomes]),
  /** Null if the row is reversed. */
  reason: nullable(LocalizedError),
});

/** What an undo does, or did. `rows` has the first 500 that are blocked or kept, each once. */
export type UndoReport = Static<typeof UndoReport>;
export const UndoReport = Type.Object({
  change: nullable(Type.String()),
  /** What the numbers count: rows of the import, or entries of the database, of which a row can have several. */
  counted: Type.Enum([...undoUnits]),
  reversed: Count,
  kept: Count,
  blocked: Count,
  rows: Type.Array(UndoRow),
});

/** One import. */
export type Import = Static<typeof Import>;
export const Import = Type.Object({
  uid: Type.String(),
  kind: Type.String(),
  site: nullable(Type.String()),
  mode: Type.Enum([...importModes]),
  phase: Type.Enum([...importPhases]),
  /** Spelled as in the specification. `result` is null until the import is completed. */
  status: Type.Enum(['INPROGRESS', 'COMPLETED']),
  result: nullable(Type.Enum(['SUCCESS', 'FAILED', 'WARNING'])),
  /** Why it failed, or why it returned to the preview. */
  refusal: nullable(LocalizedError),
  /** Incremented with each change of its rows; `applyImport` needs it. */
  version: Type.Integer(),
  /**
   * Id of the running job (`GET /api/jobs/:id` and its event). Its progress is in rows, without a total, while files
   * are read, in checks while rows are checked, and in rows while they are written.
   */
  job: nullable(Type.String()),
  author: Type.Object({ uid: Type.String(), name: Type.String() }),
  /** Uid of the import that must be applied before this one is read. */
  follows: nullable(Type.String()),
  createdAt: Instant,
  finishedAt: nullable(Instant),
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer() })),
  sheets: Type.Array(ImportSheetState),
  /**
   * The sheets of the uploaded files, and the sheet of the kind as which each one is read: by its name, or as a person
   * chose in this import or an earlier one.
   */
  fileSheets: Type.Array(
    Type.Object({
      name: Type.String(),
      file: Type.String(),
      /** Null if it is not imported. */
      sheet: nullable(Type.String()),
      /** Null: not known by name, and nobody has chosen. */
      by: nullable(Type.Enum(['NAME', 'CHOSEN', 'REMEMBERED'])),
      /** If nobody has chosen: the sheet of the kind whose columns its headers name. */
      proposal: nullable(Type.String()),
    }),
  ),
  /** The imports that are read once this one is applied. */
  followers: Type.Array(Type.Object({ uid: Type.String(), kind: Type.String(), phase: Type.Enum([...importPhases]) })),
  /** Findings that concern no row, such as an unknown column. */
  findings: Type.Array(Finding),
  /** The change in the journal. Null if nothing was written. */
  change: nullable(Type.String()),
  undone: Type.Boolean(),
  /** Whether it was undone, but rows of it were kept or could not be restored. */
  undoneInPart: Type.Boolean(),
  /** The report of a partial undo. Null if the import was not undone, or as a whole. */
  undoReport: nullable(UndoReport),
  /** Whether a backup was made before it was applied. */
  backup: Type.Boolean(),
  /** Whether everybody else waits while it is applied. */
  blocksOthers: Type.Boolean(),
});

/** An import in the history. */
export type ImportSummary = Static<typeof ImportSummary>;
export const ImportSummary = Type.Omit(Import, [
  'sheets',
  'fileSheets',
  'followers',
  'findings',
  'undoReport',
  'blocksOthers',
]);

export const listImports = endpoint('GET', '/api/imports', {
  summary: 'The history of imports, latest first. Imports of sites that the caller cannot access are left out.',
  access: 'import',
  query: Type.Object({ kind: Type.Optional(KindId), ...pageQuery(200) }, { additionalProperties: false }),
  reply: Page(
    Type.Intersect([
      ImportSummary,
      Type.Object({ added: Count, changed: Count, removed: Count, unchanged: Count, leftOut: Count }),
    ]),
  ),
});

export const getImport = endpoint('GET', '/api/imports/:batch', {
  summary: 'One import with its sheets and counts.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  reply: Import,
});

const NewImport = {
  uid: NewUid,
  kind: KindId,
  site: Type.Optional(LocationUid),
  mode: Type.Enum([...importModes]),
};

export const createImport = endpoint('POST', '/api/imports', {
  summary: 'Begins an import. Repeating the request with the same uid returns the same import.',
  access: 'import',
  status: 201,
  body: Type.Object(
    {
      ...NewImport,
      follows: Type.Optional(
        Type.Intersect([BatchUid], {
          description: 'The import of the same site that must be applied before this one is read.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Import,
});

export const uploadImportFiles = endpoint('POST', '/api/imports/:batch/files', {
  summary:
    'Adds the files of an import as a form and begins to read them. Files added before are replaced by those of the ' +
    'same name, and a workbook by its copy with errors marked (`_ERROR`). Of files with the same sheet, the last one ' +
    'is read. Reading ends in COLUMNS if columns must be chosen, else in PREVIEW.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  reply: Import,
});

export const removeImportFile = endpoint('DELETE', '/api/imports/:batch/files', {
  summary: 'Removes a file of an import and begins to read the others again. Corrections of rows are lost.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 1000 }) }, { additionalProperties: false }),
  reply: Import,
});

/** A row by column ids. Missing columns stay as they are. */
const JsonRow = Type.Record(ColumnId, ImportValue);

export const pushImport = endpoint('POST', '/api/imports/rows', {
  summary:
    'Imports rows of a kind in one call, checked like a workbook. `dryRun` returns the preview and writes nothing. ' +
    'Without it the rows are applied if none has an error. Columns that a person would have to confirm in a file are ' +
    'refused (400); name columns by their ids. A refused call leaves no import. The reply has the first 200 findings. ' +
    'A body has at most 8 MiB; larger data is uploaded as a JSON file of the same shape. An empty list is a sheet ' +
    'without rows.',
  access: 'import',
  maximumBodyBytes: 8 * 1024 * 1024,
  body: Type.Object(
    {
      ...NewImport,
      dryRun: Type.Boolean(),
      sheets: Type.Record(SheetId, Type.Array(JsonRow, { maxItems: 50_000 })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    import: Import,
    findings: Type.Array(Type.Intersect([Finding, Type.Object({ sheet: Type.String(), row: Type.Integer() })])),
  }),
});

export const chooseImportColumns = endpoint('PUT', '/api/imports/:batch/columns', {
  summary:
    'Chooses the column for each header of one sheet; null ignores a header. The choices are remembered for the kind, and ' +
    'the rows are checked again. `constants` are the values that all rows get in columns that the file lacks. They ' +
    'replace all former ones of the sheet; if absent, those stay.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  body: Type.Object(
    {
      sheet: SheetId,
      headers: Type.Array(
        Type.Object(
          {
            header: Type.String({ maxLength: 1000 }),
            column: nullable(ColumnId),
            format: Type.Optional(
              Type.Enum([...readFormats], {
                description: 'How ambiguous values are read. Remembered for the header.',
              }),
            ),
            unitConfirmed: Type.Optional(
              Type.Boolean({
                description:
                  'Confirms that values are not converted although the header has another unit. Never remembered.',
              }),
            ),
            unit: Type.Optional(
              Type.Enum([...lengthUnits], {
                description: 'The unit of lengths, which are converted to that of the column. Never remembered.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: 200 },
      ),
      constants: Type.Optional(
        Type.Array(Type.Object({ column: ColumnId, value: ImportValue }, { additionalProperties: false }), {
          maxItems: 200,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Import,
});

export const forgetImportWord = endpoint('POST', '/api/imports/:batch/forget-word', {
  summary:
    'Reads a word of `replacedWords` as it is written, in this and later imports, and reads the rows again, as a job. ' +
    'Corrections of rows are kept.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  body: Type.Object(
    { sheet: SheetId, column: ColumnId, written: Type.String({ minLength: 1, maxLength: 500 }) },
    { additionalProperties: false },
  ),
  reply: Import,
});

export const readImportAgain = endpoint('POST', '/api/imports/:batch/read-again', {
  summary:
    'Reads the files of an import again, as a job: with another header row or separator for one sheet, or with other ' +
    'choices of which sheet of a file is which sheet of the kind. These choices are remembered by the names of the ' +
    'sheets. Corrections of rows and choices of columns are lost. Answers 409 if the import was changed since ' +
    '`version`, or has no workbook or CSV file.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  body: Type.Object(
    {
      sheet: Type.Optional(SheetId),
      version: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 2 }),
      headerRow: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 1,
            maximum: maxChosenHeaderRow,
            description:
              'The header row of the file; rows above it are not read. Null: detected by the headers. ' +
              'Absent: as before.',
          }),
        ),
      ),
      separator: Type.Optional(
        nullable(
          Type.Enum([...csvSeparators], {
            description: 'Separator of a CSV file. Null: detected from the file. Absent: as before.',
          }),
        ),
      ),
      fileSheets: Type.Optional(
        Type.Array(
          Type.Object(
            {
              name: Type.String({ minLength: 1, maxLength: 500, description: 'The name of a sheet of a file.' }),
              sheet: nullable(SheetId),
            },
            { additionalProperties: false },
          ),
          {
            maxItems: 200,
            description:
              'The sheet of the kind as which each sheet is read. Null: not imported. Absent sheets stay as they were.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Import,
});

export const applyImport = endpoint('POST', '/api/imports/:batch/apply', {
  summary:
    'Writes the rows of an import, all or none, as a job. Answers 409 if a row has an error, or if the import was ' +
    'changed since `version`. If rows were edited since the preview, the job writes nothing, names them and returns ' +
    'to the preview.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  body: Type.Object(
    {
      version: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 2 }),
      remove: Type.Boolean({ description: 'Whether rows that the files lack are removed (REPLACE).' }),
      backup: Type.Boolean({ description: 'Whether a backup of the database is made first.' }),
    },
    { additionalProperties: false },
  ),
  reply: Import,
});

export const cancelImport = endpoint('POST', '/api/imports/:batch/cancel', {
  summary: 'Ends an import that is not being applied. Nothing was written.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  body: Empty,
  reply: Import,
});

export const createErrorWorkbook = endpoint('POST', '/api/imports/:batch/error-workbook', {
  summary: 'Prepares the uploaded workbook with its errors marked.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  body: Type.Object({ language: Type.Enum(['en', 'fr']) }, { additionalProperties: false }),
  reply: PreparedFile,
});

export const undoImport = endpoint('POST', '/api/imports/:batch/undo', {
  summary:
    'Undoes an import row by row. Rows that were edited since are kept, and rows that cannot be restored are named ' +
    'with the reason. `dryRun` only reports what would be done.',
  access: 'import',
  params: Type.Object({ batch: BatchUid }),
  body: Type.Object({ dryRun: Type.Boolean() }, { additionalProperties: false }),
  reply: UndoReport,
});
