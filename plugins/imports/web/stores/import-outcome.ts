import type { ImportSummary } from '../../contract/api.ts';

export type ImportOutcome = NonNullable<ImportSummary['result']> | 'UNDONE' | 'UNDONE_IN_PART';

/** Returns how a finished import stands today; null before its end, or if it was cancelled. */
export function getOutcome({
  result,
  undone,
  undoneInPart,
}: Pick<ImportSummary, 'result' | 'undone' | 'undoneInPart'>): ImportOutcome | null {
  if (!undone) return result;
  return undoneInPart ? 'UNDONE_IN_PART' : 'UNDONE';
}
