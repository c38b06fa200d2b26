import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState } from '../../contract/index.ts';
import { findOtherUnit, findUnitReading, type UnitReading } from '../../common/column-units.ts';
import type { ColumnChoice, UnitChoice } from './import-drafts.ts';

export interface ListedLength extends UnitReading {
  readonly header: string;
  readonly column: ImportColumnInfo;
  /** Whether values are converted, a person has chosen the unit, or files of the site usually have another one. */
  readonly isNotable: boolean;
}

/** The columns of a sheet with lengths that can be converted, and the unit in which each is read. */
export function listLengths(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  { headers }: Pick<ImportSheetState, 'headers'>,
  choice: ColumnChoice,
  units: UnitChoice = {},
): readonly ListedLength[] {
  return headers.flatMap((match, index) => {
    const { header, siteUnit } = match;
    const column = columns.find(({ id }) => id === choice[header]);
    if (!column || headers.findIndex((each) => each.header === header) !== index) return [];
    const unit = units[header];
    const reading = findUnitReading(unit ? { ...match, unit } : match, column);
    if (!reading || findOtherUnit(header, column)) return [];
    const isNotable = reading.unit !== reading.columnUnit || reading.by === 'CHOSEN' || siteUnit !== undefined;
    return [{ ...reading, header, column, isNotable }];
  });
}

/** Columns that are read in the same unit for the same reason, in the order of the file. */
export function groupLengths(lengths: readonly ListedLength[]): readonly (readonly ListedLength[])[] {
  const groups = new Map<string, ListedLength[]>();
  for (const length of lengths) {
    const key = [length.unit, length.columnUnit, length.by, length.isOpen].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), length]);
  }
  return [...groups.values()];
}
