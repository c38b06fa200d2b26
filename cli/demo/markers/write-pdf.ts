/** Writes a one-page PDF (A4, Helvetica) with a title and a table of facts. Texts must be in Latin 1. */
export function writePdf(
  title: string,
  subtitle: string,
  facts: readonly (readonly [name: string, value: string])[],
): Uint8Array {
  const formatText = (size: number, x: number, y: number, line: string, font = 'F1'): string =>
    `BT /${font} ${size} Tf ${x} ${y} Td (${line.replace(/[\\()]/g, (sign) => `\\${sign}`)}) Tj ET`;
  const content = [
    formatText(20, 56, 770, title, 'F2'),
    formatText(12, 56, 748, subtitle),
    '0.6 w 56 734 m 539 734 l S',
    ...facts.flatMap(([name, value], row) => [
      formatText(11, 56, 708 - row * 20, name, 'F2'),
      formatText(11, 220, 708 - row * 20, value),
    ]),
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R /Resources << /Font << /F1 4 0 R /F2 5 0 ' +
      'R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const tableOffset = file.length;
  file +=
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f ` +
    `\n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${tableOffset}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
