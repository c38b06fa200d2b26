import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState } from '../../contract/index.ts';
import { findUnitConflict } from '../../common/column-units.ts';
import type { ColumnChoice } from './import-drafts.ts';

export interface ListedUnit {
  readonly header: string;
  readonly column: ImportColumnInfo;
  /** The unit of the header. */
  readonly unit: string;
  /** The unit in which the values are read. */
  readonly read: string;
  readonly isConfirmed: boolean;
}

/** The columns of a sheet that cannot be converted from the unit of their header, with whether a person confirmed that. */
export function listUnits(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  { headers }: Pick<ImportSheetState, 'headers'>,
  choice: ColumnChoice,
  confirmedColumns: ColumnChoice = {},
): readonly ListedUnit[] {
  return headers.flatMap(({ header, column: storedColumn, unitConfirmed }, index) => {
    const column = columns.find(({ id }) => id === choice[header]);
    const units = column && findUnitConflict(header, column);
    if (!units || headers.findIndex((each) => each.header === header) !== index) return [];
    const confirmedColumn = Object.hasOwn(confirmedColumns, header)
      ? confirmedColumns[header]
      : unitConfirmed === true
        ? storedColumn
        : null;
    return [{ header, column, ...units, isConfirmed: confirmedColumn === column.id }];
  });
}
