import { observer } from 'mobx-react-lite';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LocationNode } from '#core';
import {
  Button,
  CardsSkeleton,
  EmptyState,
  FailedState,
  makeStyles,
  NoAccessActions,
  PageTitle,
  SearchBox,
  Tab,
  TabList,
  tokens,
} from '#core/ui';
import { Access, Locations, Navigation, Session, useService, useText } from '#core/web';
import { setUpAdmin } from '../../contract/index.ts';
import { ContinueCard } from '../components/continue-card.tsx';
import { LocationCards } from '../components/location-cards.tsx';
import { OfflineNote } from '../components/offline-note.tsx';
import { useLoadLocations } from '../stores/use-load-locations.ts';

const SetUpList = lazy(() => import('../components/set-up-list.tsx'));

const useStyles = makeStyles({
  controls: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
    marginBottom: tokens.spacingVerticalL,
  },
  search: { width: 'min(360px, 100%)', minHeight: '40px' },
});

/** The start screen with the sites that the person can access. The URL contains the search text and the view. */
const HomeScreen = observer(function HomeScreen() {
  const styles = useStyles();
  const t = useText();
  const locations = useService(Locations);
  const canAccessAll = useService(Access).info.locations === 'ALL';
  const canSetUp = useService(Navigation).linkTo(setUpAdmin, {}) !== undefined;
  const preferredView = useService(Session).me?.preferences.defaultView;
  const [searchParams, setSearchParams] = useSearchParams();
  useLoadLocations();

  const text = searchParams.get('search') ?? '';
  const view = (searchParams.get('view') ?? preferredView) === 'list' ? 'list' : 'cards';
  const setParam = (name: string, value: string): void => {
    const nextParams = new URLSearchParams(searchParams);
    if (value === '') nextParams.delete(name);
    else nextParams.set(name, value);
    setSearchParams(nextParams, { replace: true });
  };

  const renderContent = (): React.ReactNode => {
    if (locations.state === 'loading') return <CardsSkeleton />;
    if (locations.state === 'failed')
      return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
    if (locations.roots.length === 0) {
      const emptyState = (
        <EmptyState
          title={t(canAccessAll ? 'locations.home.none' : 'locations.home.empty')}
          message={t(canAccessAll ? 'locations.home.noneHint' : 'locations.home.emptyHint')}
          {...(canAccessAll ? {} : { action: <NoAccessActions feature="anyLocation" /> })}
        />
      );
      return canAccessAll && canSetUp ? (
        <Suspense fallback={<CardsSkeleton />}>
          <SetUpList onHome waiting={<CardsSkeleton />} replacement={emptyState} />
        </Suspense>
      ) : (
        emptyState
      );
    }
    const matchingSites = filterByText(locations.roots, text);
    return (
      <>
        <ContinueCard />
        <div className={styles.controls}>
          <SearchBox
            className={styles.search}
            value={text}
            placeholder={t('locations.home.search')}
            aria-label={t('locations.home.search')}
            onChange={(_, { value }) => setParam('search', value)}
          />
          <TabList
            selectedValue={view}
            onTabSelect={(_, { value }) => setParam('view', String(value))}
            aria-label={t('locations.home.view')}
          >
            <Tab value="cards">{t('locations.home.cards')}</Tab>
            <Tab value="list">{t('locations.home.list')}</Tab>
          </TabList>
        </div>
        {matchingSites.length === 0 ? (
          <EmptyState
            title={t('locations.home.noMatch')}
            message={t('locations.home.noMatchHint', { text })}
            action={<Button onClick={() => setParam('search', '')}>{t('locations.home.clear')}</Button>}
          />
        ) : (
          <LocationCards locations={matchingSites} view={view} />
        )}
        {canSetUp ? (
          <Suspense fallback={null}>
            <SetUpList onHome />
          </Suspense>
        ) : null}
      </>
    );
  };

  return (
    <>
      <OfflineNote />
      <PageTitle title={t('locations.home.question')} />
      {renderContent()}
    </>
  );
});
export default HomeScreen;

/** Finds sites whose own name, or the name of a location in them, contains the text. Ignores case and accents. */
function filterByText(roots: readonly LocationNode[], text: string): readonly LocationNode[] {
  const query = normalize(text);
  const matches = (location: LocationNode): boolean =>
    normalize(`${location.name} ${location.label}`).includes(query) || location.children.some(matches);
  return query === '' ? roots : roots.filter(matches);
}

function normalize(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
