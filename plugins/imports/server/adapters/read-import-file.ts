import path from 'node:path';
import { invalidRequest } from '#core/server';
import { maxRowsPerSheet } from '#plugins/imports';
import { absentCell, fold, type Cell, type RawValue } from '../../common/check-value.ts';
import { importsRefusal } from '../../contract/errors.ts';
import type { SheetChoices } from '../commands/match-sheets.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { FileLayout } from '../tables.ts';
import { readRows } from '../workbooks/read-workbook.ts';

/** A row of a sheet, from a file or an API call. Rows with titles can precede the header. */
export interface SheetRow {
  readonly sheet: string;
  readonly row: number;
  /** Whether the workbook hides the row, as a filter does. */
  readonly hidden?: boolean;
  /** First and last index of each range of hidden columns, if there are any. */
  readonly hiddenColumns?: readonly (readonly [first: number, last: number])[];
  readonly cells: readonly Cell[];
}

/**
 * Reads the rows of an uploaded file in a child process. A CSV file, or a JSON file with one list, belongs to the only
 * sheet of the kind, or to the sheet that the file is named after. A CSV file with another name is read as a sheet of
 * that name, which `sheetChoices` can assign to a sheet of the kind. `layouts` are by sheet of the kind.
 *
 * @throws `invalidRequest` (400) if the file is unreadable, hostile or too large, or if a JSON file with one list is
 *   not named after a sheet
 */
export async function* readImportFile(
  file: { readonly path: string; readonly name: string },
  kind: AnyKind,
  signal: AbortSignal,
  {
    layouts = {},
    sheetChoices = new Map(),
  }: { readonly layouts?: Readonly<Record<string, FileLayout>>; readonly sheetChoices?: SheetChoices } = {},
): AsyncIterable<SheetRow> {
  const type = path.extname(file.name).slice(1).toLowerCase();
  if (type === 'xls') throw invalidRequest(importsRefusal('imports.refused.workbookLegacy'));
  if (type !== 'xlsx' && type !== 'csv' && type !== 'json')
    throw invalidRequest(importsRefusal('imports.refused.unreadable'));
  const baseName = path.basename(file.name, path.extname(file.name)).toLowerCase();
  const [firstSheet, ...otherSheets] = kind.sheets;
  const namedSheet =
    kind.sheets.find(({ name }) => name.toLowerCase() === baseName) ??
    (otherSheets.length === 0 ? firstSheet : undefined);
  const sheets = kind.sheets.map(({ name }) => `${name}.${type}`).join(', ');
  const maxRows = (maxRowsPerSheet + 1) * kind.sheets.length;
  const assignedSheetId = namedSheet?.id ?? sheetChoices.get(fold(baseName))?.sheet ?? undefined;
  const separator = (assignedSheetId !== undefined && layouts[assignedSheetId]?.separator) || undefined;
  for await (const sheetRow of readRows(file.path, type, { maxRows, separator, signal })) {
    const { sheet } = sheetRow;
    const importSheet = sheet === '' ? namedSheet : kind.sheets.find(({ id }) => type === 'json' && id === sheet);
    // A person can assign the CSV file to a sheet of the kind.
    if (sheet === '' && !importSheet && type === 'csv') {
      yield { ...sheetRow, sheet: path.basename(file.name, path.extname(file.name)) };
      continue;
    }
    if (sheet === '' && !importSheet)
      throw invalidRequest(importsRefusal('imports.refused.fileOfNoSheet', { file: file.name, sheets }));
    yield { ...sheetRow, sheet: importSheet?.name ?? sheet };
  }
}

/** Converts rows by column id to rows of a sheet, whose header lists the ids in the order of their first use. */
export function* toSheetRows(sheet: string, rows: readonly Readonly<Record<string, RawValue>>[]): Iterable<SheetRow> {
  const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  yield { sheet, row: 1, cells: headers };
  for (const [index, row] of rows.entries())
    yield {
      sheet,
      row: index + 2,
      cells: headers.map((header) => (header in row ? (row[header] ?? null) : absentCell)),
    };
}
