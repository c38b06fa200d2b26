import { useState, type FormEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles, Textarea, tokens } from '#core/ui';
import { BrowserStorage, useFormats, useService, useText } from '#core/web';
import { AnnotationStore } from '../stores/annotation-store.ts';
import type { ListedAnnotation } from '../stores/annotation-list.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gap: '8px', paddingTop: '8px' },
  list: { margin: 0, padding: 0, listStyleType: 'none', display: 'grid', gap: '8px' },
  text: { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' },
  details: { margin: 0, fontSize: tokens.fontSizeBase200, color: tokens.colorNeutralForeground2 },
  form: { display: 'grid', gap: '4px', justifyItems: 'start' },
  field: { width: '100%' },
  failed: { margin: 0, color: tokens.colorPaletteRedForeground1 },
});

interface Draft {
  readonly uid: string;
  readonly text: string;
}

/**
 * Shows the comments of an annotation and a field for a new comment. The draft is saved in the browser's storage, so
 * that it is not lost when the session ends.
 */
export const Comments = observer(function Comments({ annotation }: { readonly annotation: ListedAnnotation }) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats(annotation.location);
  const { list } = useService(AnnotationStore);
  const storage = useService(BrowserStorage);
  const storageKey = `annotate.comment.${annotation.uid}`;
  const [draft, setDraft] = useState<Draft>(
    () => storage.get<Draft>(storageKey) ?? { uid: crypto.randomUUID(), text: '' },
  );
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle');
  const updateDraft = (text: string): void => {
    const changedDraft = { ...draft, text };
    setDraft(changedDraft);
    if (text === '') storage.remove(storageKey);
    else storage.set(storageKey, changedDraft);
  };
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const text = draft.text.trim();
    if (text === '' || state === 'sending') return;
    setState('sending');
    try {
      await list.saveComment(annotation.uid, draft.uid, text);
      storage.remove(storageKey);
      setDraft({ uid: crypto.randomUUID(), text: '' });
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <div className={styles.root}>
      {annotation.comments.length > 0 ? (
        <ul className={styles.list} aria-label={t('annotate.comments', { count: annotation.comments.length })}>
          {annotation.comments.map(({ uid, text, author, createdAt }) => (
            <li key={uid}>
              <p className={styles.details}>{t('annotate.commentBy', { author, at: formats.instant(createdAt) })}</p>
              <p className={styles.text}>{text}</p>
            </li>
          ))}
        </ul>
      ) : null}
      <form className={styles.form} onSubmit={(event) => void send(event)}>
        <Textarea
          className={styles.field}
          aria-label={t('annotate.comment')}
          placeholder={t('annotate.comment')}
          maxLength={2000}
          value={draft.text}
          onChange={(_, { value }) => updateDraft(value)}
        />
        {state === 'failed' ? (
          <p className={styles.failed} role="alert">
            {t('annotate.commentFailed')}
          </p>
        ) : null}
        {/* The server accepts a comment only if it has saved the annotation. */}
        <Button
          size="small"
          type="submit"
          disabled={draft.text.trim() === '' || state === 'sending' || annotation.version === 0}
        >
          {t('annotate.sendComment')}
        </Button>
      </form>
    </div>
  );
});
