import { rowStates, severities, type Import, type ImportSheetState } from '../../contract/index.ts';
import type { ImportParams } from './use-import-params.ts';

/** What the grid shows: all rows, those with errors or warnings, or those in one state. */
export const rowFilters = ['ALL', ...severities, ...rowStates.filter((state) => state !== 'ERROR')] as const;
export type RowFilter = (typeof rowFilters)[number];

export interface RowQuery {
  readonly sheet: string;
  readonly show: RowFilter;
  readonly find: string;
}

/** The rows that the URL selects. Without a selection: errors if `errorsFirst` and there are any, else all. */
export function readRowQuery(params: ImportParams, { sheets }: Pick<Import, 'sheets'>, errorsFirst: boolean): RowQuery {
  const presentSheets = sheets.filter((sheet) => sheet.present || sheet.removed > 0);
  const sheet =
    presentSheets.find((each) => each.sheet === params.get('sheet')) ??
    (errorsFirst ? presentSheets.find(({ withErrors }) => withErrors > 0) : undefined) ??
    presentSheets[0];
  const show = rowFilters.find((filter) => filter === params.get('show'));
  return {
    sheet: sheet?.sheet ?? '',
    show: show ?? (errorsFirst && sheet !== undefined && sheet.withErrors > 0 ? 'ERROR' : 'ALL'),
    find: params.get('find') ?? '',
  };
}

/** The filter as query parameters for the server. */
export function toRowFilters({ show, find }: RowQuery) {
  const text = find.trim();
  return {
    ...(show === 'ALL' ? {} : show === 'ERROR' || show === 'WARNING' ? { severity: show } : { state: show }),
    ...(text === '' ? {} : { find: text }),
  };
}

const countNames = {
  ALL: 'rows',
  ERROR: 'withErrors',
  WARNING: 'withWarnings',
  ADDED: 'added',
  CHANGED: 'changed',
  UNCHANGED: 'unchanged',
  REMOVED: 'removed',
  LEFT_OUT: 'leftOut',
} as const;

/** Number of rows that a filter shows. */
export const countShownRows = (sheet: ImportSheetState, show: RowFilter): number => sheet[countNames[show]];
