import { decodePDFRawStream, PDFArray, PDFRawStream, type PDFPage } from 'pdf-lib';

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** A JPEG of one grey dot. */
export const greyDot = bytesOf(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
);

/** Characters of the standard fonts' encoding that Latin-1 lacks. Node decodes windows-1252 as Latin-1. */
const beyondLatin1: Readonly<Record<string, string>> = { '\x8c': 'Œ', '\x92': '’', '\x9b': '›' };

/** The texts that are drawn with fonts, in their order. */
export function textsOf(page: PDFPage): readonly string[] {
  const decoder = new TextDecoder('latin1');
  const contents = page.node.Contents();
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((each) => page.doc.context.lookup(each)) : [contents];
  const operators = streams
    .map((stream) => (stream instanceof PDFRawStream ? decoder.decode(decodePDFRawStream(stream).decode()) : ''))
    .join('\n');
  return [...operators.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex = '']) =>
    decodeLatin1(hex).replaceAll(/[\x80-\x9f]/g, (code) => beyondLatin1[code] ?? code),
  );
}

function decodeLatin1(hex: string): string {
  return String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)));
}
