import { useState, type FormEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, Input, makeStyles, Switch } from '#core/ui';
import { useService, useText } from '#core/web';
import { AnnotateStrip, useStripStyles } from '../../components/annotate-strip.tsx';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { SyncBadge } from '../../components/sync-note.tsx';
import { clicksByKind } from '../stores/placing.ts';
import { AnnotationIcon } from './icons.tsx';

const useStyles = makeStyles({
  form: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '8px',
    '@media (max-width: 639px)': { width: '100%' },
  },
  text: { width: '260px', maxWidth: '100%', '@media (max-width: 639px)': { flexGrow: 1 } },
  figure: { width: '120px' },
});

/** Instruction for the next click; once the annotation has its points, the form. */
export const AnnotationBar = observer(function AnnotationBar() {
  const styles = useStripStyles();
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const { placing, list } = annotationStore;
  const { tool, points, hover, refused, placed } = placing;
  if (!tool) return null;
  const newest = list.all[0];
  return (
    <AnnotateStrip
      key={tool}
      label={t(`annotate.annotation.${tool}`)}
      icon={<AnnotationIcon kind={tool} />}
      form={placed ? <WordsForm /> : undefined}
      words={
        <>
          <span className={styles.words} role="status">
            {refused
              ? t(`annotate.refusal.${refused}`)
              : t(
                  clicksByKind[tool] === 1
                    ? 'annotate.place.one'
                    : tool === 'RECTANGLE' || tool === 'ELLIPSE'
                      ? 'annotate.place.box'
                      : tool === 'ARROW'
                        ? 'annotate.place.arrow'
                        : 'annotate.place.line',
                  { count: points.length },
                )}
          </span>
          {hover?.edge ? <span className={styles.warning}>{t('annotate.edge')}</span> : null}
          {newest && points.length === 0 && !annotationStore.panelShown ? (
            <SyncBadge state={newest.sync.state} />
          ) : null}
        </>
      }
      undo={{ label: t('annotate.undoPoint'), act: points.length > 0 ? () => placing.undo() : undefined }}
      list={{
        label: t(annotationStore.panelShown ? 'annotate.hideAnnotations' : 'annotate.showAnnotations', {
          count: list.all.length,
        }),
        shown: annotationStore.panelShown,
        toggle: () => annotationStore.setPanelShown(!annotationStore.panelShown),
      }}
      end={{ label: t('annotate.endPlacing'), act: () => placing.choose(undefined) }}
    />
  );
});

const WordsForm = observer(function WordsForm() {
  const styles = useStyles();
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const kind = annotationStore.placing.placed?.kind;
  const [text, setText] = useState('');
  const [figure, setFigure] = useState('');
  const [shared, setShared] = useState(true);
  const temperature = figure.trim() === '' ? undefined : Number(figure.replace(',', '.'));
  const wrong =
    kind === 'TEMPERATURE' && (temperature === undefined || !(temperature >= -273.15 && temperature <= 5000));
  const complete = kind === 'TEXT_LABEL' ? text.trim() !== '' : !wrong;
  const keep = (event: FormEvent): void => {
    event.preventDefault();
    if (complete) annotationStore.save({ text: text.trim(), temperature: temperature ?? null, shared });
  };
  return (
    <form className={styles.form} onSubmit={keep}>
      {kind === 'TEMPERATURE' ? (
        <Input
          className={styles.figure}
          autoFocus
          inputMode="text"
          aria-label={t('annotate.temperature')}
          contentAfter="°C"
          value={figure}
          aria-invalid={figure !== '' && wrong}
          onChange={(_, { value }) => setFigure(value)}
        />
      ) : null}
      <Input
        className={styles.text}
        autoFocus={kind !== 'TEMPERATURE'}
        aria-label={t('annotate.text')}
        placeholder={t(kind === 'TEXT_LABEL' ? 'annotate.textNeeded' : 'annotate.textHint')}
        value={text}
        maxLength={2000}
        onChange={(_, { value }) => setText(value)}
      />
      <Switch checked={shared} label={t('annotate.shared')} onChange={(_, { checked }) => setShared(checked)} />
      <Button appearance="primary" type="submit" disabled={!complete}>
        {t('annotate.save')}
      </Button>
      <Button appearance="subtle" onClick={() => annotationStore.placing.cancel()}>
        {t('annotate.discard')}
      </Button>
    </form>
  );
});
