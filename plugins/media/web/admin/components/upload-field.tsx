import { useEffect, useRef, useState } from 'react';
import { Button, MessageBar, MessageBarActions, MessageBarBody, ProgressBar } from '#core/ui';
import { FileChoice, useAdminStyles } from '#core/ui-data';
import { ApiError, useFormatFailure, useText, useUnsavedWork } from '#core/web';

export interface UploadFieldProps {
  readonly accept: string;
  readonly hint: string;
  readonly disabled?: boolean;
  /** Called once at a time. Rejects with `ApiError`. */
  readonly onUpload: (
    file: File,
    options: { readonly signal: AbortSignal; readonly onProgress: (fraction: number) => void },
  ) => Promise<void>;
}

/** Uploads one file at once when it is chosen, with progress, cancelling, and another try after a lost connection. */
export function UploadField({ accept, hint, disabled = false, onUpload }: UploadFieldProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formatFailure = useFormatFailure();
  const [progress, setProgress] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const [retry, setRetry] = useState<File>();
  const [uploads, setUploads] = useState(0);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  useUnsavedWork(progress !== undefined, 'media.upload');

  const upload = async (file: File): Promise<void> => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setFailure(undefined);
    setProgress(0);
    try {
      await onUpload(file, { signal, onProgress: setProgress });
      setRetry(undefined);
    } catch (cause) {
      if (signal.aborted) return;
      setFailure(cause);
      // The same file would be refused again.
      setRetry(cause instanceof ApiError && [400, 413].includes(cause.status) ? undefined : file);
    } finally {
      setProgress(undefined);
      setUploads((count) => count + 1);
    }
  };
  return (
    <>
      <FileChoice
        // The same file can be chosen again.
        key={uploads}
        files={[]}
        accept={accept}
        disabled={disabled || progress !== undefined}
        hint={hint}
        onChange={([file]) => file && void upload(file)}
      />
      <div role="status">
        {progress === undefined ? null : (
          <>
            <ProgressBar value={progress} aria-label={t('media.upload.sending', { fraction: progress })} />
            <span className={styles.note}>{t('media.upload.sending', { fraction: progress })}</span>{' '}
            <Button onClick={() => abort.current.abort()}>{t('media.upload.cancel')}</Button>
          </>
        )}
      </div>
      <div role="alert">
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
            {retry ? (
              <MessageBarActions>
                <Button onClick={() => void upload(retry)}>{t('core.tryAgain')}</Button>
              </MessageBarActions>
            ) : null}
          </MessageBar>
        )}
      </div>
    </>
  );
}
