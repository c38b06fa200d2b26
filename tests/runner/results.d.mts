export interface Result {
  readonly title: string;
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly message?: string;
}
export function readVitestResults(file: string, root: string): Result[];
export function readPlaywrightResults(file: string, root: string): Result[];
export function readUnhandledErrors(file: string, root: string): Result[];
export function addExitFailure(name: string, status: number | string | null, results: readonly Result[]): Result[];
export function findSlowestFiles(
  results: readonly Result[],
  count: number,
): { readonly file: string; readonly seconds: number }[];
