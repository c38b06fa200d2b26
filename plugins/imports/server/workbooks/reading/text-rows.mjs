// CSV and JSON of the same shape as a workbook. All values of CSV are text: a decimal comma stays one.
import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import papaparse from 'papaparse';
import { checkFileSize } from './sniff-file.mjs';
import { WorkbookError } from '../ooxml/workbook-error.mjs';

const maxColumns = 1000;
const maxSampleLength = 100_000;
const maxSampleRows = 50;
const punctuationWeight = 0.25;
const maxJsonBytes = 50 * 1024 ** 2;

/**
 * Yields the records of a CSV file. Without `separator`, it is found from the file. Its only sheet has no name; `row`
 * counts records, as a spreadsheet would.
 */
export async function* readCsv(file, separator) {
  const text = await readText(file);
  const { data, errors } = papaparse.parse(text, { delimiter: separator ?? findSeparator(text) });
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) throw new WorkbookError('imports.refused.csvQuotes', { row: (quotes.row ?? 0) + 1 });
  for (const [index, record] of data.entries()) {
    const cells = record.map((cell) => cell || null);
    while (cells.length > 0 && cells.at(-1) === null) cells.pop();
    if (cells.length > maxColumns) throw new WorkbookError('imports.refused.workbookColumns', { most: maxColumns });
    if (cells.length > 0) yield { sheet: '', row: index + 1, hidden: false, cells };
  }
}

/**
 * Finds the separator: the one that a first line `sep=;` names, as spreadsheets do. Otherwise the one that occurs most
 * often in rows with the same number of cells. Titles above the headers, and separators within texts, seldom form such
 * rows. The guess of the library fails on blank lines.
 */
function findSeparator(text) {
  const start = text.slice(0, maxSampleLength).trimStart();
  const namedSeparator = /^"?sep=([;,\t|])"?[ ;,|]*\r?\n/i.exec(start)?.[1];
  if (namedSeparator) return namedSeparator;
  const scores = [';', ',', '\t', '|'].map((delimiter) => {
    const { data } = papaparse.parse(start, { delimiter, preview: maxSampleRows, skipEmptyLines: true });
    const separatorsByLength = new Map();
    for (const cells of data)
      separatorsByLength.set(cells.length, (separatorsByLength.get(cells.length) ?? 0) + countSeparators(cells));
    return { delimiter, score: Math.max(0, ...separatorsByLength.values()) };
  });
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

/**
 * Counts the separators of a row. One before a space, or between digits as in `100,5`, may be punctuation and counts
 * less.
 */
const countSeparators = (cells) =>
  cells.slice(1).reduce((sum, cell, index) => sum + (isPunctuation(cells[index], cell) ? punctuationWeight : 1), 0);
const isPunctuation = (left, right) => /^ \S/.test(right) || (/\d$/.test(left) && /^\d/.test(right));

async function readText(file) {
  checkFileSize((await stat(file)).size);
  const bytes = await readFile(file);
  if (bytes.readUInt16LE(0) === 0x4b50) throw new WorkbookError('imports.refused.csvWorkbook');
  const decoder = new TextDecoder(findEncoding(bytes));
  // In one call, Node 20 and others read Windows-1252 as Latin-1, so that dashes become control characters
  // (nodejs/node#60888). A stream is read by another decoder.
  const text = decoder.decode(bytes, { stream: true }) + decoder.decode();
  if (text.includes('\0')) throw new WorkbookError('imports.refused.csvBinary');
  return text;
}

/**
 * Finds the encoding by the byte order mark, else UTF-8 if valid. Spreadsheets write UTF-16 with a mark, other programs
 * may not.
 */
function findEncoding(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, 1000);
  const zeros = (odd) => head.filter((byte, index) => index % 2 === odd && byte === 0).length;
  if (zeros(1) > head.length / 4 && zeros(0) === 0) return 'utf-16le';
  if (zeros(0) > head.length / 4 && zeros(1) === 0) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/**
 * Yields the rows of `{ sheet: [{ header: value }] }`, or of one list for a sheet without name. The first row of each
 * sheet has the headers; that of an empty list has none. A missing field is read as `{ absent: true }`, unlike an empty
 * one.
 */
export async function* readJson(file) {
  const { size } = await stat(file);
  checkFileSize(size);
  if (size > maxJsonBytes)
    throw new WorkbookError('imports.refused.workbookTooLarge', { megabytes: maxJsonBytes / 1024 ** 2 });
  const content = parseJson(await readFile(file));
  for (const [sheet, objects] of Object.entries(Array.isArray(content) ? { '': content } : (content ?? {}))) {
    if (!Array.isArray(objects) || !objects.every(isObject)) throw new WorkbookError('imports.refused.jsonShape');
    const headers = new Map();
    for (const object of objects)
      for (const key of Object.keys(object)) if (!headers.has(key)) headers.set(key, headers.size);
    if (headers.size > maxColumns) throw new WorkbookError('imports.refused.workbookColumns', { most: maxColumns });
    yield { sheet, row: 1, hidden: false, cells: [...headers.keys()].map((key) => key || null) };
    for (const [index, object] of objects.entries()) {
      const cells = [...headers.keys()].map((key) => (Object.hasOwn(object, key) ? toCell(object[key]) : absentCell));
      if (cells.some((cell) => cell !== null && cell !== absentCell))
        yield { sheet, row: index + 2, hidden: false, cells };
    }
  }
}

const absentCell = { absent: true };
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(bytes) {
  let content;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new WorkbookError('imports.refused.jsonUnreadable', {}, { cause });
  }
  if (!Array.isArray(content) && !isObject(content)) throw new WorkbookError('imports.refused.jsonShape');
  return content;
}

function toCell(value) {
  if (value === undefined || value === null || value === '') return null;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  if (typeof value === 'object') return { error: 'UNREADABLE' };
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return { error: 'NOT_EXACT' };
  return value;
}
