import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { mandatory, routes } from '#core';
import { Button, Field, makeStyles, Select, tokens, useForm, type FormInput } from '#core/ui';
import { ApiError, HttpClient, I18n, RouteLink, usePluginSettings, useService, useText } from '#core/web';
import type { FormChoice, FormQuestion, TourFormDefinition } from '#plugins/feedback';
import type { answerTourForm } from '#plugins/feedback/api';
import { TourStore } from '#plugins/tour';
import type manifest from '../../plugin.ts';
import type { FormDraft, FormMemory, FormValues } from '../stores/form-memory.ts';
import { RatingStore } from '../stores/rating-store.ts';
import { toTimeSpan } from '../../common/to-time-span.ts';

const useStyles = makeStyles({
  card: {
    boxSizing: 'border-box',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: tokens.spacingVerticalXL,
    width: 'min(480px, calc(100vw - 32px))',
    marginBlock: tokens.spacingVerticalL,
    padding: tokens.spacingHorizontalXXL,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow16,
    '@media (max-width: 639px)': { padding: tokens.spacingHorizontalL },
    '@media (forced-colors: active)': { border: '1px solid CanvasText' },
  },
  text: { display: 'grid', gap: tokens.spacingVerticalXS },
  tour: {
    margin: 0,
    color: tokens.colorBrandForeground1,
    fontWeight: tokens.fontWeightSemibold,
    minHeight: tokens.lineHeightBase300,
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    textWrap: 'balance',
  },
  hint: { margin: 0, color: tokens.colorNeutralForeground3 },
  // A long choice must not widen the field beyond the card.
  field: { gridTemplateColumns: 'minmax(0, 1fr)' },
  actions: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalL,
    '& > a': { display: 'inline-flex', alignItems: 'center', minHeight: '44px' },
  },
  failure: { margin: 0, color: tokens.colorPaletteRedForeground1 },
});

const emptyValues: FormValues = { typeOfWork: '', activity: '' };

export interface TourFormProps {
  readonly location: string;
  readonly definition: TourFormDefinition;
  readonly memory: FormMemory;
  readonly onAnswered: () => void;
  /** Called if the server refused the form because its choices have changed. */
  readonly onRefused: () => void;
}

/** The questions before a tour. Each choice is saved in the browser until the server has the form. */
export const TourForm = observer(function TourForm({
  location,
  definition,
  memory,
  onAnswered,
  onRefused,
}: TourFormProps) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const { language } = useService(I18n);
  const { opened } = useService(TourStore);
  const ratings = useService(RatingStore);
  const { validFor, ratings: hasRatings } = usePluginSettings<typeof manifest>();
  const [draft] = useState(
    (): FormDraft => memory.findDraft(location) ?? { uid: crypto.randomUUID(), values: emptyValues },
  );
  const initial = useMemo(() => removeOutdatedAnswers(draft.values, definition), [draft, definition]);
  const hasQuestion = (name: FormQuestion): boolean => definition.questions.some((question) => question.name === name);
  const form = useForm<FormValues>({
    initial,
    rules: {
      typeOfWork: hasQuestion('typeOfWork') ? [mandatory] : [],
      activity: hasQuestion('activity') ? [mandatory] : [],
    },
    send: async (values) => {
      try {
        const { remaining } = await http.call<typeof answerTourForm>('PUT', '/api/feedback/:location/forms/:uid', {
          params: { location, uid: draft.uid },
          body: removeOutdatedAnswers(values, definition),
        });
        memory.setAnswered(location, remaining, Date.now());
        if (hasRatings) ratings.addForm(location, draft.uid);
        onAnswered();
      } catch (error) {
        if (error instanceof ApiError && error.status === 400) onRefused();
        throw error;
      }
    },
  });
  const saveDraft = (changedValues: Partial<FormValues>): void =>
    memory.saveDraft(location, {
      uid: draft.uid,
      values: { ...(memory.findDraft(location) ?? draft).values, ...changedValues },
    });
  const buildInput = (name: FormQuestion): FormInput => {
    const input = form.input(name);
    return {
      ...input,
      onChange: (event, data) => {
        input.onChange(event, data);
        saveDraft({ [name]: data.value });
      },
    };
  };
  const getChoiceName = ({ name, frenchName }: FormChoice): string => (language === 'fr' ? (frenchName ?? name) : name);
  const validity = toTimeSpan(validFor);

  return (
    <form
      className={styles.card}
      onSubmit={form.submit}
      noValidate
      aria-busy={form.busy}
      aria-labelledby="feedback-title"
    >
      <div className={styles.text}>
        <p className={styles.tour}>{opened?.tour.name}</p>
        <h1 className={styles.title} id="feedback-title">
          {t('feedback.heading')}
        </h1>
        <p className={styles.hint}>
          {validity ? t(`feedback.holds.${validity.unit}`, { count: validity.count }) : t('feedback.each')}
        </p>
      </div>
      {definition.questions.map(({ name, choices }) => (
        <Field
          key={name}
          className={styles.field}
          size="large"
          label={t(`feedback.${name}`)}
          required
          {...form.field(name)}
        >
          <Select {...buildInput(name)}>
            <option value="">{t('feedback.choose')}</option>
            {choices.map((choice) => (
              <option key={choice.uid} value={choice.uid}>
                {getChoiceName(choice)}
              </option>
            ))}
          </Select>
        </Field>
      ))}
      {form.failure === undefined ? null : (
        <p className={styles.failure} role="alert">
          {t(form.failure instanceof ApiError && form.failure.status === 0 ? 'feedback.offline' : 'feedback.notSent')}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" appearance="primary" size="large" disabled={form.busy}>
          {t(form.busy ? 'feedback.sending' : 'feedback.send')}
        </Button>
        <RouteLink to={routes.home}>{t('feedback.home')}</RouteLink>
      </div>
    </form>
  );
});

/** Removes answers to questions or choices that no longer exist. */
function removeOutdatedAnswers(values: FormValues, definition: TourFormDefinition): FormValues {
  const getValidAnswer = (name: FormQuestion): string => {
    const choices = definition.questions.find((question) => question.name === name)?.choices ?? [];
    return choices.some(({ uid }) => uid === values[name]) ? values[name] : '';
  };
  return {
    typeOfWork: getValidAnswer('typeOfWork'),
    activity: getValidAnswer('activity'),
  };
}
