export interface Row {
  readonly id: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'missing';
}
export function rowIds(markdown: string): string[];
export function rowStates(
  ids: readonly string[],
  results: readonly { readonly title: string; readonly state: string }[],
): { rows: Row[]; unknown: string[] };
