import {
  getDocument,
  InvalidPDFException,
  PDFWorker,
  VerbosityLevel,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { listPageScales } from './page-scales.ts';
import type { PdfFailure, PdfFile, PdfPicture } from './pdf-file.ts';

/** Limited because the whole file is in the memory of the page and of the worker. */
const maxPdfBytes = 256 * 1024 * 1024;

/**
 * Opens a PDF in a web worker, without `eval`, WebAssembly or other origins. Missing fonts are
 * replaced by fonts of the device. Rejects if the reader itself fails.
 */
export async function openPdf(file: File): Promise<PdfFile | PdfFailure> {
  if (file.size === 0) return { problem: 'empty' };
  if (file.size > maxPdfBytes) return { problem: 'tooLarge' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const port = new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' });
  const worker = PDFWorker.create({ port });
  const task = getDocument({
    data: bytes,
    worker,
    isEvalSupported: false,
    useWasm: false,
    // pdf.js appends a file name. In the query, the server ignores it.
    wasmUrl: `${new URL('./jpeg2000.worker.ts', import.meta.url).href}?/`,
    verbosity: VerbosityLevel.ERRORS,
  });
  const close = (): void => {
    void task.destroy();
    worker.destroy();
    port.terminate();
  };
  try {
    const document = await Promise.race([task.promise, rejectOnError(port)]);
    if (document.numPages > 0) return createPdfFile(document, file.name.replace(/\.pdf$/i, ''), close);
    close();
    return { problem: 'empty' };
  } catch (cause) {
    close();
    return toPdfFailure(cause);
  }
}

function createPdfFile(document: PDFDocumentProxy, name: string, close: () => void): PdfFile {
  let previous: Promise<unknown> = Promise.resolve();
  return {
    pageCount: document.numPages,
    drawThumbnail: (number, canvas, longerEdge, signal) => {
      const drawNext = async (): Promise<void> => {
        if (signal.aborted) return;
        const page = await document.getPage(number);
        const { width, height } = page.getViewport({ scale: 1 });
        await drawPage(page, longerEdge / Math.max(width, height), canvas, signal);
      };
      const drawing = previous.then(drawNext);
      previous = drawing.catch(() => undefined);
      return drawing;
    },
    render: async (number, signal) => {
      try {
        return await renderPage(await document.getPage(number), `${name}-${number}.png`, signal);
      } catch (cause) {
        return toPdfFailure(cause);
      }
    },
    close,
  };
}

/** Draws smaller and smaller pictures until one is not empty, because browsers do not report too large canvases. */
async function renderPage(page: PDFPageProxy, name: string, signal: AbortSignal): Promise<PdfPicture | PdfFailure> {
  const { width, height } = page.getViewport({ scale: 1 });
  const scales = listPageScales(width, height);
  for (const [index, scale] of scales.entries()) {
    const canvas = document.createElement('canvas');
    try {
      signal.throwIfAborted();
      if (!resizeCanvas(canvas, width * scale, height * scale)) continue;
      await drawPage(page, scale, canvas, signal);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      if (!blob) continue;
      const file = new File([blob], name, { type: 'image/png' });
      return { file, width: canvas.width, height: canvas.height, reduced: index > 0 };
    } finally {
      // Safari frees the memory of a removed canvas late, so the canvas is emptied.
      canvas.width = 0;
      canvas.height = 0;
    }
  }
  return { problem: scales.length === 0 ? 'empty' : 'tooLarge' };
}

async function drawPage(
  page: PDFPageProxy,
  scale: number,
  canvas: HTMLCanvasElement,
  signal: AbortSignal,
): Promise<void> {
  const viewport = page.getViewport({ scale });
  resizeCanvas(canvas, viewport.width, viewport.height);
  const task = page.render({ canvas, viewport });
  const cancel = (): void => task.cancel();
  signal.addEventListener('abort', cancel);
  try {
    await task.promise;
  } finally {
    signal.removeEventListener('abort', cancel);
    page.cleanup();
  }
}

/** Resizes a canvas. Returns false if the browser cannot draw in a canvas of this size. */
function resizeCanvas(canvas: HTMLCanvasElement, width: number, height: number): boolean {
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  // Same options as in pdf.js, which gets the same context.
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!context) return false;
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data[0] === 255;
}

function rejectOnError(port: Worker): Promise<never> {
  const failure = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new Error('The worker that reads PDFs could not be loaded.')));
  });
  failure.catch(() => undefined);
  return failure;
}

/**
 * Returns a failure that the file causes.
 *
 * @throws any other failure
 */
function toPdfFailure(cause: unknown): PdfFailure {
  // pdf.js does not export this class.
  if (cause instanceof Error && cause.name === 'PasswordException') return { problem: 'encrypted' };
  if (cause instanceof InvalidPDFException) return { problem: 'damaged' };
  throw cause;
}
