// Moves references to cells one column to the right, as a spreadsheet does when a column is inserted before column A.
import { toColumnLetters, toColumnNumber } from '../ooxml/xml.mjs';

const maxColumn = 16_384;

export const shiftColumn = (column) => Math.min(column + 1, maxColumn);

const shiftLetters = (letters) => toColumnLetters(shiftColumn(toColumnNumber(letters)));

/** Moves the ranges of a list such as `A1:B2 C3` or `A:A`. */
export const shiftRanges = (ranges) =>
  ranges.replaceAll(/(\$?)([A-Z]{1,3})(?=\$?\d|:|\b(?!\d))/g, (_, dollar, letters) => dollar + shiftLetters(letters));

const word = String.raw`[A-Za-z_\\\u00c0-\uffff][\w.?\\\u00c0-\uffff]*`;
const tokens = new RegExp(
  [
    String.raw`(?<text>"(?:[^"]|"")*")`,
    String.raw`(?<sheet>'(?:[^']|'')+'!|(?:\[\d+\])?${word}(?::${word})?!)`,
    String.raw`(?<cells>\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?(?![\w.(!]))`,
    String.raw`(?<columns>\$?[A-Z]{1,3}:\$?[A-Z]{1,3}(?![\w.(!]))`,
    String.raw`(?<column>\[(?:[^[\]]|\[[^[\]]*\])*\])`,
    String.raw`(?<name>${word})`,
    String.raw`(?<number>\d[\d.]*(?:E[+-]?\d+)?)`,
    String.raw`(?<other>[\s\S])`,
  ].join('|'),
  'gu',
);

/**
 * Moves the references of a formula to sheets of `shiftedSheets` (names in lower case). References without the name of
 * a sheet are to `sheet`.
 */
export function shiftFormula(formula, sheet, shiftedSheets) {
  let current = sheet.toLowerCase();
  let result = '';
  for (const { 0: token, groups } of formula.matchAll(tokens)) {
    if (groups.sheet) current = toSheetName(groups.sheet);
    result += (groups.cells || groups.columns) && shiftedSheets.has(current) ? shiftRanges(token) : token;
    if (!groups.sheet) current = sheet.toLowerCase();
  }
  return result;
}

/** The name before `!`; that of the first sheet if there are several. Sheets of other workbooks begin with `[`. */
function toSheetName(prefix) {
  const name = prefix.slice(0, -1);
  if (name.startsWith("'")) return name.slice(1, -1).replaceAll("''", "'").toLowerCase();
  return name.split(':')[0].toLowerCase();
}
