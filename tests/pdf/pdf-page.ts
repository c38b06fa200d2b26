import { openPdf } from '../../plugins/tour/web/admin/stores/pdf/open-pdf.ts';

export interface DrawnPdf {
  readonly problem?: string;
  readonly pages?: number;
  readonly width?: number;
  readonly height?: number;
  /** The PNG file, in base64. */
  readonly picture?: string;
}

/** Renders the first page of the PDF at a URL, as the dialog does. */
async function drawPdf(url: string): Promise<DrawnPdf> {
  const file = new File([await (await fetch(url)).blob()], 'Sheet.pdf');
  const { signal } = new AbortController();
  const pdf = await openPdf(file);
  if ('problem' in pdf) return pdf;
  await pdf.drawThumbnail(1, document.createElement('canvas'), 240, signal);
  const pdfPicture = await pdf.render(1, signal);
  pdf.close();
  if ('problem' in pdfPicture) return pdfPicture;
  const bytes = new Uint8Array(await pdfPicture.file.arrayBuffer());
  const picture = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return { pages: pdf.pageCount, width: pdfPicture.width, height: pdfPicture.height, picture };
}
Object.assign(globalThis, { drawPdf });
