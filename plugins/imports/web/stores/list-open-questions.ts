import type { ImportKindInfo, ImportSheetState } from '../../contract/index.ts';
import { mustConfirmSynonym } from '../../common/match-headers.ts';
import { resolveColumnChoice } from './column-choice.ts';
import { listConstants } from './list-constants.ts';
import type { SheetDraft } from './import-drafts.ts';
import { listLengthColumns } from './list-length-columns.ts';
import { listReadings } from './list-readings.ts';
import { listUnitMismatches } from './list-unit-mismatches.ts';

export const columnQuestions = ['MISSING', 'CONSTANTS', 'READINGS', 'UNITS', 'COLUMNS'] as const;

/** How many questions of one kind a person must still answer. */
export interface OpenQuestions {
  readonly question: (typeof columnQuestions)[number];
  readonly count: number;
}

/**
 * The questions about a sheet that a person must still answer, as the server's `findColumnProblems` lists them. Those
 * that `draft` answers are left out.
 */
export function listOpenQuestions(
  { sheets }: Pick<ImportKindInfo, 'sheets'>,
  sheet: ImportSheetState,
  draft?: SheetDraft,
): readonly OpenQuestions[] {
  const sheetInfo = sheets.find(({ id }) => id === sheet.sheet);
  if (!sheetInfo) return [];
  const choice = resolveColumnChoice(sheet, draft?.columns);
  const constants = listConstants(sheetInfo, sheet, choice, draft?.constants ?? {}, 'UTC');
  const chosenColumns = new Set([...Object.values(choice), ...constants.map(({ column }) => column.id)]);
  const counts = {
    MISSING: draft?.columns
      ? sheetInfo.columns.filter(({ id, required }) => required && !chosenColumns.has(id)).length
      : sheet.missing.filter((id) => !constants.some(({ column }) => column.id === id)).length,
    CONSTANTS: constants.filter(({ text, isRemembered }) => isRemembered || text.trim() === '').length,
    READINGS: listReadings(sheetInfo, sheet, choice, draft?.formats).filter(({ isOpen }) => isOpen).length,
    UNITS:
      listUnitMismatches(sheetInfo, sheet, choice, draft?.confirmedUnits).filter(({ isConfirmed }) => !isConfirmed)
        .length + listLengthColumns(sheetInfo, sheet, choice, draft?.lengthUnits).filter(({ isOpen }) => isOpen).length,
    COLUMNS: sheet.headers.filter((match) => {
      const column = sheetInfo.columns.find(({ id }) => id === match.column);
      const isProposed = choice[match.header] === match.column;
      return column !== undefined && isProposed && (match.by === 'CONTENT' || mustConfirmSynonym(match, column));
    }).length,
  };
  return columnQuestions.flatMap((question) => (counts[question] > 0 ? [{ question, count: counts[question] }] : []));
}

/** Number of questions about a sheet that a person must still answer. */
export const countOpenQuestions = (
  kind: Pick<ImportKindInfo, 'sheets'>,
  sheet: ImportSheetState,
  draft?: SheetDraft,
): number => listOpenQuestions(kind, sheet, draft).reduce((sum, { count }) => sum + count, 0);
