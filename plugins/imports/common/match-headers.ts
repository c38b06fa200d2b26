import { splitHeaderUnit, type SiteUnit } from '#core';
import type { ImportColumn } from '../contract/index.ts';
import {
  checkValue,
  fold,
  foldWord,
  formatWallTime,
  isAbsent,
  isCellError,
  isFormattedCell,
  listWords,
  toCellContent,
  type Cell,
  type RawValue,
} from './check-value.ts';
import type { ReadableColumn } from './column-readings.ts';
import { findColumnUnit, findLengthUnit, type MeasuredHeader } from './column-units.ts';

export interface MatchedHeader extends ReadableColumn, MeasuredHeader {
  /** Id of the column. Null if the column of the file is ignored. */
  readonly column: string | null;
  readonly by: 'HEADER' | 'SYNONYM' | 'REMEMBERED' | 'CONTENT' | 'CHOSEN' | null;
  readonly examples: readonly string[];
  /** Whether the workbook hides the column. */
  readonly hidden?: boolean;
  /**
   * Whether a person has confirmed for this file that values are not converted although the header has another unit.
   */
  readonly unitConfirmed?: boolean;
}

/** Headers of a file's sheet with the values of its first rows. */
export interface SheetSample {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const foldHeader = (header: string): string => fold(header.replaceAll('*', ''));

/** The key of a remembered choice: the header without case, asterisks and repeated spaces. */
export const toHeaderKey = foldHeader;

/** Synonyms are compared without accents, dots, dashes and underscores as well. */
export const toSynonymKey = (header: string): string =>
  fold(foldHeader(header).normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[._-]/g, ' '));

/** The name in the header of a length column, without its unit. */
const toLengthName = (header: string): string => toSynonymKey(splitHeaderUnit(header)?.name ?? header);

/** The text of a cell as a header. */
export const toHeaderText = (cell: Cell | undefined): string => {
  if (cell === undefined || isAbsent(cell)) return '';
  if (isCellError(cell)) return cell.error;
  return (
    cell instanceof Date ? formatWallTime(cell) : String((isFormattedCell(cell) ? toCellContent(cell) : cell) ?? '')
  ).trim();
};

/**
 * Finds the column of each header: by its text in either language, else by the choice of an earlier import, else by a
 * synonym. The remaining headers get a proposal by their values, marked CONTENT, which a person must confirm.
 *
 * @param siteUnit the unit of the site's files. If given, headers of length columns may have another unit than their
 *   column. Undefined for rows of API calls
 */
export function matchHeaders(
  columns: readonly ImportColumn[],
  { headers, rows }: SheetSample,
  rememberedColumns: ReadonlyMap<string, string | null>,
  siteUnit?: SiteUnit,
): readonly MatchedHeader[] {
  const columnByText = new Map(
    columns.flatMap(({ id, header }) => [id, header.fr, header.en].map((text) => [foldHeader(text), id] as const)),
  );
  const columnBySynonym = new Map(
    columns.flatMap(({ id, synonymHeaders = [] }) => synonymHeaders.map((text) => [toSynonymKey(text), id] as const)),
  );
  const takenColumns = new Set<string>();
  const claimColumn = (column: string | null): boolean =>
    column === null ||
    (columns.some(({ id }) => id === column) && !takenColumns.has(column) && !!takenColumns.add(column));
  const matchedHeaders: MatchedHeader[] = headers.map((header, index) => ({
    header,
    column: null,
    by: null,
    examples: listExamples(rows, index),
    ...(siteUnit === undefined || siteUnit === 'm' ? {} : { siteUnit }),
  }));
  const match = (basis: MatchedHeader['by'], find: (header: string) => string | null | undefined): void => {
    for (const [index, each] of matchedHeaders.entries()) {
      const column = each.by === null ? find(each.header) : undefined;
      if (column !== undefined && claimColumn(column)) matchedHeaders[index] = { ...each, column, by: basis };
    }
  };
  match('HEADER', (header) => columnByText.get(foldHeader(header)));
  match('REMEMBERED', (header) => rememberedColumns.get(foldHeader(header)));
  match('SYNONYM', (header) => columnBySynonym.get(toSynonymKey(header)));
  if (siteUnit !== undefined) {
    const lengthColumns = columns.filter((column) => findColumnUnit(column) !== undefined);
    const mapLengthNames = (listTexts: (column: ImportColumn) => readonly string[]) =>
      new Map(
        lengthColumns.flatMap((column) => listTexts(column).map((text) => [toLengthName(text), column.id] as const)),
      );
    const columnByName = mapLengthNames(({ id, header }) => [id, header.fr, header.en]);
    const columnBySynonymName = mapLengthNames(({ synonymHeaders = [] }) => synonymHeaders);
    const hasLengthUnit = (header: string): boolean => findLengthUnit(header) !== undefined;
    match('HEADER', (header) => (hasLengthUnit(header) ? columnByName.get(toLengthName(header)) : undefined));
    match('SYNONYM', (header) => (hasLengthUnit(header) ? columnBySynonymName.get(toLengthName(header)) : undefined));
  }
  return matchedHeaders.map((each, index) => {
    if (each.by !== null) return each;
    const proposedColumn = proposeByContent(
      columns.filter(({ id }) => !takenColumns.has(id)),
      rows.map((row) => toRaw(row[index])),
    );
    return proposedColumn !== undefined && claimColumn(proposedColumn)
      ? { ...each, column: proposedColumn, by: 'CONTENT' as const }
      : each;
  });
}

