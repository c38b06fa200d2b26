import type { ImportColumn } from '../contract/index.ts';
import { checkValue, fold, isAbsent, type Cell, type RawValue } from './check-value.ts';

export interface MatchedHeader {
  readonly header: string;
  /** Id of the column. Null if the column of the file is ignored. */
  readonly column: string | null;
  readonly by: 'HEADER' | 'REMEMBERED' | 'CONTENT' | 'CHOSEN' | null;
  readonly examples: readonly string[];
}

/** Headers of a file's sheet with the values of its first rows. */
export interface SheetSample {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const foldHeader = (header: string): string => fold(header.replaceAll('*', ''));

/** The same for a header whatever its case, asterisk and spaces: the key of a remembered choice. */
export const toHeaderKey = foldHeader;

/**
 * Finds the column of each header: by its text in either language, or else by the choice of an earlier import. What
 * remains gets a proposal by its values, marked CONTENT, which a person must confirm.
 */
export function matchHeaders(
  columns: readonly ImportColumn[],
  { headers, rows }: SheetSample,
  remembered: ReadonlyMap<string, string | null>,
): readonly MatchedHeader[] {
  const byText = new Map(
    columns.flatMap(({ id, header }) => [id, header.fr, header.en].map((text) => [foldHeader(text), id] as const)),
  );
  const taken = new Set<string>();
  const take = (column: string | null | undefined): boolean =>
    column === null ||
    (column !== undefined && columns.some(({ id }) => id === column) && !taken.has(column) && !!taken.add(column));
  const exact = headers.map((header) => {
    const column = byText.get(foldHeader(header));
    return column !== undefined && take(column) ? column : undefined;
  });
  return headers
    .map((header, index): MatchedHeader => {
      const examples = listExamples(rows, index);
      const matched = exact[index];
      if (matched !== undefined) return { header, column: matched, by: 'HEADER', examples };
      const chosen = remembered.get(foldHeader(header));
      if (chosen !== undefined && take(chosen)) return { header, column: chosen, by: 'REMEMBERED', examples };
      return { header, column: null, by: null, examples };
    })
    .map((match, index) => {
      if (match.by !== null) return match;
      const proposed = proposeByContent(
        columns.filter(({ id }) => !taken.has(id)),
        rows.map((row) => toRaw(row[index])),
      );
      return proposed !== undefined && take(proposed) ? { ...match, column: proposed, by: 'CONTENT' as const } : match;
    });
}

/** The only selective column that accepts all these values. Classes of free text accept almost everything. */
function proposeByContent(columns: readonly ImportColumn[], values: readonly RawValue[]): string | undefined {
  const given = values.filter((value) => value !== null && value !== '');
  if (given.length < 2) return undefined;
  const fitting = columns.filter(
    (column) =>
      (column.type === 'ENUM' || column.type === 'DATETIME' || column.type === 'EMAIL') &&
      given.every((value) => !checkValue(column, value, 'UTC').error),
  );
  return fitting.length === 1 ? fitting[0]?.id : undefined;
}

const maxExamples = 3;
const toRaw = (cell: Cell | undefined): RawValue => (cell === undefined || isAbsent(cell) ? null : cell);

const listExamples = (rows: readonly (readonly Cell[])[], index: number): readonly string[] =>
  [
    ...new Set(
      rows.flatMap((row) => {
        const value = toRaw(row[index]);
        return value === null || value === ''
          ? []
          : [value instanceof Date ? value.toISOString().slice(0, 16) : typeof value === 'object' ? '' : String(value)];
      }),
    ),
  ].slice(0, maxExamples);
