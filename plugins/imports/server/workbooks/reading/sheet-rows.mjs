// Reads the rows of a worksheet as a stream.
import { WorkbookError } from '../ooxml/workbook-error.mjs';
import { decodeCellText, parseXmlStream, toColumnNumber, toLocalName } from '../ooxml/xml.mjs';
import { parseIsoCell, toDate } from './dates.mjs';

const maxRow = 1_048_576;
/** Protects memory: rows are dense arrays. */
const maxColumns = 1000;

/**
 * Yields `{ row, hidden, cells, hiddenColumns }` of rows that are not blank, in the order of the file. `hiddenColumns`
 * has the first and last index of each range of hidden columns; it is missing if there are none.
 *
 * @throws WorkbookError
 */
export async function* readSheetRows(zip, part, book) {
  const reader = new SheetReader(book);
  for await (const _ of parseXmlStream(await zip.stream(part), reader.handlers)) {
    if (reader.rows.length === 0) continue;
    const rows = reader.rows;
    reader.rows = [];
    yield* rows;
  }
}

class SheetReader {
  rows = [];
  #book;
  #row = 0;
  #hidden = false;
  #hiddenColumns = [];
  #cells;
  #column = 0;
  #cell;
  /** The property of `#cell` that the text of the present element belongs to. */
  #textTarget;
  #phonetic = false;

  constructor(book) {
    this.#book = book;
  }

  handlers = {
    open: (name, attributes) => this.#open(toLocalName(name), attributes),
    text: (text) => {
      if (this.#textTarget !== undefined && !this.#phonetic) this.#cell[this.#textTarget] += text;
    },
    close: (name) => this.#close(toLocalName(name)),
  };

  #open(local, attributes) {
    if (local === 'row') this.#openRow(attributes);
    else if (local === 'col') this.#openColumns(attributes);
    else if (local === 'c' && this.#cells) this.#openCell(attributes);
    else if (!this.#cell) return;
    else if (local === 'v') [this.#textTarget, this.#cell.cached] = ['value', true];
    else if (local === 'f') this.#cell.formula = true;
    else if (local === 'rPh') this.#phonetic = true;
    else if (local === 't') [this.#textTarget, this.#cell.cached] = ['inline', true];
  }

  #openColumns({ min, max, hidden }) {
    if (isTrue(hidden)) this.#hiddenColumns.push([Number(min) - 1, Number(max) - 1]);
  }

  #openRow({ r, hidden }) {
    const row = r === undefined ? this.#row + 1 : Number(r);
    if (!Number.isInteger(row) || row <= this.#row || row > maxRow)
      throw new WorkbookError('imports.refused.workbookDamaged', {}, { cause: `row ${r}` });
    this.#row = row;
    this.#hidden = isTrue(hidden);
    this.#cells = [];
    this.#column = 0;
  }

  #openCell({ r, t = 'n', s }) {
    const letters = r === undefined ? undefined : /^([A-Z]{1,3})(\d+)$/.exec(r);
    if (r !== undefined && Number(letters?.[2]) !== this.#row)
      throw new WorkbookError('imports.refused.workbookDamaged', {}, { cause: `cell ${r} in row ${this.#row}` });
    this.#column = letters ? toColumnNumber(letters[1]) : this.#column + 1;
    this.#cell = { type: t, format: Number(s ?? 0), value: '', inline: '', formula: false, cached: false };
  }

  #close(local) {
    if (local === 'v' || local === 't') this.#textTarget = undefined;
    else if (local === 'rPh') this.#phonetic = false;
    else if (local === 'c' && this.#cell) this.#closeCell();
    else if (local === 'row' && this.#cells) {
      const hiddenColumns = this.#hiddenColumns.length > 0 ? { hiddenColumns: this.#hiddenColumns } : {};
      if (this.#cells.length > 0)
        this.rows.push({ row: this.#row, hidden: this.#hidden, cells: this.#cells, ...hiddenColumns });
      this.#cells = undefined;
    }
  }

  #closeCell() {
    const value = toValue(this.#cell, this.#book);
    this.#cell = undefined;
    if (value === null) return;
    if (this.#column > maxColumns) throw new WorkbookError('imports.refused.workbookColumns', { most: maxColumns });
    const cells = this.#cells;
    while (cells.length < this.#column - 1) cells.push(null);
    cells[this.#column - 1] = value;
  }
}

const isTrue = (attribute) => attribute === '1' || attribute === 'true';

const unreadable = { error: 'UNREADABLE' };
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The value of a cell; null if it is empty, `{ error }` if it cannot be read exactly. */
function toValue({ type, format, value, inline, formula, cached }, { strings, numberFormats, is1904 }) {
  if (formula && !cached) return { error: 'NOT_CALCULATED' };
  switch (type) {
    case 's': {
      if (value === '') return null;
      const text = /^\s*\d+\s*$/.test(value) ? strings[Number(value)] : undefined;
      return text === undefined ? unreadable : text || null;
    }
    case 'str':
      return decodeCellText(value) || null;
    case 'inlineStr':
      return decodeCellText(inline || value) || null;
    case 'b':
      return toBoolean(value.trim());
    case 'e':
      return { error: value.trim() || 'UNREADABLE' };
    case 'd':
      return toIsoDate(value.trim());
    case 'n':
      return toNumber(value.trim(), numberFormats[format] ?? {}, is1904);
    default:
      return unreadable;
  }
}

function toIsoDate(value) {
  if (value === '') return null;
  const date = parseIsoCell(value);
  if (!date) return { error: 'BAD_DATE' };
  return value.includes('T') ? date : { day: date };
}

function toBoolean(value) {
  if (value === '') return null;
  if (value === '1' || value === 'true') return true;
  return value === '0' || value === 'false' ? false : unreadable;
}

function toNumber(value, { isDate = false, isDay = false, isPercent = false, digits = 0 }, is1904) {
  if (value === '') return null;
  const number = Number(value);
  if (!decimal.test(value) || !Number.isFinite(number)) return unreadable;
  if (isDate) {
    const date = toDate(number, is1904);
    if (!date) return { error: 'BAD_DATE' };
    return isDay && Number.isInteger(number) ? { day: date } : date;
  }
  if (!isExactInteger(value, number)) return { error: 'NOT_EXACT' };
  if (isPercent) return { percent: number };
  // A whole number that is shown with leading zeros is read as text, because it is a code. Columns of numbers parse it
  // to the same number.
  const shownText = Number.isSafeInteger(number) && number >= 0 ? String(number).padStart(digits, '0') : '';
  return shownText.startsWith('0') && shownText.length > 1 ? shownText : number;
}

/** Whether the number still has the digits of the text. Spreadsheets write long numbers with at most 17 digits. */
function isExactInteger(value, number) {
  if (Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(value)) return true;
  return BigInt(value) === BigInt(number) || BigInt(value) === BigInt(toDigits(number));
}

const toDigits = (number) => (Math.abs(number) < 1e21 ? String(number) : number);
