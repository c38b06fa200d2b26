export interface Result {
  readonly title: string;
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly message?: string;
}
export function vitestResults(file: string, root: string): Result[];
export function playwrightResults(file: string, root: string): Result[];
export function withExitFailure(name: string, status: number | string | null, results: readonly Result[]): Result[];
export function slowestFiles(
  results: readonly Result[],
  count: number,
): { readonly file: string; readonly seconds: number }[];
