import { useState, type FormEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, Input, makeStyles, Switch } from '#core/ui';
import { useService, useText } from '#core/web';
import { AnnotateStrip, useStripStyles } from '../../surface/annotate-strip.tsx';
import { AnnotationDesk } from '../stores/annotation-desk.ts';
import { clicksOf } from '../stores/placing.ts';

const useStyles = makeStyles({
  form: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px' },
  text: { width: '260px', maxWidth: '100%' },
  figure: { width: '120px' },
});

/** What to click next; once it stands somewhere, its words. */
export const AnnotationBar = observer(function AnnotationBar() {
  const styles = useStripStyles();
  const t = useText();
  const { placing } = useService(AnnotationDesk);
  const { tool, points, hover, refused, placed } = placing;
  if (!tool) return null;
  return (
    <AnnotateStrip label={t(`annotate.annotation.${tool}`)}>
      {placed ? (
        <WordsForm />
      ) : (
        <>
          <span className={styles.words} role="status">
            {refused ? t(`annotate.refusal.${refused}`) : t(clicksOf[tool] === 1 ? 'annotate.place.one' : tool === 'RECTANGLE' || tool === 'ELLIPSE' ? 'annotate.place.box' : tool === 'ARROW' ? 'annotate.place.arrow' : 'annotate.place.line', { count: points.length })}
          </span>
          {hover?.edge ? <span className={styles.warning}>{t('annotate.edge')}</span> : null}
          {points.length > 0 ? <Button onClick={() => placing.undo()}>{t('annotate.undoPoint')}</Button> : null}
          <Button appearance="subtle" onClick={() => placing.choose(undefined)}>
            {t('annotate.endPlacing')}
          </Button>
        </>
      )}
    </AnnotateStrip>
  );
});

const WordsForm = observer(function WordsForm() {
  const styles = useStyles();
  const t = useText();
  const desk = useService(AnnotationDesk);
  const kind = desk.placing.placed?.kind;
  const [text, setText] = useState('');
  const [figure, setFigure] = useState('');
  const [shared, setShared] = useState(true);
  const temperature = figure.trim() === '' ? undefined : Number(figure.replace(',', '.'));
  const wrong = kind === 'TEMPERATURE' && (temperature === undefined || !(temperature >= -273.15 && temperature <= 5000));
  const complete = kind === 'TEXT_LABEL' ? text.trim() !== '' : !wrong;
  const keep = (event: FormEvent): void => {
    event.preventDefault();
    if (complete) desk.keep({ text: text.trim(), temperature: temperature ?? null, shared });
  };
  return (
    <form className={styles.form} onSubmit={keep}>
      {kind === 'TEMPERATURE' ? (
        <Input className={styles.figure} autoFocus inputMode="text" aria-label={t('annotate.temperature')} contentAfter="°C" value={figure} aria-invalid={figure !== '' && wrong} onChange={(_, { value }) => setFigure(value)} />
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
      <Button appearance="subtle" onClick={() => desk.placing.cancel()}>
        {t('annotate.discard')}
      </Button>
    </form>
  );
});
