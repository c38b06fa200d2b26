import type { FileType, SheetRow } from '../workbook-types.ts';

/** Reads in this process, without limits of time and memory. Tests read many small files with it. */
export function readTables(
  file: string,
  type: FileType,
  options: { readonly maxRows: number; readonly report: boolean; readonly separator?: string },
): AsyncIterable<SheetRow>;
