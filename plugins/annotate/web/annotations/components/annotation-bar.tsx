import { useState, type FormEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, Input, makeStyles, Switch } from '#core/ui';
import { useService, useText } from '#core/web';
import { AnnotateStrip, useStripStyles } from '../../components/annotate-strip.tsx';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { ContinueIn } from '../../components/continue-in.tsx';
import { useHint } from '../../components/use-hint.ts';
import { InputStore } from '../../viewer/input-store.ts';
import type { AnnotationKind } from '#plugins/annotate';
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

const instructions: Readonly<Record<AnnotationKind, string>> = {
  CORDINATES: 'annotate.place.one',
  TEMPERATURE: 'annotate.place.one',
  TEXT_LABEL: 'annotate.place.one',
  DISTANCE: 'annotate.place.line',
  ARROW: 'annotate.place.arrow',
  RECTANGLE: 'annotate.place.box',
  ELLIPSE: 'annotate.place.box',
};

/** Shows the instruction for the next click, or the form when the annotation has all its points. */
export const AnnotationBar = observer(function AnnotationBar() {
  const styles = useStripStyles();
  const t = useText();
  const hint = useHint();
  const input = useService(InputStore);
  const annotationStore = useService(AnnotationStore);
  const { annotationDraft, list } = annotationStore;
  const { kind, points, hoverPoint, clickProblem, placedAnnotation } = annotationDraft;
  if (!kind) return null;
  const end = (): void => {
    annotationDraft.choose(undefined);
    input.restoreFocus();
  };
  return (
    <AnnotateStrip
      key={kind}
      label={t(`annotate.annotation.${kind}`)}
      icon={<AnnotationIcon kind={kind} />}
      form={placedAnnotation ? <DraftForm /> : undefined}
      status={
        <>
          <span className={styles.status} role="status">
            {clickProblem ? t(`annotate.clickProblem.${clickProblem}`) : hint(instructions[kind], points.length)}
          </span>
          {clickProblem === 'noDepth' ? <ContinueIn onContinue={() => annotationDraft.clearClickProblem()} /> : null}
          {hoverPoint?.edge ? <span className={styles.warning}>{t('annotate.edge')}</span> : null}
        </>
      }
      undo={{ label: t('annotate.undoPoint'), onClick: points.length > 0 ? () => annotationDraft.undo() : undefined }}
      panelToggle={{
        label: t(annotationStore.panelOpen ? 'annotate.hideAnnotations' : 'annotate.showAnnotations', {
          count: list.all.length,
        }),
        open: annotationStore.panelOpen,
        toggle: () => annotationStore.setPanelOpen(!annotationStore.panelOpen),
      }}
      end={{ label: t('annotate.endPlacing'), onClick: end }}
    />
  );
});

const DraftForm = observer(function DraftForm() {
  const styles = useStyles();
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const input = useService(InputStore);
  const kind = annotationStore.annotationDraft.placedAnnotation?.kind;
  const [text, setText] = useState('');
  const [temperatureText, setTemperatureText] = useState('');
  const [shared, setShared] = useState(true);
  const temperature = temperatureText.trim() === '' ? undefined : Number(temperatureText.replace(',', '.'));
  const isInvalid =
    kind === 'TEMPERATURE' && (temperature === undefined || !(temperature >= -273.15 && temperature <= 5000));
  const isComplete = kind === 'TEXT_LABEL' ? text.trim() !== '' : !isInvalid;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!isComplete) return;
    annotationStore.save({ text: text.trim(), temperature: temperature ?? null, shared });
    input.requestFocus();
  };
  const discard = (): void => {
    annotationStore.annotationDraft.cancel();
    input.requestFocus();
  };
  return (
    <form className={styles.form} onSubmit={save}>
      {kind === 'TEMPERATURE' ? (
        <Input
          className={styles.figure}
          autoFocus
          inputMode="text"
          aria-label={t('annotate.temperature')}
          contentAfter="°C"
          value={temperatureText}
          aria-invalid={temperatureText !== '' && isInvalid}
          onChange={(_, { value }) => setTemperatureText(value)}
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
      <Button appearance="primary" type="submit" disabled={!isComplete}>
        {t('annotate.save')}
      </Button>
      <Button appearance="subtle" onClick={discard}>
        {t('annotate.discard')}
      </Button>
    </form>
  );
});
