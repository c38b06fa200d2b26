import type {
  ImportColumnInfo,
  ImportProblem,
  ImportSheetInfo,
  ImportSheetState,
  ImportValue,
} from '../../contract/index.ts';
import { canBeConstant } from '../../common/constant-columns.ts';
import { formatValue } from './format-value.ts';
import type { ColumnChoice, ConstantChoice } from './import-drafts.ts';

/** A value that all rows get in a column that the file lacks. */
export interface ListedConstant {
  readonly column: ImportColumnInfo;
  /** As a person types it; the code of a listed value. */
  readonly text: string;
  /** Whether it was chosen for an earlier file, and is not confirmed for this one. */
  readonly isRemembered: boolean;
}

/** The values that all rows of a sheet get: those in the draft of the person, else those that the server has stored. */
export function listConstants(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  { constants }: Pick<ImportSheetState, 'constants'>,
  choice: ColumnChoice,
  draft: ConstantChoice,
  timeZone: string,
): readonly ListedConstant[] {
  const matchedColumns = new Set(Object.values(choice));
  return columns.flatMap((column) => {
    const stored = constants.find((constant) => constant.column === column.id);
    const typedText = draft[column.id];
    const text = typedText === undefined && stored ? toText(stored.value, column, timeZone) : typedText;
    if (text === undefined || text === null || matchedColumns.has(column.id)) return [];
    return [{ column, text, isRemembered: typedText === undefined && stored?.by === 'REMEMBERED' }];
  });
}

/** The columns that can still get a value for all rows: the file lacks them, and they have none yet. */
export function listAddableColumns(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  choice: ColumnChoice,
  constants: readonly ListedConstant[],
): readonly ImportColumnInfo[] {
  const takenColumns = new Set([...Object.values(choice), ...constants.map(({ column }) => column.id)]);
  return columns.filter(({ id }) => !takenColumns.has(id) && canBeConstant(columns, id));
}

/** Whether the value of a cell was chosen for all rows, and is not from the file. */
export const isChosenConstant = (
  sheets: readonly Pick<ImportSheetState, 'sheet' | 'constants'>[],
  { sheet, column, value }: Pick<ImportProblem, 'sheet' | 'column' | 'value'>,
): boolean =>
  sheets
    .find((sheetConstants) => sheetConstants.sheet === sheet)
    ?.constants.some(
      (constant) => constant.by === 'CHOSEN' && constant.column === column && isSame(constant.value, value),
    ) === true;

const isSame = (a: ImportValue, b: ImportValue): boolean => JSON.stringify(a) === JSON.stringify(b);

const toText = (value: ImportValue, column: ImportColumnInfo, timeZone: string): string =>
  column.type === 'ENUM' ? String(value) : formatValue(value, column, { timeZone, language: 'en' });
