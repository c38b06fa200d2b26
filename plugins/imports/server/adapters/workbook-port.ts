import type { Cell } from '../../common/check-value.ts';

export interface SheetRow {
  readonly sheet: string;
  /** Number of the row in its sheet; the header is row 1. */
  readonly row: number;
  readonly cells: readonly Cell[];
}

export interface SheetLayout {
  readonly name: string;
  readonly columns: readonly {
    readonly header: string;
    readonly required: boolean;
    readonly note: string;
    readonly values?: readonly string[];
    readonly kind: 'text' | 'number' | 'date' | 'boolean';
    readonly width?: number;
  }[];
}

export interface CellFinding {
  readonly sheet: string;
  readonly row: number;
  /** Header of the column. Null for the whole row. */
  readonly column: string | null;
  readonly message: string;
  readonly severity: 'ERROR' | 'WARNING';
}

type WrittenValue = string | number | boolean | Date | null;

/** Reads and writes workbooks. Paths are those of temporary files. */
export interface Workbooks {
  /** @throws `invalidRequest` (400) for an unreadable, hostile or too large file */
  readonly readWorkbook: (
    path: string,
    options: { readonly maxRows: number; readonly signal?: AbortSignal; readonly onProgress?: (rows: number) => void },
  ) => AsyncIterable<SheetRow>;
  readonly writeWorkbook: (
    out: string,
    layout: {
      readonly sheets: readonly SheetLayout[];
      readonly readme: readonly string[];
      readonly meta: Readonly<Record<string, string>>;
    },
    rows: (sheet: string) => AsyncIterable<readonly WrittenValue[]>,
  ) => Promise<void>;
  readonly writeErrorWorkbook: (original: string, out: string, findings: readonly CellFinding[]) => Promise<void>;
}