const unitPattern = /\([^()]+\)\s*$/;

/**
 * Whether a person must confirm a synonym: because it lacks the unit of its column, or because the column demands it.
 */
export const mustConfirmSynonym = (
  { header, by }: Pick<MatchedHeader, 'header' | 'by'>,
  column: Pick<ImportColumn, 'header' | 'confirmsSynonyms'>,
): boolean =>
  by === 'SYNONYM' &&
  (column.confirmsSynonyms === true || (unitPattern.test(column.header.en) && !unitPattern.test(header)));

/**
 * Finds synonyms that are also a header of another column of the sheet, and words that two values of a column share. A
 * valid kind has none.
 */
export function findAmbiguousTexts(columns: readonly ImportColumn[]): readonly string[] {
  const headers = columns.map(({ id, header, synonymHeaders = [] }) => ({
    texts: new Set([id, header.en, header.fr, ...synonymHeaders].map(toSynonymKey)),
    synonyms: synonymHeaders.map(toSynonymKey),
  }));
  const sharedSynonyms = headers.flatMap(({ synonyms }, index) =>
    synonyms.filter((text) => headers.some(({ texts }, otherIndex) => otherIndex !== index && texts.has(text))),
  );
  const sharedWords = columns.flatMap(({ values = [] }) => {
    const columnWords = values.flatMap((choice) => [...new Set(listWords(choice).map(foldWord))]);
    return columnWords.filter((word, index) => columnWords.indexOf(word) !== index);
  });
  return [...sharedSynonyms, ...sharedWords];
}

/** The only selective column that accepts all these values. Classes of free text accept almost everything. */
function proposeByContent(columns: readonly ImportColumn[], values: readonly RawValue[]): string | undefined {
  const filledValues = values.filter((value) => value !== null && value !== '');
  if (filledValues.length < 2) return undefined;
  const fittingColumns = columns.filter(
    (column) =>
      (column.type === 'ENUM' || column.type === 'DATETIME' || column.type === 'EMAIL') &&
      filledValues.every((value) => !checkValue(column, value, 'UTC').error),
  );
  return fittingColumns.length === 1 ? fittingColumns[0]?.id : undefined;
}

const maxExamples = 3;
const toRaw = (cell: Cell | undefined): RawValue => (cell === undefined || isAbsent(cell) ? null : cell);

const listExamples = (rows: readonly (readonly Cell[])[], index: number): readonly string[] =>
  [
    ...new Set(
      rows.flatMap((row) => {
        const value = toRaw(row[index]);
        if (value === null || value === '') return [];
        return isCellError(value) || Array.isArray(value) ? '' : toHeaderText(value);
      }),
    ),
  ].slice(0, maxExamples);
