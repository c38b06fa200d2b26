import { useEffect, useRef, useState } from 'react';
import type { PdfFailure, PdfFile, PdfProblem } from './pdf-file.ts';

export type OpenPdf = (file: File) => Promise<PdfFile | PdfFailure>;

/** Loads the PDF reader on demand, because few people need it. */
const openLazily: OpenPdf = async (file) => (await import('./open-pdf.ts')).openPdf(file);

export interface PdfState {
  readonly pdf: PdfFile | undefined;
  readonly opening: boolean;
  readonly problem: PdfProblem | undefined;
  /** Why the reader of PDFs failed or could not be loaded. */
  readonly failure: unknown;
}

const closedState: PdfState = { pdf: undefined, opening: false, problem: undefined, failure: undefined };

/** Opens a PDF and closes the previous one. Without a file, only closes. */
export function usePdf(file: File | undefined, open: OpenPdf = openLazily): PdfState {
  const [state, setState] = useState<PdfState & { readonly file?: File | undefined }>(closedState);
  const openRef = useRef(open);
  useEffect(() => {
    if (!file) return undefined;
    let openedPdf: PdfFile | undefined;
    let isClosed = false;
    openRef
      .current(file)
      .then((result) => {
        const pdf = 'problem' in result ? undefined : result;
        if (isClosed) return pdf?.close();
        openedPdf = pdf;
        setState({ ...closedState, file, pdf, problem: 'problem' in result ? result.problem : undefined });
      })
      .catch((failure: unknown) => {
        if (!isClosed) setState({ ...closedState, file, failure });
      });
    return () => {
      isClosed = true;
      openedPdf?.close();
    };
  }, [file]);
  if (!file) return closedState;
  return state.file === file ? state : { ...closedState, opening: true };
}
