import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { mandatory, routes } from '#core';
import { Button, Field, makeStyles, Radio, RadioGroup, Select, tokens, useForm, type FormInput } from '#core/ui';
import { ApiError, HttpClient, I18n, RouteLink, usePluginSettings, useService, useText } from '#core/web';
import { formQuestions, highestRating, type FormChoice, type TourForm as AskedForm } from '#plugins/feedback';
import type { answerTourForm } from '#plugins/feedback/api';
import { TourStore } from '#plugins/tour';
import type manifest from '../../plugin.ts';
import type { FormDraft, FormMemory, FormValues } from '../stores/form-memory.ts';
import { toSpan } from '../../common/to-span.ts';

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
  // Keeps a long choice from widening the field beyond the card.
  field: { gridTemplateColumns: 'minmax(0, 1fr)' },
  ratings: { '& .fui-Radio': { minWidth: '48px' } },
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

const nothing: FormValues = { typeOfWork: '', activity: '', rating: null };
const ratings = Array.from({ length: highestRating }, (_, index) => index + 1);

export interface TourFormProps {
  readonly location: string;
  readonly asked: AskedForm;
  readonly memory: FormMemory;
  readonly onAnswered: () => void;
  /** The server refused the form because the choices have changed. */
  readonly onRefused: () => void;
}

/** The questions before a tour. Each choice is saved in the browser until the server has the form. */
export const TourForm = observer(function TourForm({ location, asked, memory, onAnswered, onRefused }: TourFormProps) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const { language } = useService(I18n);
  const { opened } = useService(TourStore);
  const { validFor } = usePluginSettings<typeof manifest>();
  const [draft] = useState((): FormDraft => memory.draft(location) ?? { uid: crypto.randomUUID(), values: nothing });
  const initial = useMemo(() => removeOutdatedAnswers(draft.values, asked), [draft, asked]);
  const isAsked = (name: string): boolean => asked.questions.some((question) => question.name === name);
  const form = useForm<FormValues>({
    initial,
    rules: {
      typeOfWork: isAsked('typeOfWork') ? [mandatory] : [],
      activity: isAsked('activity') ? [mandatory] : [],
      rating: [],
    },
    send: async (values) => {
      try {
        const { remaining } = await http.call<typeof answerTourForm>('PUT', '/api/feedback/:location/forms/:uid', {
          params: { location, uid: draft.uid },
          body: removeOutdatedAnswers(values, asked),
        });
        memory.answered(location, remaining, Date.now());
        onAnswered();
      } catch (error) {
        if (error instanceof ApiError && error.status === 400) onRefused();
        throw error;
      }
    },
  });
  const keep = (changed: Partial<FormValues>): void =>
    memory.saveDraft(location, {
      uid: draft.uid,
      values: { ...(memory.draft(location) ?? draft).values, ...changed },
    });
  const input = (name: 'typeOfWork' | 'activity'): FormInput => {
    const plain = form.input(name);
    return {
      ...plain,
      onChange: (event, data) => {
        plain.onChange(event, data);
        keep({ [name]: data.value });
      },
    };
  };
  const getName = ({ name, frenchName }: FormChoice): string => (language === 'fr' ? (frenchName ?? name) : name);
  const rating = form.state('rating');
  const rate = (value: number | null): void => {
    rating.onChange(value);
    keep({ rating: value });
  };
  const span = toSpan(validFor);

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
          {span ? t(`feedback.holds.${span.unit}`, { count: span.count }) : t('feedback.each')}
        </p>
      </div>
      {asked.questions.map(({ name, choices }) => (
        <Field
          key={name}
          className={styles.field}
          size="large"
          label={t(`feedback.${name}`)}
          required
          {...form.field(name)}
        >
          <Select {...input(name)}>
            <option value="">{t('feedback.choose')}</option>
            {choices.map((choice) => (
              <option key={choice.uid} value={choice.uid}>
                {getName(choice)}
              </option>
            ))}
          </Select>
        </Field>
      ))}
      {asked.ratings ? (
        <Field label={t('feedback.rating')} hint={t('feedback.ratingHint')} {...form.field('rating')}>
          <RadioGroup
            ref={rating.ref}
            name={rating.name}
            value={String(rating.value ?? '')}
            disabled={form.busy}
            layout="horizontal-stacked"
            className={styles.ratings}
            onBlur={rating.onBlur}
            onChange={(_, { value }) => rate(Number(value))}
          >
            {ratings.map((value) => (
              <Radio
                key={value}
                value={String(value)}
                label={value}
                aria-label={t('feedback.ratingOf', { value, highest: highestRating })}
              />
            ))}
          </RadioGroup>
        </Field>
      ) : null}
      {asked.ratings && rating.value !== null ? (
        <div>
          <Button appearance="subtle" size="small" disabled={form.busy} onClick={() => rate(null)}>
            {t('feedback.noRating')}
          </Button>
        </div>
      ) : null}
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
function removeOutdatedAnswers(values: FormValues, asked: AskedForm): FormValues {
  const answers = Object.fromEntries(
    formQuestions.map((name) => [
      name,
      asked.questions.some(
        (question) => question.name === name && question.choices.some(({ uid }) => uid === values[name]),
      )
        ? values[name]
        : '',
    ]),
  );
  return {
    ...nothing,
    ...answers,
    rating: asked.ratings && values.rating !== null && ratings.includes(values.rating) ? values.rating : null,
  };
}
