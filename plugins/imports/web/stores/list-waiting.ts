import type { ImportKindInfo, ImportSheetState } from '../../contract/index.ts';
import { mustConfirm } from '../../common/match-headers.ts';
import { readColumns } from './column-choice.ts';
import { listLengthColumns } from './list-length-columns.ts';
import { listReadings } from './list-readings.ts';
import { listUnits } from './list-units.ts';

export const columnQuestions = ['MISSING', 'READINGS', 'UNITS', 'COLUMNS'] as const;

export interface WaitingQuestions {
  readonly question: (typeof columnQuestions)[number];
  readonly count: number;
}

/** What a sheet waits for, as the server knows its columns: the same as in `findColumnProblems`. */
export function listWaiting(
  { sheets }: Pick<ImportKindInfo, 'sheets'>,
  sheet: ImportSheetState,
): readonly WaitingQuestions[] {
  const info = sheets.find(({ id }) => id === sheet.sheet);
  if (!info) return [];
  const choice = readColumns(sheet);
  const counts = {
    MISSING: sheet.missing.length,
    READINGS: listReadings(info, sheet, choice).filter(({ isOpen }) => isOpen).length,
    UNITS:
      listUnits(info, sheet, choice).filter(({ isConfirmed }) => !isConfirmed).length +
      listLengthColumns(info, sheet, choice).filter(({ isOpen }) => isOpen).length,
    COLUMNS: sheet.headers.filter((match) => {
      const column = info.columns.find(({ id }) => id === match.column);
      return column !== undefined && (match.by === 'CONTENT' || mustConfirm(match, column));
    }).length,
  };
  return columnQuestions.flatMap((question) => (counts[question] > 0 ? [{ question, count: counts[question] }] : []));
}

/** Number of questions of a sheet that a person must answer. */
export const countWaiting = (kind: Pick<ImportKindInfo, 'sheets'>, sheet: ImportSheetState): number =>
  listWaiting(kind, sheet).reduce((sum, { count }) => sum + count, 0);
