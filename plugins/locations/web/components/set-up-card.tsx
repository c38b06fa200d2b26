import { Link } from 'react-router-dom';
import { makeStyles, tokens } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  card: {
    display: 'grid',
    gap: tokens.spacingVerticalM,
    maxWidth: '640px',
    boxSizing: 'border-box',
    padding: tokens.spacingHorizontalXXL,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
  },
  hint: { margin: 0, color: tokens.colorNeutralForeground2 },
  steps: { display: 'grid', gap: tokens.spacingVerticalM, margin: 0, paddingLeft: tokens.spacingHorizontalXXL },
  step: { '& > span': { display: 'block' } },
  link: {
    display: 'inline-flex',
    alignItems: 'center',
    '@media (pointer: coarse)': { minHeight: '44px' },
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorBrandForegroundLink,
  },
  later: { color: tokens.colorNeutralForeground3 },
});

/** The steps to the first site of an empty product. `address` is the screen of the sites. */
export function SetUpCard({ address }: { readonly address: string }) {
  const styles = useStyles();
  const t = useText();
  return (
    <section className={styles.card} aria-labelledby="locations-set-up">
      <h2 id="locations-set-up" className={styles.title}>
        {t('locations.home.setUp')}
      </h2>
      <p className={styles.hint}>{t('locations.home.setUpHint')}</p>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <Link to={`${address}?add=site`} className={styles.link}>
            {t('locations.home.setUpSite')}
          </Link>
          <span className={styles.later}>{t('locations.home.setUpSiteHint')}</span>
        </li>
        <li className={styles.step}>
          <span>{t('locations.home.setUpUnits')}</span>
          <span className={styles.later}>{t('locations.home.setUpUnitsHint')}</span>
        </li>
      </ol>
    </section>
  );
}
