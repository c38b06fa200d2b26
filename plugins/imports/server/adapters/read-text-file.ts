import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Papa from 'papaparse';
import { invalidRequest } from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { absentCell, type RawValue } from '../../common/check-value.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { SheetRow } from './workbook-port.ts';

/** Reads a CSV file of the sheet that it is named after, or else of the first sheet of the kind. */
export async function* readCsv(file: string, name: string, kind: AnyKind): AsyncIterable<SheetRow> {
  const text = (await readFile(file, 'utf8')).replace(/^\u{feff}/u, '');
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: false });
  if (errors.some(({ type }) => type === 'Quotes')) throw unreadable();
  const base = path.basename(name, path.extname(name)).toLowerCase();
  const sheet = kind.sheets.find((each) => each.name.toLowerCase() === base) ?? kind.sheets[0];
  for (const [index, cells] of data.entries()) yield { sheet: sheet?.name ?? '', row: index + 1, cells };
}

/** Reads a JSON object of lists of rows by sheet, with the ids of columns as headers. */
export async function* readJson(file: string, kind: AnyKind): AsyncIterable<SheetRow> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw unreadable();
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw unreadable();
  for (const [id, rows] of Object.entries(content)) {
    if (!Array.isArray(rows) || !rows.every((row) => isRecord(row))) throw unreadable();
    yield* toSheetRows(kind.sheets.find((sheet) => sheet.id === id)?.name ?? id, rows);
  }
}

const isRecord = (row: unknown): row is Readonly<Record<string, RawValue>> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

/** Rows by column id as rows of a sheet, whose header lists the ids in the order of their first use. */
export function* toSheetRows(sheet: string, rows: readonly Readonly<Record<string, RawValue>>[]): Iterable<SheetRow> {
  const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  yield { sheet, row: 1, cells: headers };
  for (const [index, row] of rows.entries())
    yield {
      sheet,
      row: index + 2,
      cells: headers.map((header) => (header in row ? (row[header] ?? null) : absentCell)),
    };
}

const unreadable = (): Error => invalidRequest(importsRefusal('imports.refused.unreadable'));
