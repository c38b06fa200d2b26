import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { fileType, mandatory } from '#core';
import { Field, MessageBar, MessageBarBody, ProgressBar } from '#core/ui';
import { FileChoice, FormDialog, useAdminStyles } from '#core/ui-data';
import { HttpClient, sendFiles, useService, useText, useUnsavedWork } from '#core/web';
import type { ContentDeck } from '../../../../contract/api/tour-content.ts';
import { loadCurrentDeck } from '../../stores/load-current-deck.ts';
import type { PdfProblem } from '../../stores/pdf/pdf-file.ts';
import { usePdf, type OpenPdf } from '../../stores/pdf/use-pdf.ts';
import { PdfPages } from './pdf-pages.tsx';
import type { PlanDialogProps } from './place-plan-dialog.tsx';

const acceptedTypes = ['png', 'jpg', 'jpeg', 'webp', 'pdf'];
const isPdf = ({ name }: File): boolean => /\.pdf$/i.test(name);
const pdfProblems: Readonly<Record<PdfProblem, string>> = {
  encrypted: 'tour.plan.pdf.encrypted',
  damaged: 'tour.plan.pdf.damaged',
  empty: 'tour.plan.pdf.empty',
  tooLarge: 'tour.plan.pdf.tooLarge',
};

type Progress = { readonly step: 'drawing' } | { readonly step: 'sending'; readonly fraction: number };

/** Uploads an image or a page of a PDF as the plan of a deck. Closing the dialog aborts the upload. */
export const PlanUploadDialog = observer(function PlanUploadDialog({
  location,
  deck,
  onClose,
  onSaved,
  openPdf,
}: PlanDialogProps & { readonly openPdf?: OpenPdf }) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const [file, setFile] = useState<File>();
  const [fileError, setFileError] = useState<string>();
  const [page, setPage] = useState(1);
  const [progress, setProgress] = useState<Progress>();
  const [reducedSize, setReducedSize] = useState<{ readonly width: number; readonly height: number }>();
  const [failure, setFailure] = useState<unknown>();
  const [theirs, setTheirs] = useState<ContentDeck>();
  const [pageProblem, setPageProblem] = useState<PdfProblem>();
  const { pdf, opening, ...pdfState } = usePdf(file && isPdf(file) ? file : undefined, openPdf);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const busy = progress !== undefined;
  useUnsavedWork(busy, 'tour.plan');

  const choose = ([chosen]: readonly File[]): void => {
    const error = fileType(acceptedTypes)(chosen);
    setFileError(error?.message);
    setFile(error ? undefined : chosen);
    setPage(1);
    setFailure(undefined);
    setPageProblem(undefined);
    setReducedSize(undefined);
  };
  /** Returns the file to upload. A page of a PDF is drawn as an image. Undefined if drawing fails. */
  const prepare = async (chosenFile: File, signal: AbortSignal): Promise<File | undefined> => {
    if (!pdf) return chosenFile;
    setProgress({ step: 'drawing' });
    const picture = await pdf.render(page, signal);
    if ('problem' in picture) {
      setPageProblem(picture.problem);
      return undefined;
    }
    setReducedSize(picture.reduced ? picture : undefined);
    return picture.file;
  };
  const upload = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || opening) return;
    if (!file) return setFileError(fileError ?? mandatory('')?.message);
    if (isPdf(file) && !pdf) return;
    abort.current = new AbortController();
    const { signal } = abort.current;
    const base = theirs ?? deck;
    setFailure(undefined);
    setPageProblem(undefined);
    try {
      const image = await prepare(file, signal);
      if (!image) return;
      setProgress({ step: 'sending', fraction: 0 });
      const { change } = await sendFiles<{ readonly change: string }>(
        http,
        `/api/tour-content/${encodeURIComponent(location)}/decks/${encodeURIComponent(deck.uid)}/plan`,
        [image],
        {
          query: { version: String(base.version) },
          signal,
          onProgress: (fraction) => setProgress({ step: 'sending', fraction }),
        },
      );
      onSaved(change);
      onClose();
    } catch (cause) {
      if (signal.aborted) return;
      try {
        const currentDeck = await loadCurrentDeck(cause, http, location, base);
        if (currentDeck) setTheirs(currentDeck);
        else setFailure(cause);
      } catch (loadFailure) {
        setFailure(loadFailure);
      }
    } finally {
      if (!signal.aborted) setProgress(undefined);
    }
  };
  const close = (): void => {
    abort.current.abort();
    onClose();
  };
  const problem = pageProblem ?? pdfState.problem;
  return (
    <FormDialog
      title={t('tour.plan.uploadTitle', { deck: deck.name })}
      action={t(theirs ? 'tour.plan.uploadMine' : 'tour.plan.upload')}
      busy={busy}
      failure={failure ?? pdfState.failure}
      onSubmit={(event) => void upload(event)}
      onClose={close}
    >
      <div role="alert">
        {problem ? (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{t(pdfProblems[problem])}</MessageBarBody>
          </MessageBar>
        ) : null}
        {theirs ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t('tour.plan.uploadConflict')}</MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      {(theirs ?? deck).plan ? <p className={styles.note}>{t('tour.plan.replaces')}</p> : null}
      <Field {...(fileError === undefined ? {} : { validationState: 'error', validationMessage: t(fileError) })}>
        <FileChoice
          files={file ? [file] : []}
          accept={acceptedTypes.map((type) => `.${type}`).join()}
          disabled={busy}
          hint={t('tour.plan.fileHint')}
          onChange={choose}
        />
      </Field>
      {opening ? (
        <Field label={t('tour.plan.opening')}>
          <ProgressBar />
        </Field>
      ) : null}
      {pdf ? <PdfPages pdf={pdf} page={page} disabled={busy} onChoose={setPage} /> : null}
      {progress ? (
        <Field
          label={
            progress.step === 'drawing'
              ? t('tour.plan.drawing')
              : progress.fraction < 1
                ? t('tour.plan.sending', { fraction: progress.fraction })
                : t('tour.plan.checking')
          }
        >
          <ProgressBar
            {...(progress.step === 'sending' && progress.fraction < 1 ? { value: progress.fraction } : {})}
          />
        </Field>
      ) : null}
      {reducedSize ? (
        <p className={styles.note} role="status">
          {t('tour.plan.reduced', { width: reducedSize.width, height: reducedSize.height })}
        </p>
      ) : null}
    </FormDialog>
  );
});
