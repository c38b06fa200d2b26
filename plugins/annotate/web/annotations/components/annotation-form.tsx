import { useState, type FormEvent } from 'react';
import { Button, Field, Input, makeStyles, Textarea } from '#core/ui';
import { useService, useText } from '#core/web';
import { AnnotationStore } from '../stores/annotation-store.ts';
import type { ListedAnnotation } from '../stores/annotation-list.ts';

const useStyles = makeStyles({
  form: { display: 'grid', gap: '8px', padding: '4px 0' },
  actions: { display: 'flex', gap: '8px' },
});

/** Edits the name and the text of an annotation. */
export function AnnotationForm({
  annotation,
  onEnd,
}: {
  readonly annotation: ListedAnnotation;
  readonly onEnd: () => void;
}) {
  const styles = useStyles();
  const t = useText();
  const { list } = useService(AnnotationStore);
  const [name, setName] = useState(annotation.name);
  const [text, setText] = useState(annotation.text);
  const isComplete = name.trim() !== '' && (annotation.kind !== 'TEXT_LABEL' || text.trim() !== '');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!isComplete) return;
    void list.change(annotation.uid, { name: name.trim(), text: text.trim() });
    onEnd();
  };
  return (
    <form className={styles.form} onSubmit={save}>
      <Field label={t('annotate.name')}>
        <Input autoFocus maxLength={120} value={name} onChange={(_, { value }) => setName(value)} />
      </Field>
      <Field label={t('annotate.text')}>
        <Textarea maxLength={2000} value={text} onChange={(_, { value }) => setText(value)} />
      </Field>
      <div className={styles.actions}>
        <Button size="small" appearance="primary" type="submit" disabled={!isComplete}>
          {t('annotate.save')}
        </Button>
        <Button size="small" appearance="subtle" onClick={onEnd}>
          {t('annotate.discard')}
        </Button>
      </div>
    </form>
  );
}
