import { useEffect, useRef, useState } from 'react';
import { Button, MessageBar, MessageBarActions, MessageBarBody, ProgressBar } from '#core/ui';
import { FileChoice, useAdminStyles } from '#core/ui-data';
import { ApiError, useFormatFailure, useText, useUnsavedWork } from '#core/web';

export interface UploadFieldProps {
  readonly accept: string;
  readonly hint: string;
  readonly disabled?: boolean;
  /** Never called during another upload. Rejects with `ApiError`. */
  readonly onUpload: (
    file: File,
    options: { readonly signal: AbortSignal; readonly onProgress: (fraction: number) => void },
  ) => Promise<void>;
}

/** Uploads a file as soon as it is chosen. Shows the progress, and offers to cancel or to retry. */
export function UploadField({ accept, hint, disabled = false, onUpload }: UploadFieldProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formatFailure = useFormatFailure();
  const [progress, setProgress] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const [failedFile, setFailedFile] = useState<File>();
  const [uploadCount, setUploadCount] = useState(0);
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
      setFailedFile(undefined);
    } catch (cause) {
      if (signal.aborted) return;
      setFailure(cause);
      // Offers no retry if the server refused the file itself.
      setFailedFile(cause instanceof ApiError && [400, 413].includes(cause.status) ? undefined : file);
    } finally {
      setProgress(undefined);
      setUploadCount((count) => count + 1);
    }
  };
  return (
    <>
      <FileChoice
        // A new key resets the input, so that the same file can be chosen again.
        key={uploadCount}
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
            {failedFile ? (
              <MessageBarActions>
                <Button onClick={() => void upload(failedFile)}>{t('core.tryAgain')}</Button>
              </MessageBarActions>
            ) : null}
          </MessageBar>
        )}
      </div>
    </>
  );
}
