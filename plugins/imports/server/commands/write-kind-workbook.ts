import { sql, type Kysely } from 'kysely';
import { wallTimeAt } from '#core';
import type { ImportColumn, ImportScope, ImportSheet, ImportValue } from '#plugins/imports';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { foldKey } from '../queries/key-of.ts';
import type { ImportsTables, Values } from '../tables.ts';
import type { CellValue, SheetLayout } from '../workbooks/workbook-types.ts';
import { writeWorkbook } from '../workbooks/write-workbook.ts';
import type { WorkbookLanguage } from './format-finding.ts';

const templateVersion = '1';
const rowsPerQuery = 10_000;

interface KindWorkbook {
  readonly scope: ImportScope;
  readonly language: WorkbookLanguage;
  /** Whether it contains today's rows. */
  readonly rows: boolean;
  /** Whether it has the columns that name pictures. Default: true. */
  readonly pictures?: boolean;
  readonly meta: Readonly<Record<string, string>>;
  /** The maximum number of rows of a sheet. Further rows are left for the next workbook. Default: all rows. */
  readonly maxRows?: number;
  /** Where the workbook before this one ended. */
  readonly after?: SheetEnds;
}

/** By sheet: the key of the last row that was written. Null if no rows are left. */
type SheetEnds = Readonly<Record<string, readonly string[] | null>>;

export interface WrittenWorkbook {
  /** Number of rows by sheet. */
  readonly counts: Readonly<Record<string, number>>;
  /** Where the next workbook continues. Undefined if no rows are left. */
  readonly nextStart: SheetEnds | undefined;
}

/** Writes the template of a kind, or today's rows in the same layout. */
export async function writeKindWorkbook(
  { tables }: { readonly tables: Kysely<ImportsTables> },
  kind: AnyKind,
  out: string,
  { scope, language, rows, meta, pictures = true, maxRows = Infinity, after = {} }: KindWorkbook,
): Promise<WrittenWorkbook> {
  const counts: Record<string, number> = {};
  const ends: Record<string, readonly string[] | null> = {};
  const sheets = kind.sheets.map((sheet) => ({
    ...sheet,
    columns: sheet.columns.filter(({ picture }) => pictures || !picture),
  }));
  const layout = {
    sheets: sheets.map((sheet) => toLayout(sheet, language)),
    readme: [kind.title[language], ...kind.readme.map((line) => line[language])],
    meta: { kind: kind.id, templateVersion, locale: language, ...meta },
  };
  await writeWorkbook(out, layout, async function* (name) {
    const sheet = sheets.find((candidate) => candidate.name === name);
    if (!sheet || !rows) return;
    counts[name] = 0;
    ends[name] = null;
    const startKey = after[name];
    if (startKey === null) return;
    let lastCells: readonly string[] = [];
    for await (const { cells, key } of listCells(tables, sheet, { scope, language }, startKey)) {
      if (counts[name] === maxRows) {
        ends[name] = lastCells;
        return;
      }
      counts[name] += 1;
      lastCells = key;
      yield cells;
    }
  });
  return { counts, nextStart: Object.values(ends).some((end) => end !== null) ? ends : undefined };
}

export function toLayout({ name, columns }: ImportSheet, language: WorkbookLanguage): SheetLayout {
  return {
    name,
    columns: columns.map((column) => ({
      header: column.header[language],
      required: column.required ?? false,
      note: column.note?.[language] ?? '',
      kind: toCellKind(column),
      ...(column.values ? { values: column.values.map(({ label }) => label[language]) } : {}),
    })),
  };
}

const toCellKind = ({ type }: ImportColumn): SheetLayout['columns'][number]['kind'] =>
  type === 'NUMBER' || type === 'INTEGER'
    ? 'number'
    : type === 'DATETIME'
      ? 'date'
      : type === 'BOOLEAN'
        ? 'boolean'
        : 'text';

/**
 * Reads rows in the order of their keys, with several queries, so that not all rows are in memory. Folded keys are
 * unique.
 */
export async function* listCells(
  tables: Kysely<ImportsTables>,
  sheet: ImportSheet,
  { scope, language }: Pick<KindWorkbook, 'scope' | 'language'>,
  start?: readonly string[],
): AsyncIterable<{ readonly cells: readonly CellValue[]; readonly key: readonly string[] }> {
  const keys = sheet.columns
    .filter(({ key }) => key === true)
    .map((column) => foldKey(column, sql`coalesce(present.values ->> ${column.id}, '')`));
  let last = start;
  do {
    const after = last && sql`where (${sql.join(keys)}) > (${sql.join(last.map((key) => sql`${key}::text`))})`;
    const { rows } = await sql<{ values: Values; key: string[] }>`
      select present.values, array[${sql.join(keys)}] as key from (${sheet.current(scope)}) as present
      ${after ?? sql``} order by ${sql.join(keys)} limit ${rowsPerQuery}`.execute(tables);
    for (const { values, key } of rows)
      yield { cells: sheet.columns.map((column) => toCell(column, values[column.id] ?? null, scope, language)), key };
    last = rows.length < rowsPerQuery ? undefined : rows.at(-1)?.key;
  } while (last);
}

function toCell(
  column: ImportColumn,
  value: ImportValue,
  { timeZone }: ImportScope,
  language: WorkbookLanguage,
): CellValue {
  if (typeof value === 'object' && value !== null) return value.join('; ');
  if (column.type === 'DATETIME' && typeof value === 'string')
    // Wall times are minutes; seconds are the same in each zone.
    return new Date(Date.parse(`${wallTimeAt(new Date(value), timeZone)}Z`) + (Date.parse(value) % 60_000));
  if (column.values && typeof value === 'string')
    return column.values.find((choice) => choice.value === value)?.label[language] ?? value;
  return value;
}
