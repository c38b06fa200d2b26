/** Why a PDF cannot be read: it needs a password, is no valid PDF, has no pages, or has more than `maxPdfBytes`. */
export type PdfProblem = 'encrypted' | 'damaged' | 'empty' | 'tooLarge';

export class PdfError extends Error {
  readonly problem: PdfProblem;

  constructor(problem: PdfProblem, cause?: unknown) {
    super(`The PDF cannot be read: ${problem}`, { cause });
    this.problem = problem;
  }
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
  /**
   * Draws a page as a PNG file.
   *
   * @throws PdfError
   */
  render(page: number, signal: AbortSignal): Promise<PdfPicture>;
  /** Frees the memory and the worker. */
  close(): void;
}

/** The whole file is in the memory of the page and of the worker. */
export const maxPdfBytes = 256 * 1024 * 1024;
