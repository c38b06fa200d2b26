import { pickLocalizedError, type LocalizedError } from '#core';
import type { ImportColumn, ImportScope, ImportSheet, ImportValue, Severity } from '#plugins/imports';
import {
  checkValue,
  fold,
  isAbsent,
  isFormattedCell,
  toCellContent,
  type Cell,
  type RawValue,
  type ValueReading,
} from '../../common/check-value.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { findReading } from '../../common/column-readings.ts';
import { createUnitConverter, findUnitReading } from '../../common/column-units.ts';
import type { MatchedHeader } from '../../common/match-headers.ts';
import type { Constants, Values } from '../tables.ts';
import type { ReplacedWords } from './replaced-words.ts';

/** The parsed values of a row, and the findings of each value by itself. */
export interface MappedRow {
  readonly values: Values;
  readonly findings: readonly ValueFinding[];
}

/** `column` is null if the finding concerns the row. */
type ValueFinding = LocalizedError & { readonly column: string | null; readonly severity: Severity };

/** Values that replace written ones, by column id and folded value. */
export type ValueChoices = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** How the rows of a sheet are read. */
export interface RowMapping {
  readonly sheet: ImportSheet;
  readonly headers: readonly MatchedHeader[];
  readonly scope: ImportScope;
  readonly choices: ValueChoices;
  readonly constants: Constants;
  /** Counts the words that `choices` replace in cells without a correction. */
  readonly replacedWords?: ReplacedWords;
}

/**
 * Creates a function that finds the cells of a row by its headers, applies its corrections, and checks each value. The
 * format and unit of a column apply only to cells of its file: corrections have a decimal point, the unit of the column
 * and ISO dates, as the grid shows them.
 */
export function createRowMapper({
  sheet,
  headers,
  scope,
  choices,
  constants,
  replacedWords,
}: RowMapping): (cells: readonly Cell[], edits: Values) => MappedRow {
  const columns = sheet.columns.map((column) => {
    const index = headers.findLastIndex((header) => header.column === column.id);
    const match = headers[index];
    const constant = constants[column.id];
    if (!match) return { column, constant: constant?.by === 'CHOSEN' ? constant.value : undefined, reading: {} };
    const format = findReading(match, column.type)?.format ?? undefined;
    const convert = createUnitConverter(findUnitReading(match, column), column);
    return { column, index, reading: { format, convert } };
  });
  return (cells, edits) => {
    const { values, findings } = mapRow(columns, { scope, choices, replacedWords }, cells, edits);
    const surplusCount = cells.filter((cell, index) => !isEmptyRow([cell]) && isWithoutHeader(headers[index])).length;
    return { values, findings: surplusCount === 0 ? findings : [...findings, toSurplusFinding(surplusCount)] };
  };
}

const isWithoutHeader = (match: MatchedHeader | undefined): boolean =>
  match === undefined || (match.header === '' && match.column === null);

const toSurplusFinding = (count: number): ValueFinding => ({
  ...pickLocalizedError(importsRefusal('imports.refused.surplusCells', { count })),
  column: null,
  severity: 'WARNING',
});

interface MappedColumn {
  readonly column: ImportColumn;
  /** Index of the cell. Undefined if the file lacks the column. */
  readonly index?: number;
  /** The value of all rows of a file that lacks the column. */
  readonly constant?: ImportValue | undefined;
  readonly reading: ValueReading;
}

function mapRow(
  columns: readonly MappedColumn[],
  {
    scope,
    choices,
    replacedWords,
  }: Pick<RowMapping, 'scope' | 'choices'> & { readonly replacedWords: ReplacedWords | undefined },
  cells: readonly Cell[],
  edits: Values,
): MappedRow {
  const values: Record<string, ImportValue> = {};
  const findings: ValueFinding[] = [];
  for (const { column, index, constant, reading } of columns) {
    const editedValue = edits[column.id];
    const overridingValue = editedValue === undefined ? constant : editedValue;
    if (index === undefined && overridingValue === undefined) continue;
    const raw: Cell =
      overridingValue === undefined && index !== undefined ? (cells[index] ?? null) : (overridingValue ?? null);
    if (isAbsent(raw)) continue;
    const { value, error, warning } = checkValue(
      column,
      constant === undefined
        ? applyChoice(column, raw, choices, editedValue === undefined ? replacedWords : undefined)
        : raw,
      scope.timeZone,
      editedValue === undefined ? reading : {},
    );
    values[column.id] = value ?? column.default ?? null;
    if (error && !(column.default !== undefined && value === null))
      findings.push({ ...error, column: column.id, severity: 'ERROR' });
    if (warning) findings.push({ ...warning, column: column.id, severity: 'WARNING' });
  }
  return { values, findings };
}

function applyChoice(
  { id }: ImportColumn,
  raw: RawValue,
  choices: ValueChoices,
  replacedWords: ReplacedWords | undefined,
): RawValue {
  const valueByWord = choices.get(id);
  const content = valueByWord && isFormattedCell(raw) ? toCellContent(raw) : raw;
  if (!valueByWord || typeof content !== 'string') return raw;
  const word = fold(content);
  const value = valueByWord.get(word);
  if (value === undefined) return raw;
  replacedWords?.count({ column: id, written: word, value });
  return value;
}

/** Whether a row has no value. Such rows are skipped. */
export const isEmptyRow = (cells: readonly Cell[]): boolean =>
  cells.every(
    (cell) => cell === null || cell === undefined || isAbsent(cell) || (typeof cell === 'string' && cell.trim() === ''),
  );
