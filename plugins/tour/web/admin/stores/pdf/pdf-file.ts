/** Why a PDF cannot be read: it needs a password, is no valid PDF, has no pages, or is too large. */
export type PdfProblem = 'encrypted' | 'damaged' | 'empty' | 'tooLarge';

/** A failure that the file causes. No class, so that the dialog does not load the reader of PDFs, nor a file with it. */
export interface PdfFailure {
  readonly problem: PdfProblem;
}

export interface PdfPicture {
  readonly file: File;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** True if this device cannot draw it as large as a plan should be. */
  readonly reduced: boolean;
}

/** An opened PDF. Pages are counted from 1. */
export interface PdfFile {
  readonly pageCount: number;
  /** Draws a page into a canvas with this longer edge, pixels. Waits for the previous ones. */
  drawThumbnail(page: number, canvas: HTMLCanvasElement, longerEdge: number, signal: AbortSignal): Promise<void>;
  /** Draws a page as a PNG file. */
  render(page: number, signal: AbortSignal): Promise<PdfPicture | PdfFailure>;
  /** Frees the memory and the worker. */
  close(): void;
}
