import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LocationNode } from '#core';
import {
  Button,
  CardsSkeleton,
  EmptyState,
  FailedState,
  makeStyles,
  PageTitle,
  SearchBox,
  Tab,
  TabList,
  tokens,
} from '#core/ui';
import { Access, Locations, Session, useService, useText } from '#core/web';
import { LocationPicturesStore } from '../stores/location-pictures-store.ts';
import { ContinueCard } from '../components/continue-card.tsx';
import { LocationCards } from '../components/location-cards.tsx';

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

/** The start screen with the sites that the person can access. Search text and view are in the address. */
const HomeScreen = observer(function HomeScreen() {
  const styles = useStyles();
  const t = useText();
  const locations = useService(Locations);
  const pictures = useService(LocationPicturesStore);
  const reachesAll = useService(Access).info.locations === 'ALL';
  const preferred = useService(Session).me?.preferences.defaultView;
  const [address, setAddress] = useSearchParams();
  useEffect(() => {
    void locations.load();
    void pictures.load();
  }, [locations, pictures]);

  const text = address.get('search') ?? '';
  const view = (address.get('view') ?? preferred) === 'list' ? 'list' : 'cards';
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(address);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setAddress(next, { replace: true });
  };

  const content = (): React.ReactNode => {
    if (locations.state === 'loading') return <CardsSkeleton />;
    if (locations.state === 'failed')
      return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
    if (locations.roots.length === 0)
      return (
        <EmptyState
          title={t(reachesAll ? 'locations.home.none' : 'locations.home.empty')}
          message={t(reachesAll ? 'locations.home.noneHint' : 'locations.home.emptyHint')}
        />
      );
    const found = matching(locations.roots, text);
    return (
      <>
        <ContinueCard />
        <div className={styles.controls}>
          <SearchBox
            className={styles.search}
            value={text}
            placeholder={t('locations.home.search')}
            aria-label={t('locations.home.search')}
            onChange={(_, { value }) => set('search', value)}
          />
          <TabList
            selectedValue={view}
            onTabSelect={(_, { value }) => set('view', String(value))}
            aria-label={t('locations.home.view')}
          >
            <Tab value="cards">{t('locations.home.cards')}</Tab>
            <Tab value="list">{t('locations.home.list')}</Tab>
          </TabList>
        </div>
        {found.length === 0 ? (
          <EmptyState
            title={t('locations.home.noMatch')}
            message={t('locations.home.noMatchHint', { text })}
            action={<Button onClick={() => set('search', '')}>{t('locations.home.clear')}</Button>}
          />
        ) : (
          <LocationCards locations={found} view={view} />
        )}
      </>
    );
  };

  return (
    <>
      <PageTitle title={t('locations.home.question')} />
      {content()}
    </>
  );
});
export default HomeScreen;

/** Finds sites whose name, or that of a location in them, contains the text, ignoring case and accents. */
function matching(roots: readonly LocationNode[], text: string): readonly LocationNode[] {
  const query = plain(text);
  const holds = (location: LocationNode): boolean =>
    plain(`${location.name} ${location.label}`).includes(query) || location.children.some(holds);
  return query === '' ? roots : roots.filter(holds);
}

function plain(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
