import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState } from '../../contract/index.ts';
import { findUnitConflict, findUnitReading, type UnitReading } from '../../common/column-units.ts';
import type { ColumnChoice, UnitChoice } from './import-drafts.ts';

export interface LengthColumn extends UnitReading {
  readonly header: string;
  readonly column: ImportColumnInfo;
  /** Whether values are converted, a person has chosen the unit, or files of the site usually have another one. */
  readonly isNotable: boolean;
}

/** The columns of a sheet whose lengths can be converted, each with the unit in which it is read. */
export function listLengthColumns(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  { headers }: Pick<ImportSheetState, 'headers'>,
  choice: ColumnChoice,
  units: UnitChoice = {},
): readonly LengthColumn[] {
  return headers.flatMap((match, index) => {
    const { header, siteUnit } = match;
    const column = columns.find(({ id }) => id === choice[header]);
    // A repeated header is listed once.
    if (!column || headers.findIndex((candidate) => candidate.header === header) !== index) return [];
    const unit = units[header];
    const reading = findUnitReading(unit ? { ...match, unit } : match, column);
    if (!reading || findUnitConflict(header, column)) return [];
    const isNotable = reading.unit !== reading.columnUnit || reading.by === 'CHOSEN' || siteUnit !== undefined;
    return [{ ...reading, header, column, isNotable }];
  });
}

/** Groups columns that are read in the same unit for the same reason. The order is that of the file. */
export function groupLengthColumns(lengthColumns: readonly LengthColumn[]): readonly (readonly LengthColumn[])[] {
  const groups = new Map<string, LengthColumn[]>();
  for (const lengthColumn of lengthColumns) {
    const key = [lengthColumn.unit, lengthColumn.columnUnit, lengthColumn.by, lengthColumn.isOpen].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), lengthColumn]);
  }
  return [...groups.values()];
}
