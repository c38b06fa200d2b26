import { encodeCellText, toColumnLetters } from '../ooxml/xml.mjs';
import type { CellValue } from '../workbook-types.ts';

const dayMs = 86_400_000;
const epoch = Date.UTC(1899, 11, 31);
const march1900 = Date.UTC(1900, 2, 1);
const endOfTime = Date.UTC(10_000, 0, 1);
/** The limit of Excel. */
const maxTextLength = 32_767;

/** Indexes of cell formats in `stylesPart` of `fixed-parts.ts`. */
export const cellFormats = { general: 0, header: 1, text: 2, date: 3, wrapped: 4 } as const;

/** Text that a spreadsheet could take for a formula, or that looks as if it had been neutralized. */
const looksLikeFormula = /^'*[=+\-@\t\r]/;

/** Puts an apostrophe before text that a spreadsheet could take for a formula. Reading takes it away. */
const neutralizeText = (text: string): string => (looksLikeFormula.test(text) ? `'${text}` : text);

/**
 * The XML of a cell, or an empty string for an empty one. Dates before 1900, which spreadsheets do not know, are
 * written as text `YYYY-MM-DD HH:mm`.
 *
 * @throws RangeError if a spreadsheet cannot hold the value
 */
export function toCellXml(row: number, column: number, value: CellValue, format: number): string {
  if (value === null || value === '') return '';
  const start = openCell(row, column, format);
  if (typeof value === 'string') return toTextXml(start, neutralizeText(value));
  if (typeof value === 'boolean') return `${start} t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`A spreadsheet cannot hold the number ${value}.`);
    return `${start}><v>${value}</v></c>`;
  }
  if (value instanceof Date) {
    const serial = toSerial(value);
    return serial === undefined ? toTextXml(start, toWallTime(value)) : `${start}><v>${serial}</v></c>`;
  }
  if (!value.error.startsWith('#')) throw new RangeError(`A spreadsheet has no error ${value.error}.`);
  return `${start} t="e"><v>${encodeCellText(value.error)}</v></c>`;
}

/** The XML of a cell with text of our own, which needs no apostrophe. */
export const toFixedTextXml = (row: number, column: number, text: string, format: number): string =>
  text === '' ? '' : toTextXml(openCell(row, column, format), text);

const openCell = (row: number, column: number, format: number): string =>
  `<c r="${toColumnLetters(column)}${row}"${format === 0 ? '' : ` s="${format}"`}`;

function toTextXml(start: string, text: string): string {
  if (text.length > maxTextLength) throw new RangeError(`A cell holds at most ${maxTextLength} characters.`);
  return `${start} t="inlineStr"><is><t xml:space="preserve">${encodeCellText(text)}</t></is></c>`;
}

/**
 * Days since the epoch of 1900. The system counts 1900-02-29, which did not exist. Undefined if a spreadsheet cannot
 * show the date.
 */
function toSerial(date: Date): number | undefined {
  const ms = date.getTime();
  if (Number.isNaN(ms)) throw new RangeError('A spreadsheet cannot hold an invalid date.');
  if (ms < epoch || ms >= endOfTime) return undefined;
  return (ms - epoch) / dayMs + (ms >= march1900 ? 1 : 0);
}

const toWallTime = (date: Date): string => date.toISOString().slice(0, 16).replace('T', ' ');
