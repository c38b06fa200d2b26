import { observer } from 'mobx-react-lite';
import { useSearchParams } from 'react-router-dom';
import type { ContentCheckResult, listContentChecks } from '#core/api';
import { Button, EmptyState, ListSkeleton, makeStyles, PageTitle, tokens } from '#core/ui';
import { AtLocation, LocationChoice, useAdminStyles } from '#core/ui-data';
import { HttpClient, MessageCatalog, useChosenLocation, useFormats, useResource, useService, useText } from '#core/web';
import { CheckCard } from '../components/check-card.tsx';
import { useDescribeCheck } from '../components/use-describe-check.ts';

const useStyles = makeStyles({
  heading: {
    margin: `${tokens.spacingVerticalXL} 0 ${tokens.spacingVerticalS}`,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
  },
  passed: { margin: 0, paddingLeft: tokens.spacingHorizontalXL, color: tokens.colorNeutralForeground2 },
});

/** Lists missing and contradictory content of a location. The URL contains the opened check. */
const ContentCheckScreen = observer(function ContentCheckScreen() {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const http = useService(HttpClient);
  const catalog = useService(MessageCatalog);
  const describe = useDescribeCheck();
  const formats = useFormats();
  const [location, setLocation] = useChosenLocation();
  const [searchParams, setSearchParams] = useSearchParams();
  const openCheck = searchParams.get('check');
  const uid = location?.uid;
  const checks = useResource(
    async (signal) => {
      if (uid === undefined) return [];
      const results = await http.call<typeof listContentChecks>(
        'GET',
        '/api/content-checks/:location',
        { params: { location: uid } },
        { signal },
      );
      const pluginIds = new Set(results.map(({ id }) => id.split('.', 1)[0] ?? id));
      await Promise.all([...pluginIds].map((pluginId) => catalog.loadMessages(pluginId)));
      return results;
    },
    [http, catalog, uid],
  );
  const setOpenCheck = (check: string | undefined): void => {
    const newParams = new URLSearchParams(searchParams);
    if (check === undefined) newParams.delete('check');
    else newParams.set('check', check);
    setSearchParams(newParams, { replace: true });
  };

  const renderResults = (results: readonly ContentCheckResult[], locationUid: string): React.ReactNode => {
    const failedChecks = sortBySeverity(results.filter(({ count }) => count > 0));
    const passedChecks = results.filter(({ count }) => count === 0);
    const total = failedChecks.reduce((sum, { count }) => sum + count, 0);
    return (
      <>
        <p role="status" className={styles.note}>
          {t('content-check.found', { count: total, shown: formats.number(total) })}
        </p>
        {failedChecks.length === 0 ? (
          <EmptyState title={t('content-check.nothing')} message={t('content-check.nothingHint')} />
        ) : (
          <ul className={styles.list} aria-label={t('content-check.findings')}>
            {failedChecks.map((check) => (
              <li key={check.id}>
                <CheckCard
                  check={check}
                  location={locationUid}
                  isOpen={check.id === openCheck}
                  onToggle={() => setOpenCheck(check.id === openCheck ? undefined : check.id)}
                />
              </li>
            ))}
          </ul>
        )}
        {passedChecks.length === 0 ? null : (
          <>
            <h2 className={styles.heading}>{t('content-check.passed')}</h2>
            <ul className={styles.passed}>
              {passedChecks.map((check) => (
                <li key={check.id}>{describe(check).title}</li>
              ))}
            </ul>
          </>
        )}
      </>
    );
  };

  return (
    <>
      <PageTitle title={t('content-check.title')} hint={t('content-check.hint')} />
      {location === undefined ? null : (
        <div className={styles.bar}>
          <div className={styles.choice}>
            <LocationChoice label={t('content-check.location')} value={location.uid} onChange={setLocation} />
          </div>
          <Button onClick={() => void checks.load()}>{t('content-check.again')}</Button>
        </div>
      )}
      <AtLocation
        location={location}
        resource={checks}
        noAccessTo={{ title: t('content-check.noAccess'), accessToRequest: 'configure' }}
        noLocation={{ title: t('content-check.noLocation'), message: t('content-check.noLocationHint') }}
        waiting={<ListSkeleton />}
      >
        {(results, { uid: locationUid }) => renderResults(results, locationUid)}
      </AtLocation>
    </>
  );
});
export default ContentCheckScreen;

const sortBySeverity = (checks: readonly ContentCheckResult[]): readonly ContentCheckResult[] => [
  ...checks.filter(({ severity }) => severity === 'ERROR'),
  ...checks.filter(({ severity }) => severity === 'WARNING'),
];
