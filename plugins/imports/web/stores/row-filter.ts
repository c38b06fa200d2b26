import { rowStates, severities, type Import, type ImportSheetState } from '../../contract/index.ts';
import type { ImportParams } from './use-import-params.ts';

/** What the grid shows: all rows, those with errors or warnings, or those in one state. */
export const rowFilters = ['ALL', ...severities, ...rowStates.filter((state) => state !== 'ERROR')] as const;
export type RowFilter = (typeof rowFilters)[number];

export interface RowQuery {
  readonly sheet: string;
  readonly filter: RowFilter;
  readonly searchText: string;
}

/** The rows that the URL selects. Without a selection: errors if `errorsFirst` and there are any, else all. */
export function readRowQuery(params: ImportParams, { sheets }: Pick<Import, 'sheets'>, errorsFirst: boolean): RowQuery {
  const presentSheets = sheets.filter((sheet) => sheet.present || sheet.removed > 0);
  const sheet =
    presentSheets.find((candidate) => candidate.sheet === params.get('sheet')) ??
    (errorsFirst ? presentSheets.find(({ withErrors }) => withErrors > 0) : undefined) ??
    presentSheets[0];
  const show = rowFilters.find((filter) => filter === params.get('show'));
  return {
    sheet: sheet?.sheet ?? '',
    filter: show ?? (errorsFirst && sheet !== undefined && sheet.withErrors > 0 ? 'ERROR' : 'ALL'),
    searchText: params.get('find') ?? '',
  };
}

/** The filter as query parameters for the server. */
export function toRowFilters({ filter, searchText }: RowQuery) {
  const text = searchText.trim();
  return {
    ...(filter === 'ALL' ? {} : filter === 'ERROR' || filter === 'WARNING' ? { severity: filter } : { state: filter }),
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
export const countShownRows = (sheet: ImportSheetState, filter: RowFilter): number => sheet[countNames[filter]];
