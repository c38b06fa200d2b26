import { useLayoutEffect, useRef } from 'react';
import type { Import } from '../../contract/index.ts';
import type { ImportStep } from './import-steps.ts';
import { countShown, readRowQuery, type RowQuery } from './row-filter.ts';
import type { ImportParams } from './use-import-params.ts';

/** The rows with errors or warnings that are shown. */
interface ShownFindings extends RowQuery {
  /** The filter in the URL. */
  readonly chosen: string | null;
}

/**
 * Removes the filter and the search when the last row with the errors or warnings that they show was corrected or left
 * out. They would show no row, also in the next step.
 */
export function useFilterReset(params: ImportParams, value: Import | undefined, step: ImportStep): void {
  const shownFindings = useRef<ShownFindings>(undefined);
  useLayoutEffect(() => {
    if (value === undefined) return;
    const count = ({ sheet, show }: RowQuery): number => {
      const state = value.sheets.find((each) => each.sheet === sheet);
      return state === undefined ? 0 : countShown(state, show);
    };
    const formerFindings = shownFindings.current;
    const chosenFilter = params.get('show');
    const query = readRowQuery(params, value, step === 'check');
    const isOfFindings = query.show === 'ERROR' || query.show === 'WARNING';
    shownFindings.current = isOfFindings && count(query) > 0 ? { ...query, chosen: chosenFilter } : undefined;
    if (formerFindings?.chosen === chosenFilter && count(formerFindings) === 0)
      params.set({ show: undefined, find: undefined, column: undefined });
  });
}
