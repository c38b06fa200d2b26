import { decodePDFRawStream, PDFArray, PDFRawStream, type PDFPage } from 'pdf-lib';

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** A JPEG of one grey dot. */
export const greyDot = bytesOf(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
);

/** The texts that are drawn with fonts, in their order. */
export function textsOf(page: PDFPage): readonly string[] {
  // The standard fonts of a PDF have the letters of this encoding.
  const decoder = new TextDecoder('windows-1252');
  const contents = page.node.Contents();
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((each) => page.doc.context.lookup(each)) : [contents];
  const operators = streams
    .map((stream) => (stream instanceof PDFRawStream ? decoder.decode(decodePDFRawStream(stream).decode()) : ''))
    .join('\n');
  return [...operators.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex = '']) =>
    decoder.decode(Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16))),
  );
}
