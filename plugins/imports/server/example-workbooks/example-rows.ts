import type { ExampleCell, ExampleFinding, ExampleRow, ExampleSheet } from '#core/server';
import type { ImportSheet } from '#plugins/imports';
import { formatFinding, type WorkbookLanguage } from '../commands/format-finding.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { CellValue } from '../workbooks/workbook-types.ts';
import { createFault, listColumnFaults, type ColumnFault } from './column-faults.ts';

/** Cells by column id. */
export type ExampleCells = Readonly<Record<string, CellValue>>;

export interface ErrorSheet {
  readonly rows: readonly ExampleCells[];
  readonly findings: readonly ExampleFinding[];
}

interface SheetOptions {
  readonly kind: AnyKind;
  readonly sheet: ImportSheet;
  readonly example: ExampleSheet;
  readonly language: WorkbookLanguage;
  /** Today's rows of each sheet. */
  readonly today: ReadonlyMap<string, readonly ExampleCells[]>;
}

const duplicateFault = (value = '', row = 0): ColumnFault =>
  createFault(null, 'imports.refused.duplicateRow', { value, row });
/** The separator of the parts of a key in `computeKey`. */
const separator = '\u001f';
/** The number of the first row below the header. */
const firstRowNumber = 2;

/** Creates, for each check of a sheet, a row that fails it, and the messages that an import shows for these rows. */
export function createErrorRows({ kind, sheet, example, language, today }: SheetOptions): ErrorSheet {
  const rows: ExampleCells[] = [];
  const findings: ExampleFinding[] = [];
  const keys = new Map<string, number>();
  const firstToday = today.get(sheet.id)?.[0] ?? {};
  const resolveCell = (cell: ExampleCell, number: number): CellValue => {
    if (typeof cell === 'string') return cell.replaceAll('{n}', String(number));
    if (typeof cell !== 'object' || cell === null) return cell;
    if (isList(cell)) return cell[number % cell.length] ?? null;
    const column = (today.get(cell.sheet) ?? []).map((row) => row[cell.column] ?? null);
    return column.length === 0 ? null : (column[((cell.firstIndex ?? 0) + number) % column.length] ?? null);
  };
  const reportFault = (column: string, { message, values, severity }: Omit<ColumnFault, 'cell'>): void => {
    const importColumn = sheet.columns.find(({ id }) => id === column);
    findings.push({
      sheet: sheet.name,
      row: rows.length - 1 + firstRowNumber,
      column: importColumn ? `${importColumn.header[language]}${importColumn.required === true ? '*' : ''}` : column,
      message: formatFinding({ message, ...(values ? { values } : {}) }, importColumn, language, kind),
      severity: severity ?? 'ERROR',
    });
  };
  const addRow = (ownRow: ExampleRow, number: number, wrongCells: ExampleCells = {}): AddedRow => {
    const apply = (row: ExampleRow): ExampleCells =>
      Object.fromEntries(Object.entries(row).map(([id, cell]) => [id, resolveCell(cell, number)]));
    const cells = { ...firstToday, ...apply(example.row), ...apply(ownRow), ...wrongCells };
    rows.push(cells);
    const key = toKey(sheet, cells);
    const earlierRow = key === undefined ? undefined : keys.get(key);
    if (key !== undefined && earlierRow === undefined) keys.set(key, rows.length - 1 + firstRowNumber);
    return { cells, earlierRow };
  };
  /** Reports a row with the key of an earlier row as a duplicate, in addition to its own error. */
  const reportDuplicate = ({ cells, earlierRow }: AddedRow, exceptColumn?: string): void => {
    const column = sheet.columns.filter(({ key, required }) => key === true && required === true).at(-1);
    if (earlierRow === undefined || column === undefined || column.id === exceptColumn) return;
    const keyTexts = listKeyTexts(sheet, cells).map(({ text }) => text);
    reportFault(column.id, duplicateFault(keyTexts.filter((text) => text !== '').join(', '), earlierRow));
  };
  for (const column of sheet.columns)
    for (const { cell, ...found } of listColumnFaults(column)) {
      if (example.without?.includes(found.message)) continue;
      const row = addRow(example.accompanyingCells?.[column.id] ?? {}, rows.length + 1, { [column.id]: cell });
      reportFault(column.id, found);
      reportDuplicate(row, column.id);
    }
  for (const { row: ownRow, column, precedingRows = [], ...found } of example.faults) {
    const number = rows.length + 1;
    for (const precedingRow of precedingRows) reportDuplicate(addRow(precedingRow, number));
    const lastBefore = rows.length - 1 + firstRowNumber;
    const row = addRow(ownRow, number);
    const values = Object.entries(found.messageValues ?? {}).map(
      ([name, value]) => [name, value === '{before}' ? lastBefore : value === '{n}' ? number : value] as const,
    );
    reportFault(column, { ...found, values: Object.fromEntries(values) });
    reportDuplicate(row, column);
  }
  const textColumn = sheet.columns.find(
    ({ type, key, required, picture }) => type === 'TEXT' && !key && !required && !picture,
  );
  if (textColumn) {
    const columnFault = createFault({ error: '#N/A' }, 'imports.refused.cellError', { error: '#N/A' });
    const row = addRow(example.accompanyingCells?.[textColumn.id] ?? {}, rows.length + 1, {
      [textColumn.id]: columnFault.cell,
    });
    reportFault(textColumn.id, columnFault);
    reportDuplicate(row);
  }
  const number = rows.length + 1;
  if (!example.without?.includes(duplicateFault().message))
    for (let time = 0; time < 2; time++) reportDuplicate(addRow({}, number));
  return { rows, findings };
}

const isList = (cell: object): cell is readonly string[] => Array.isArray(cell);

interface AddedRow {
  readonly cells: ExampleCells;
  /** The number of an earlier row with the same key. */
  readonly earlierRow: number | undefined;
}

/** The texts of the key columns. A label of a listed value counts as its code. */
const listKeyTexts = ({ columns }: ImportSheet, cells: ExampleCells) =>
  columns
    .filter(({ key }) => key === true)
    .map((column) => {
      const cell = cells[column.id] ?? column.default ?? null;
      const choice = column.values?.find(
        ({ value, label }) => cell === value || cell === label.en || cell === label.fr,
      );
      const text = choice?.value ?? (cell === null || typeof cell === 'object' ? '' : String(cell));
      return { column, text };
    });

/** Computes the key as `computeKey` does; undefined if a required part is missing. */
function toKey(sheet: ImportSheet, cells: ExampleCells): string | undefined {
  const texts = listKeyTexts(sheet, cells);
  if (texts.some(({ column, text }) => text === '' && column.required === true)) return undefined;
  return texts.map(({ column, text }) => (column.caseSensitive === true ? text : text.toLowerCase())).join(separator);
}
