import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { routes } from '#core';
import { FailedState, makeStyles, PageTitle, PanelSkeleton, tokens } from '#core/ui';
import { I18n, ProductConfiguration, RouteLink, Session, useService, useText } from '#core/web';
import { videoViewer } from '../../contract/index.ts';
import { ContactList } from '../components/contact-list.tsx';
import { LazyRichText } from '../components/lazy-rich-text.tsx';
import { useItems } from '../components/use-items.ts';

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalL, marginBlock: tokens.spacingVerticalXL },
  start: {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: '44px',
    paddingInline: tokens.spacingHorizontalXL,
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForegroundOnBrand,
    backgroundColor: tokens.colorBrandBackground,
    fontWeight: tokens.fontWeightSemibold,
    textDecorationLine: 'none',
    ':hover': { backgroundColor: tokens.colorBrandBackgroundHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  quiet: { display: 'inline-flex', alignItems: 'center', minHeight: '44px', color: tokens.colorBrandForegroundLink },
});

/** Shows the configured welcome text and the contacts. */
const WelcomeScreen = observer(function WelcomeScreen() {
  const styles = useStyles();
  const t = useText();
  const { language } = useService(I18n);
  const configuration = useService(ProductConfiguration);
  const items = useItems(1);
  const name = useService(Session).me?.name ?? '';
  useEffect(() => void configuration.load(), [configuration]);

  if (configuration.state === 'loading') return <PanelSkeleton />;
  if (configuration.state === 'failed')
    return <FailedState heading="h1" error={configuration.failure} onRetry={() => void configuration.load()} />;
  const { welcomeText = {} } = configuration.value;
  const text = welcomeText[language] ?? welcomeText.en ?? welcomeText.fr;
  const hasVideos = (items.value?.total ?? 0) > 0;
  return (
    <>
      <PageTitle title={t('media.welcome.heading', { name })} />
      {text === undefined ? <p>{t('media.welcome.noText')}</p> : <LazyRichText source={text} />}
      <div className={styles.actions}>
        <RouteLink to={routes.home} className={styles.start}>
          {t('media.welcome.start')}
        </RouteLink>
        {hasVideos && (
          <RouteLink to={videoViewer} className={styles.quiet}>
            {t('media.welcome.videos')}
          </RouteLink>
        )}
      </div>
      <ContactList />
    </>
  );
});
export default WelcomeScreen;
