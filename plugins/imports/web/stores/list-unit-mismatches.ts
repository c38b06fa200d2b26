import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState } from '../../contract/index.ts';
import { findUnitConflict } from '../../common/column-units.ts';
import type { ColumnChoice } from './import-drafts.ts';

/** A header that names another unit than its column, where values cannot be converted. */
export interface UnitMismatch {
  readonly header: string;
  readonly column: ImportColumnInfo;
  /** The unit of the header. */
  readonly unit: string;
  /** The unit in which the values are read. */
  readonly read: string;
  /** Whether a person confirmed that the values are in the unit of the column. */
  readonly isConfirmed: boolean;
}

/** The columns of a sheet whose values cannot be converted from the unit that their header names. */
export function listUnitMismatches(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  { headers }: Pick<ImportSheetState, 'headers'>,
  choice: ColumnChoice,
  confirmedColumns: ColumnChoice = {},
): readonly UnitMismatch[] {
  return headers.flatMap(({ header, column: storedColumn, unitConfirmed }, index) => {
    const column = columns.find(({ id }) => id === choice[header]);
    const units = column && findUnitConflict(header, column);
    // A repeated header is listed once.
    if (!units || headers.findIndex((candidate) => candidate.header === header) !== index) return [];
    const confirmedColumn = Object.hasOwn(confirmedColumns, header)
      ? confirmedColumns[header]
      : unitConfirmed === true
        ? storedColumn
        : null;
    return [{ header, column, ...units, isConfirmed: confirmedColumn === column.id }];
  });
}
