// Helpers for XML that is read and written as a stream.
import { SaxesParser } from 'saxes';
import { WorkbookError } from './workbook-error.mjs';

/** The name without its namespace prefix. */
export const toLocalName = (name) => name.slice(name.indexOf(':') + 1);

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\r': '&#13;', '\t': '&#9;' };
export const escapeText = (text) => text.replaceAll(/[&<>\r]/g, (character) => entities[character]);
export const escapeAttribute = (text) =>
  /[&<>"\n\r\t]/.test(text) ? text.replaceAll(/[&<>"\n\r\t]/g, (character) => entities[character]) : text;

/**
 * Characters that XML 1.0 cannot contain, and text that looks like an escape. They are written as `_xHHHH_` (ECMA-376,
 * 22.9.2.19).
 */
const notInXml = /_(?=x[0-9A-Fa-f]{4}_)|(?![\t\n])\p{Cc}(?<![\u{7f}-\u{9f}])|[\u{fffe}\u{ffff}]|\p{Surrogate}/gu;
const toEscape = (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
export const encodeCellText = (text) => escapeText(text.replaceAll(notInXml, toEscape));
export const decodeCellText = (text) =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** Parses `A` to 1, `XFD` to 16384. */
export function toColumnNumber(letters) {
  let column = 0;
  for (const letter of letters) column = column * 26 + (letter.charCodeAt(0) & 31);
  return column;
}

/** Formats 1 as `A`. */
export function toColumnLetters(column) {
  let [letters, rest] = ['', column];
  for (; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/**
 * Parses a stream of bytes. Calls `{ open(name, attributes), text(text), close(name) }`, and yields after each chunk,
 * so that the consumer determines the pace. Document types are refused: they can define entities.
 *
 * @throws WorkbookError
 */
export async function* parseXmlStream(stream, handlers) {
  const parser = createParser(handlers);
  let decoder;
  try {
    for await (const chunk of stream) {
      decoder ??= new TextDecoder(chunk[0] === 0xff || chunk[1] === 0 ? 'utf-16le' : 'utf-8', { fatal: true });
      parser.write(decoder.decode(chunk, { stream: true }));
      yield;
    }
    parser.write(decoder?.decode() ?? '');
    parser.close();
  } catch (cause) {
    throw cause instanceof WorkbookError ? cause : new WorkbookError('imports.refused.workbookDamaged', {}, { cause });
  }
  yield;
}

/** Parses a short text. @throws WorkbookError */
export function parseXml(text, handlers) {
  try {
    createParser(handlers)
      .write(text.replace(/^\u{feff}/u, ''))
      .close();
  } catch (cause) {
    throw cause instanceof WorkbookError ? cause : new WorkbookError('imports.refused.workbookDamaged', {}, { cause });
  }
}

function createParser({ open, text, close }) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new WorkbookError('imports.refused.workbookDamaged', {}, { cause: 'document type' });
  });
  if (open) parser.on('opentag', (tag) => open(tag.name, tag.attributes));
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  if (close) parser.on('closetag', (tag) => close(tag.name));
  return parser;
}
