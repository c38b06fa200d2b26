import type { ImportKindInfo, ImportSheetState } from '../../contract/index.ts';
import { mustConfirmSynonym } from '../../common/match-headers.ts';
import { readColumns } from './column-choice.ts';
import { listConstants } from './list-constants.ts';
import type { SheetDraft } from './import-drafts.ts';
import { listLengthColumns } from './list-length-columns.ts';
import { listReadings } from './list-readings.ts';
import { listUnits } from './list-units.ts';

export const columnQuestions = ['MISSING', 'CONSTANTS', 'READINGS', 'UNITS', 'COLUMNS'] as const;

export interface WaitingQuestions {
  readonly question: (typeof columnQuestions)[number];
  readonly count: number;
}

/**
 * What a sheet waits for: the same as in `findColumnProblems`, less what a person has chosen in `draft`. Without a
 * draft, as the server knows its columns.
 */
export function listWaiting(
  { sheets }: Pick<ImportKindInfo, 'sheets'>,
  sheet: ImportSheetState,
  draft?: SheetDraft,
): readonly WaitingQuestions[] {
  const info = sheets.find(({ id }) => id === sheet.sheet);
  if (!info) return [];
  const choice = readColumns(sheet, draft?.columns);
  const constants = listConstants(info, sheet, choice, draft?.constants ?? {}, 'UTC');
  const chosenColumns = new Set([...Object.values(choice), ...constants.map(({ column }) => column.id)]);
  const counts = {
    MISSING: draft?.columns
      ? info.columns.filter(({ id, required }) => required && !chosenColumns.has(id)).length
      : sheet.missing.filter((id) => !constants.some(({ column }) => column.id === id)).length,
    CONSTANTS: constants.filter(({ text, isRemembered }) => isRemembered || text.trim() === '').length,
    READINGS: listReadings(info, sheet, choice, draft?.formats).filter(({ isOpen }) => isOpen).length,
    UNITS:
      listUnits(info, sheet, choice, draft?.units).filter(({ isConfirmed }) => !isConfirmed).length +
      listLengthColumns(info, sheet, choice, draft?.lengthUnits).filter(({ isOpen }) => isOpen).length,
    COLUMNS: sheet.headers.filter((match) => {
      const column = info.columns.find(({ id }) => id === match.column);
      const isProposed = choice[match.header] === match.column;
      return column !== undefined && isProposed && (match.by === 'CONTENT' || mustConfirmSynonym(match, column));
    }).length,
  };
  return columnQuestions.flatMap((question) => (counts[question] > 0 ? [{ question, count: counts[question] }] : []));
}

/** Number of questions of a sheet that a person must answer. */
export const countWaiting = (
  kind: Pick<ImportKindInfo, 'sheets'>,
  sheet: ImportSheetState,
  draft?: SheetDraft,
): number => listWaiting(kind, sheet, draft).reduce((sum, { count }) => sum + count, 0);
