import { useLayoutEffect, useRef } from 'react';
import type { Import } from '../../contract/index.ts';
import type { ImportStep } from './import-steps.ts';
import { countShownRows, readRowQuery, type RowQuery } from './row-filter.ts';
import type { ImportParams } from './use-import-params.ts';

/** The query of the last render, if it showed rows with errors or warnings. */
interface FindingsQuery extends RowQuery {
  /** The filter in the URL. */
  readonly urlFilter: string | null;
}

/**
 * Removes a filter for errors or warnings, and the search, after the last row that they show was corrected or left out.
 * Otherwise they would show no rows, also in the next step.
 */
export function useFilterReset(params: ImportParams, currentImport: Import | undefined, step: ImportStep): void {
  const lastFindingsQuery = useRef<FindingsQuery>(undefined);
  useLayoutEffect(() => {
    if (currentImport === undefined) return;
    const count = ({ sheet, filter }: RowQuery): number => {
      const sheetState = currentImport.sheets.find((candidate) => candidate.sheet === sheet);
      return sheetState === undefined ? 0 : countShownRows(sheetState, filter);
    };
    const previousQuery = lastFindingsQuery.current;
    const urlFilter = params.get('show');
    const query = readRowQuery(params, currentImport, step === 'check');
    const showsFindings = query.filter === 'ERROR' || query.filter === 'WARNING';
    lastFindingsQuery.current = showsFindings && count(query) > 0 ? { ...query, urlFilter } : undefined;
    if (previousQuery?.urlFilter === urlFilter && count(previousQuery) === 0)
      params.set({ show: undefined, find: undefined, column: undefined });
  });
}
