/** Why a PDF cannot be read: it requires a password, is invalid, has no pages, or is too large. */
export type PdfProblem = 'encrypted' | 'damaged' | 'empty' | 'tooLarge';

/** A failure caused by the file. Not a class, so that the dialog can import it without the PDF reader. */
export interface PdfFailure {
  readonly problem: PdfProblem;
}

export interface PdfPicture {
  readonly file: File;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** True if this device can draw only a smaller picture than recommended for a plan. */
  readonly reduced: boolean;
}

/** An opened PDF. Pages are counted from 1. */
export interface PdfFile {
  readonly pageCount: number;
  /** Draws a page into a canvas with this longer edge, pixels. Waits for previous pages. */
  drawThumbnail(page: number, canvas: HTMLCanvasElement, longerEdge: number, signal: AbortSignal): Promise<void>;
  /** Draws a page as a PNG file. */
  render(page: number, signal: AbortSignal): Promise<PdfPicture | PdfFailure>;
  /** Frees the memory and the worker. */
  close(): void;
}
