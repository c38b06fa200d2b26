import { observer } from 'mobx-react-lite';
import { useEffect, useId } from 'react';
import { Button, makeStyles, tokens } from '#core/ui';
import { Session, useService, useText } from '#core/web';
import { maxRating } from '#plugins/feedback';
import { RatingStore } from '../stores/rating-store.ts';

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'center',
    columnGap: tokens.spacingHorizontalL,
    rowGap: tokens.spacingVerticalXXS,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    borderTop: `1px solid ${tokens.colorNeutralStroke1}`,
  },
  text: { margin: 0, overflowWrap: 'anywhere' },
  hint: { display: 'inline-block', color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  ratings: { display: 'flex', gap: tokens.spacingHorizontalXS },
  button: { minWidth: '44px', minHeight: '44px' },
});

const ratings = Array.from({ length: maxRating }, (_, index) => index + 1);

/** Asks for the rating of a tour that the person has seen. It covers nothing and can be skipped. */
export default observer(function RatingBanner() {
  const styles = useStyles();
  const t = useText();
  const store = useService(RatingStore);
  const { me } = useService(Session);
  const questionId = useId();
  useEffect(() => {
    const sendAll = (): void => void store.sendAll();
    window.addEventListener('online', sendAll);
    return () => window.removeEventListener('online', sendAll);
  }, [store]);
  if (!store.question || !me) return null;
  return (
    <div role="group" aria-labelledby={questionId} className={styles.bar}>
      <p role="status" className={styles.text}>
        <span id={questionId}>{t('feedback.ratingQuestion', { tour: store.question.tour })}</span>{' '}
        <span className={styles.hint}>{t('feedback.ratingHint')}</span>
      </p>
      <div className={styles.ratings}>
        {ratings.map((value) => (
          <Button
            key={value}
            className={styles.button}
            aria-label={t('feedback.ratingOf', { value, highest: maxRating })}
            onClick={() => store.answer(value)}
          >
            {value}
          </Button>
        ))}
      </div>
      <Button appearance="subtle" className={styles.button} onClick={() => store.answer(null)}>
        {t('feedback.skipRating')}
      </Button>
    </div>
  );
});
