export type State = 'passed' | 'failed' | 'skipped' | 'missing';
export interface Row {
  readonly id: string;
  readonly parts: readonly string[];
}
export interface RowState {
  readonly id: string;
  readonly state: State;
  readonly parts: readonly { readonly id: string; readonly state: State }[];
}
export function parseRows(markdown: string): Row[];
export function computeRowStates(
  rows: readonly Row[],
  results: readonly { readonly title: string; readonly state: string }[],
): { rows: RowState[]; unknown: string[] };
export function formatRow(row: RowState): string;
