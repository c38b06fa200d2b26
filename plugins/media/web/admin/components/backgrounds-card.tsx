import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef, useState } from 'react';
import { Button, makeStyles, MessageBar, MessageBarBody, ResourceView, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormatFailure, useText } from '#core/web';
import { maxBackgrounds, maxPictureMegabytes, maxVideoMegabytes, type BackgroundImage } from '#plugins/media';
import type { BackgroundEditor } from '../stores/background-editor.ts';
import { UploadField } from './upload-field.tsx';

const useStyles = makeStyles({
  item: {
    display: 'grid',
    gridTemplateColumns: '240px minmax(0, 1fr)',
    alignItems: 'center',
    gap: tokens.spacingHorizontalL,
    '@media (max-width: 599px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  preview: {
    display: 'block',
    width: '100%',
    aspectRatio: '16 / 9',
    objectFit: 'cover',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground4,
  },
  // The heading is focused only by code, so a focus ring would suggest a control.
  heading: { outlineStyle: 'none' },
});

const acceptedPictures = 'image/jpeg,image/png,image/svg+xml';

export interface BackgroundsCardProps {
  readonly editor: BackgroundEditor;
  readonly title: string;
}

/** Adds, replaces, orders and removes the backgrounds of one screen. */
export const BackgroundsCard = observer(function BackgroundsCard({ editor, title }: BackgroundsCardProps) {
  const t = useText();
  const styles = { ...useAdminStyles(), ...useStyles() };
  const formatFailure = useFormatFailure();
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [fileToReplace, setFileToReplace] = useState<string>();
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => void editor.resource.load(), [editor]);
  const isLogin = editor.kind === 'LOGIN';

  const saveImageList = async (files: readonly string[]): Promise<void> => {
    setFailure(undefined);
    setSaving(true);
    try {
      await editor.saveImageList(files);
    } catch (cause) {
      setFailure(cause);
    } finally {
      setSaving(false);
    }
  };
  const remove = async (images: readonly BackgroundImage[], file: string): Promise<void> => {
    await saveImageList(images.flatMap((image) => (image.file === file ? [] : image.file)));
    // The focused button was removed with its image.
    heading.current?.focus();
  };
  const move = (images: readonly BackgroundImage[], fromIndex: number, toIndex: number): Promise<void> => {
    const files = images.map(({ file }) => file);
    files.splice(toIndex, 0, ...files.splice(fromIndex, 1));
    return saveImageList(files);
  };
  const hint = t(isLogin ? 'media.backgrounds.loginHint' : 'media.backgrounds.hint', {
    count: maxBackgrounds,
    megabytes: maxPictureMegabytes,
    videoMegabytes: maxVideoMegabytes,
  });
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <h2 id={titleId} ref={heading} tabIndex={-1} className={`${styles.name} ${styles.heading}`}>
        {title}
      </h2>
      <div role="alert">
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <ResourceView resource={editor.resource}>
        {({ images }) => (
          <>
            {images.length === 0 ? (
              <p className={styles.note}>{t('media.backgrounds.none')}</p>
            ) : (
              <ol className={styles.list} aria-labelledby={titleId}>
                {images.map(({ file, name, address: url, video: isVideo }, index) => {
                  const label = t('media.backgrounds.image', { number: index + 1, name });
                  return (
                    <li key={file} className={styles.item}>
                      {isVideo ? (
                        <video className={styles.preview} src={url} controls muted aria-label={label} />
                      ) : (
                        <img className={styles.preview} src={url} alt={label} loading="lazy" />
                      )}
                      <div className={styles.form}>
                        <span>{name}</span>
                        <div className={styles.actions} role="group" aria-label={label}>
                          <Button
                            disabledFocusable={saving || index === 0}
                            onClick={() => void move(images, index, index - 1)}
                          >
                            {t('media.backgrounds.moveUp')}
                          </Button>
                          <Button
                            disabledFocusable={saving || index === images.length - 1}
                            onClick={() => void move(images, index, index + 1)}
                          >
                            {t('media.backgrounds.moveDown')}
                          </Button>
                          <Button
                            aria-expanded={fileToReplace === file}
                            onClick={() => setFileToReplace(fileToReplace === file ? undefined : file)}
                          >
                            {t('media.backgrounds.replace')}
                          </Button>
                          <Button disabledFocusable={saving} onClick={() => void remove(images, file)}>
                            {t('media.backgrounds.remove')}
                          </Button>
                        </div>
                        {fileToReplace === file ? (
                          <UploadField
                            accept={isLogin && images.length === 1 ? `${acceptedPictures},video/mp4` : acceptedPictures}
                            hint={t('media.backgrounds.replaceHint', { name })}
                            onUpload={async (chosenFile, options) => {
                              await editor.upload(chosenFile, { ...options, replaces: file });
                              setFileToReplace(undefined);
                            }}
                          />
                        ) : null}
                      </div>
                    </li>
                  );
                })}
              </ol>
            )}
            {images.length >= maxBackgrounds || images.some(({ video }) => video) ? (
              <p className={styles.note}>{t('media.backgrounds.full')}</p>
            ) : (
              <UploadField
                accept={isLogin && images.length === 0 ? `${acceptedPictures},video/mp4` : acceptedPictures}
                hint={hint}
                onUpload={(file, options) => editor.upload(file, options)}
              />
            )}
          </>
        )}
      </ResourceView>
    </section>
  );
});
