import {
  getDocument,
  InvalidPDFException,
  PDFWorker,
  VerbosityLevel,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { listPageScales } from './page-scales.ts';
import { maxPdfBytes, PdfError, type PdfFile, type PdfPicture } from './pdf-file.ts';

const createPdfWorker = (): Worker => new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' });

/**
 * Opens a PDF in a web worker, without `eval`, WebAssembly and other origins. Fonts that the PDF does not contain are
 * those of the device.
 *
 * @param createWorker returns undefined to read in this thread
 * @throws PdfError
 */
export async function openPdf(file: File, createWorker: () => Worker | undefined = createPdfWorker): Promise<PdfFile> {
  if (file.size === 0) throw new PdfError('empty');
  if (file.size > maxPdfBytes) throw new PdfError('tooLarge');
  const data = new Uint8Array(await file.arrayBuffer());
  const port = createWorker();
  const worker = port && PDFWorker.create({ port });
  const task = getDocument({
    data,
    ...(worker ? { worker } : {}),
    isEvalSupported: false,
    useWasm: false,
    // pdf.js appends the name of its own file, which the server ignores in the query.
    wasmUrl: `${new URL('./jpeg2000.worker.ts', import.meta.url).href}?/`,
    verbosity: VerbosityLevel.ERRORS,
  });
  const close = (): void => {
    void task.destroy();
    worker?.destroy();
    port?.terminate();
  };
  try {
    const document = await Promise.race([task.promise, ...(port ? [rejectOnError(port)] : [])]);
    if (document.numPages === 0) throw new PdfError('empty');
    return createPdfFile(document, file.name.replace(/\.pdf$/i, ''), close);
  } catch (cause) {
    close();
    throw toPdfError(cause);
  }
}

function createPdfFile(document: PDFDocumentProxy, name: string, close: () => void): PdfFile {
  let previous: Promise<unknown> = Promise.resolve();
  return {
    pageCount: document.numPages,
    drawThumbnail: (number, canvas, longerEdge, signal) => {
      const drawNext = async (): Promise<void> => {
        if (signal.aborted) return;
        const page = await getPage(document, number);
        const { width, height } = page.getViewport({ scale: 1 });
        await drawPage(page, longerEdge / Math.max(width, height), canvas, signal);
      };
      const drawn = previous.then(drawNext);
      previous = drawn.catch(() => undefined);
      return drawn;
    },
    render: async (number, signal) => renderPage(await getPage(document, number), `${name}-${number}.png`, signal),
    close,
  };
}

/** Draws smaller pictures until one has contents: browsers do not report canvases that are too large. */
async function renderPage(page: PDFPageProxy, name: string, signal: AbortSignal): Promise<PdfPicture> {
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
      // Safari frees the memory of a canvas late.
      canvas.width = 0;
      canvas.height = 0;
    }
  }
  throw new PdfError(scales.length === 0 ? 'empty' : 'tooLarge');
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

/** Returns whether the canvas keeps what is drawn in it. */
function resizeCanvas(canvas: HTMLCanvasElement, width: number, height: number): boolean {
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  // As pdf.js does, which gets the same context.
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!context) return false;
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data[0] === 255;
}

async function getPage(document: PDFDocumentProxy, number: number): Promise<PDFPageProxy> {
  try {
    return await document.getPage(number);
  } catch (cause) {
    throw toPdfError(cause);
  }
}

function rejectOnError(port: Worker): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new Error('The worker that reads PDFs could not be loaded.')));
  });
  failed.catch(() => undefined);
  return failed;
}

/** Only failures that pdf.js attributes to the file become a `PdfError`. */
function toPdfError(cause: unknown): unknown {
  // pdf.js does not export this class.
  if (cause instanceof Error && cause.name === 'PasswordException') return new PdfError('encrypted', cause);
  if (cause instanceof InvalidPDFException) return new PdfError('damaged', cause);
  return cause;
}
