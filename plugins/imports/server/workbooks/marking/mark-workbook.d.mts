import type { CellFinding } from '../workbook-types.ts';

/** Marks in this process, without limits of time and memory. Tests mark many small files with it. */
export function markWorkbook(original: string, out: string, findings: readonly CellFinding[]): Promise<void>;
