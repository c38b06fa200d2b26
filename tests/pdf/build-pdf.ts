/** A red square of 64 px as JPEG 2000. */
const jpeg2000 = Buffer.from(
  '/0//UQAvAAAAAABAAAAAQAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAAAAADBwEBBwEBBwEB/1IADAACAAEBBQQEAAH/XAATQEBISFBISFBISFBISFBI' +
    'SFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjT/kAAKAAAAAAArAAH/k8+0EAiQim+A34AYAcq/gICAgICAgICAgICAgICA' +
    '/9k=',
  'base64',
);
const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<00> <00>]`;

export interface PdfOptions {
  /** Points. */
  readonly size?: readonly [width: number, height: number];
  readonly contents?: string;
  readonly encrypted?: boolean;
}

/** Builds a PDF of one page, whose resources are the font `F` and the JPEG 2000 picture `I`. */
export function buildPdf({ size = [400, 300], contents = '', encrypted = false }: PdfOptions): Uint8Array {
  const picture = `/Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceRGB /BitsPerComponent 8`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.join(' ')}] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> ` +
      '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
    `<< /Length ${contents.length} >>\nstream\n${contents}\nendstream`,
    `<< ${picture} /Filter /JPXDecode /Length ${jpeg2000.length} >>\nstream\n${jpeg2000.toString('latin1')}\nendstream`,
  ];
  let text = '%PDF-1.5\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R ${encrypted ? encryption : ''} >>`;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${text}${table}trailer ${trailer}\nstartxref\n${text.length}\n%%EOF`, 'latin1');
}
