import type { LocalizedError } from '#core';
import type { ImportColumn, ImportScope, ImportSheet, ImportValue } from '#plugins/imports';
import { checkValue, fold, isAbsent, type Cell, type RawValue } from '../../common/check-value.ts';
import type { MatchedHeader } from '../../common/match-headers.ts';
import type { Values } from '../tables.ts';

/** The parsed values of a row, and what is wrong with each by itself. */
export interface MappedRow {
  readonly values: Values;
  readonly findings: readonly (LocalizedError & { readonly column: string })[];
}

/** Values that replace written ones, by column id and folded value. */
export type ValueChoices = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface RowMapping {
  readonly sheet: ImportSheet;
  readonly headers: readonly MatchedHeader[];
  readonly scope: ImportScope;
  readonly choices: ValueChoices;
}

/** Finds the cells of a row by its headers, with its corrections, and checks each value. */
export function mapRow(
  { sheet, headers, scope, choices }: RowMapping,
  cells: readonly Cell[],
  edits: Values,
): MappedRow {
  const values: Record<string, ImportValue> = {};
  const findings: (LocalizedError & { readonly column: string })[] = [];
  const indexes = new Map(headers.flatMap(({ column }, index) => (column === null ? [] : [[column, index] as const])));
  for (const column of sheet.columns) {
    const index = indexes.get(column.id);
    const edited = edits[column.id];
    if (index === undefined && edited === undefined) continue;
    const raw: Cell = edited === undefined && index !== undefined ? (cells[index] ?? null) : (edited ?? null);
    if (isAbsent(raw)) continue;
    const { value, error } = checkValue(column, applyChoice(column, raw, choices), scope.timeZone);
    values[column.id] = value ?? column.default ?? null;
    if (error && !(column.default !== undefined && value === null)) findings.push({ ...error, column: column.id });
  }
  return { values, findings };
}

function applyChoice(column: ImportColumn, raw: RawValue, choices: ValueChoices): RawValue {
  return typeof raw === 'string' ? (choices.get(column.id)?.get(fold(raw)) ?? raw) : raw;
}

/** A row without a value is skipped. */
export const isEmptyRow = (cells: readonly Cell[]): boolean =>
  cells.every(
    (cell) => cell === null || cell === undefined || isAbsent(cell) || (typeof cell === 'string' && cell.trim() === ''),
  );
