import { decodePDFRawStream, PDFArray, PDFRawStream, type PDFPage } from 'pdf-lib';

const fromBase64 = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** A JPEG of one grey pixel. */
export const greyPixelJpeg = fromBase64(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
);

/** The WinAnsi codes that differ from Latin-1, for the letters in the tests. */
const winAnsiLetters: Readonly<Record<string, string>> = { '\x8c': 'Œ', '\x92': '’', '\x9b': '›' };
const decodeLatin1 = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** Reads the texts of a PDF page that are drawn with fonts, in order. */
export function readTexts(page: PDFPage): readonly string[] {
  const contents = page.node.Contents();
  const streams =
    contents instanceof PDFArray
      ? contents.asArray().map((reference) => page.doc.context.lookup(reference))
      : [contents];
  const operators = streams
    .map((stream) => (stream instanceof PDFRawStream ? decodeLatin1(decodePDFRawStream(stream).decode()) : ''))
    .join('\n');
  return [...operators.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex = '']) =>
    decodeLatin1((hex.match(/../g) ?? []).map((byte) => parseInt(byte, 16))).replaceAll(
      /[\x80-\x9f]/g,
      (code) => winAnsiLetters[code] ?? '?',
    ),
  );
}
