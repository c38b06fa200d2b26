import { useEffect, useId, useRef, useState } from 'react';
import type { LocationNode } from '#core';
import { Button, makeStyles, MessageBar, MessageBarActions, MessageBarBody, ProgressBar, tokens } from '#core/ui';
import { FileChoice, useAdminStyles } from '#core/ui-data';
import { ApiError, useFormatFailure, useText, useUnsavedWork } from '#core/web';
import type { LocationPictures, PictureKind } from '../../../contract/index.ts';
import { decodePicture } from '../stores/crop.ts';
import { readPictureConflict, type PictureMutations } from '../stores/picture-mutations.ts';
import { CropDialog } from './crop-dialog.tsx';

const useStyles = makeStyles({
  root: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: tokens.spacingVerticalS,
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold, outlineStyle: 'none' },
  preview: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  icon: {
    width: '96px',
    height: '96px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground4,
  },
});

/** The sizes that screens show, in pixels. */
const sizes = { icon: { width: 250, height: 250 }, navigationImage: { width: 1980, height: 1080 } } as const;

export interface PictureFieldProps {
  readonly kind: PictureKind;
  readonly location: LocationNode;
  readonly pictures: LocationPictures;
  readonly mutations: PictureMutations;
}

/** Uploads, replaces or removes one picture of a location. The navigation image is shown by its editor. */
export function PictureField({ kind, location, pictures, mutations }: PictureFieldProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const formatFailure = useFormatFailure();
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [progress, setProgress] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const [fileToRetry, setFileToRetry] = useState<File>();
  const [removing, setRemoving] = useState(false);
  const [pictureToCrop, setPictureToCrop] = useState<{ readonly file: File; readonly picture: ImageBitmap }>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  useUnsavedWork(progress !== undefined, 'locations.picture');
  const url = pictures[kind];
  const target = { uid: location.uid, name: location.name, version: pictures.version };

  const size = sizes[kind];

  /**
   * Uploads a picture that already has the size, and opens the crop dialog for other sizes. A picture that cannot be
   * decoded is uploaded, too, because the server reports the reason.
   */
  const choose = async (file: File): Promise<void> => {
    const picture = await decodePicture(file);
    if (picture === undefined || (picture.width === size.width && picture.height === size.height)) await upload(file);
    else setPictureToCrop({ file, picture });
  };
  const upload = async (file: File): Promise<void> => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setFailure(undefined);
    setProgress(0);
    try {
      await mutations.save(target, kind, file, { signal, onProgress: setProgress });
      setFileToRetry(undefined);
    } catch (cause) {
      if (signal.aborted) return;
      setFailure(cause);
      // The same file would be refused again.
      setFileToRetry(cause instanceof ApiError && [400, 413].includes(cause.status) ? undefined : file);
    } finally {
      setProgress(undefined);
    }
  };
  const remove = async (): Promise<void> => {
    setFailure(undefined);
    setFileToRetry(undefined);
    setRemoving(true);
    try {
      await mutations.delete(target, kind);
      // The focused button was removed with the picture.
      heading.current?.focus();
    } catch (cause) {
      setFailure(cause);
    } finally {
      setRemoving(false);
    }
  };
  return (
    <section className={styles.root} aria-labelledby={titleId}>
      <h4 id={titleId} ref={heading} tabIndex={-1} className={styles.title}>
        {t(`locations.pictures.${kind}`)}
      </h4>
      <div className={styles.preview}>
        {url === null ? (
          <p className={adminStyles.note}>{t('locations.pictures.none')}</p>
        ) : (
          <>
            {kind === 'icon' ? (
              <img
                key={url}
                className={styles.icon}
                src={url}
                alt={t('locations.pictures.iconOf', { name: location.name })}
                width={250}
                height={250}
              />
            ) : null}
            <Button disabledFocusable={removing || progress !== undefined} onClick={() => void remove()}>
              {t(`locations.pictures.remove.${kind}`)}
            </Button>
          </>
        )}
      </div>
      <FileChoice
        // A new key remounts the input, so that the same file can be chosen again.
        key={`${url} ${String(failure === undefined)} ${String(pictureToCrop === undefined)}`}
        files={[]}
        accept="image/jpeg,image/png,image/webp"
        disabled={progress !== undefined}
        hint={t(`locations.pictures.hint.${kind}`)}
        onChange={([file]) => file && void choose(file)}
      />
      <div role="status">
        {progress === undefined ? null : (
          <>
            <ProgressBar value={progress} aria-label={t('locations.pictures.sending', { fraction: progress })} />
            <span className={adminStyles.note}>{t('locations.pictures.sending', { fraction: progress })}</span>{' '}
            <Button onClick={() => abort.current.abort()}>{t('locations.pictures.cancel')}</Button>
          </>
        )}
      </div>
      <div role="alert">
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>
              {readPictureConflict(failure) ? t('locations.pictures.conflict') : formatFailure(failure)}
            </MessageBarBody>
            {fileToRetry ? (
              <MessageBarActions>
                <Button onClick={() => void upload(fileToRetry)}>{t('core.tryAgain')}</Button>
              </MessageBarActions>
            ) : null}
          </MessageBar>
        )}
      </div>
      {pictureToCrop ? (
        <CropDialog
          {...pictureToCrop}
          title={t('locations.crop.title', { name: location.name })}
          size={size}
          onCrop={(file) => {
            setPictureToCrop(undefined);
            void upload(file);
          }}
          onClose={() => setPictureToCrop(undefined)}
        />
      ) : null}
    </section>
  );
}
