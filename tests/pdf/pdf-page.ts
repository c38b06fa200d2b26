import { openPdf } from '../../plugins/tour/web/admin/stores/pdf/open-pdf.ts';
import { PdfError } from '../../plugins/tour/web/admin/stores/pdf/pdf-file.ts';

export interface DrawnPdf {
  readonly problem?: string;
  readonly pages?: number;
  readonly width?: number;
  readonly height?: number;
  /** The PNG file, in base64. */
  readonly picture?: string;
}

/** Draws the first page of the PDF at an address, as the dialog does. */
async function drawPdf(address: string): Promise<DrawnPdf> {
  const file = new File([await (await fetch(address)).blob()], 'Sheet.pdf');
  const { signal } = new AbortController();
  try {
    const pdf = await openPdf(file);
    await pdf.drawThumbnail(1, document.createElement('canvas'), 240, signal);
    const { file: png, width, height } = await pdf.render(1, signal);
    const bytes = new Uint8Array(await png.arrayBuffer());
    const picture = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    pdf.close();
    return { pages: pdf.pageCount, width, height, picture };
  } catch (cause) {
    return { problem: cause instanceof PdfError ? cause.problem : String(cause) };
  }
}
Object.assign(globalThis, { drawPdf });
