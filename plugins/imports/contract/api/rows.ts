import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { LocalizedError, nullable, Page, pageQuery } from '#core/api';
import { rowStates, severities } from '../values.ts';
import { BatchUid, ColumnId, Finding, ImportValue, SheetId } from './shapes.ts';

const RowId = Type.String({ pattern: '^[0-9]{1,15}$' });
const params = Type.Object({ batch: BatchUid });
const Values = Type.Record(Type.String(), ImportValue);

/** A staged row. `before` has today's values of the same row, null for a new one. */
export type ImportRow = Static<typeof ImportRow>;
export const ImportRow = Type.Object({
  id: Type.String(),
  sheet: Type.String(),
  /** Number of the row in its sheet; the header is row 1. Null for a removed row. */
  row: nullable(Type.Integer()),
  state: Type.Enum([...rowStates]),
  /** By column id; what was written if a value is invalid. */
  values: Values,
  before: nullable(Values),
  /** Ids of the columns that differ. */
  changed: Type.Array(Type.String()),
  findings: Type.Array(Finding),
});

const filters = {
  sheet: Type.Optional(SheetId),
  state: Type.Optional(Type.Enum([...rowStates])),
  severity: Type.Optional(Type.Enum([...severities])),
  find: Type.Optional(Type.String({ maxLength: 200, description: 'A part of any value, ignoring case.' })),
};

export const listImportRows = endpoint('GET', '/api/imports/:batch/rows', {
  summary: 'Lists the rows of an import in the order of its sheets and rows, removed rows last.',
  access: 'import',
  params,
  query: Type.Object({ ...filters, ...pageQuery(200) }, { additionalProperties: false }),
  reply: Page(ImportRow),
});

/** The same finding of one value in one column, in all rows. */
export type ImportProblem = Static<typeof ImportProblem>;
export const ImportProblem = Type.Object({
  sheet: Type.String(),
  column: nullable(Type.String()),
  severity: Type.Enum([...severities]),
  finding: LocalizedError,
  /** The value as written. */
  value: nullable(ImportValue),
  rows: Type.Integer(),
  firstRow: nullable(Type.Integer()),
  /** Values that would be accepted: those that the written one misspells, then other similar ones, nearest first. */
  proposals: Type.Array(Type.String()),
  /** Whether the first proposal differs from the written value by typing errors only, and not in a whole word. */
  misspelt: Type.Boolean(),
});

export const listImportProblems = endpoint('GET', '/api/imports/:batch/problems', {
  summary: 'Groups the findings by column, message and value, with the values that would be accepted instead.',
  access: 'import',
  params,
  query: Type.Object(
    { sheet: Type.Optional(SheetId), severity: Type.Optional(Type.Enum([...severities])), ...pageQuery(200) },
    { additionalProperties: false },
  ),
  reply: Page(ImportProblem),
});

export const updateImportRow = endpoint('PATCH', '/api/imports/:batch/rows/:row', {
  summary: 'Corrects one cell of a row, and checks the import again.',
  access: 'import',
  params: Type.Object({ batch: BatchUid, row: RowId }),
  body: Type.Object({ column: ColumnId, value: ImportValue }, { additionalProperties: false }),
  reply: ImportRow,
});

export const leaveOutImportRows = endpoint('POST', '/api/imports/:batch/left-out', {
  summary:
    'Leaves rows of a sheet out of the import, or includes them again: one row, those of a problem, or all that are ' +
    'left out. Rows that are left out are not checked, not written, and remove nothing.',
  access: 'import',
  params,
  body: Type.Object(
    {
      sheet: SheetId,
      leftOut: Type.Boolean(),
      row: Type.Optional(RowId),
      problem: Type.Optional(
        Type.Object(
          {
            column: nullable(ColumnId),
            finding: LocalizedError,
            value: ImportValue,
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ rows: Type.Integer({ minimum: 0 }) }),
});

export const renameImportReferences = endpoint('POST', '/api/imports/:batch/references', {
  summary:
    'Writes a corrected code also into the cells of the import that name the former one, unless another row still has ' +
    'it. `dryRun` only counts them.',
  access: 'import',
  params,
  body: Type.Object(
    {
      sheet: SheetId,
      column: ColumnId,
      from: Type.String({ minLength: 1, maxLength: 2000 }),
      to: Type.String({ minLength: 1, maxLength: 2000 }),
      dryRun: Type.Boolean(),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ cells: Type.Integer({ minimum: 0 }) }),
});

export const replaceImportValues = endpoint('POST', '/api/imports/:batch/replace', {
  summary: 'Replaces a value in all rows of a column, and checks the import again.',
  access: 'import',
  params,
  body: Type.Object(
    { sheet: SheetId, column: ColumnId, from: ImportValue, to: ImportValue },
    { additionalProperties: false },
  ),
  reply: Type.Object({ rows: Type.Integer({ minimum: 0 }) }),
});
