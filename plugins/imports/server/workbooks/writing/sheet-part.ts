import { toColumnLetters } from '../ooxml/xml.mjs';
import type { CellValue, ColumnLayout, SheetLayout } from '../workbook-types.ts';
import { cellFormats, toCellXml, toFixedTextXml } from './cell-xml.ts';
import { createDropDown, mainNamespace, relationshipsNamespace, xmlHead } from './fixed-parts.ts';

const maxRow = 1_048_576;
const chunkLength = 64 * 1024;
const defaultWidth = 20;

const kindFormats = {
  text: cellFormats.text,
  number: cellFormats.general,
  boolean: cellFormats.general,
  date: cellFormats.date,
} as const;

export const toHeaderText = ({ header, required }: ColumnLayout): string => (required ? `${header}*` : header);

/**
 * Generates a data sheet: a bold, frozen header, drop-down lists, and the rows as they come.
 *
 * @param dropDowns the formula of the list of each column that has one
 */
export async function* generateDataSheet(
  { name, columns }: SheetLayout,
  dropDowns: ReadonlyMap<ColumnLayout, string>,
  rows: AsyncIterable<readonly CellValue[]>,
): AsyncIterable<string> {
  const formats = columns.map(({ kind }) => kindFormats[kind]);
  const cols = columns.map(
    ({ width = defaultWidth }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${formats[index]}" customWidth="1"/>`,
  );
  let text =
    `${openWorksheet}<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ` +
    `activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    (cols.length > 0 ? `<cols>${cols.join('')}</cols>` : '') +
    `<sheetData>${toTextRowXml(1, columns.map(toHeaderText), cellFormats.header)}`;
  let row = 1;
  for await (const values of rows) {
    row += 1;
    if (row > maxRow) throw new RangeError(`Sheet ${name} has more rows than a spreadsheet can hold.`);
    if (values.length > columns.length) throw new RangeError(`A row of sheet ${name} has more cells than columns.`);
    text += toRowXml(row, values, (index) => findFormat(values[index], formats[index] ?? cellFormats.general));
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  yield `${text}</sheetData>${createDropDowns(columns, dropDowns)}${createCommentLink(columns)}</worksheet>`;
}

/**
 * Spreadsheets distinguish dates from numbers by the format, so a date in a column of another kind gets the format of
 * dates, and a number in a date column that of numbers.
 */
function findFormat(value: CellValue | undefined, format: number): number {
  if (value instanceof Date) return cellFormats.date;
  return typeof value === 'number' && format === cellFormats.date ? cellFormats.general : format;
}

const openWorksheet = `${xmlHead}<worksheet xmlns="${mainNamespace}" xmlns:r="${relationshipsNamespace}">`;

function toRowXml(row: number, values: readonly CellValue[], toFormat: (index: number) => number): string {
  let cells = '';
  for (const [index, value] of values.entries()) cells += toCellXml(row, index + 1, value, toFormat(index));
  return cells === '' ? '' : `<row r="${row}">${cells}</row>`;
}

function toTextRowXml(row: number, texts: readonly string[], format: number): string {
  return `<row r="${row}">${texts.map((text, index) => toFixedTextXml(row, index + 1, text, format)).join('')}</row>`;
}

function createDropDowns(columns: readonly ColumnLayout[], dropDowns: ReadonlyMap<ColumnLayout, string>): string {
  const lists = columns.flatMap((column, index) => {
    const formula = dropDowns.get(column);
    return formula === undefined ? [] : [createDropDown(toColumnLetters(index + 1), formula)];
  });
  return lists.length === 0 ? '' : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
}

export const hasNotes = (columns: readonly ColumnLayout[]): boolean => columns.some(({ note }) => note !== '');

const createCommentLink = (columns: readonly ColumnLayout[]): string =>
  hasNotes(columns) ? '<legacyDrawing r:id="rId1"/>' : '';

/** A sheet of texts only: the lines of `README`, the names and values of `_meta`, or the lists of the drop-downs. */
export const createTextSheet = (rows: readonly (readonly string[])[], widths: readonly number[]): string =>
  `${openWorksheet}<cols>${widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>${rows
    .map((values, index) => toTextRowXml(index + 1, values, cellFormats.wrapped))
    .join('')}</sheetData></worksheet>`;
