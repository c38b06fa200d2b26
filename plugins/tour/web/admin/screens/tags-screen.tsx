import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { EmptyState, FailedState, ListSkeleton, PageTitle, Tab, TabList } from '#core/ui';
import { LastChangeLine, LastChangeStore, LocationChoice, useAdminStyles } from '#core/ui-data';
import { Locations, useChosenLocation, useService, useText } from '#core/web';
import { DocumentsPanel } from '../components/documents/documents-panel.tsx';
import { TagsPanel } from '../components/tags/tags-panel.tsx';

const tabs = ['tags', 'documents'] as const;

/** Edits tags, lines and documents of a location. */
const TagsScreen = observer(function TagsScreen() {
  const styles = useAdminStyles();
  const t = useText();
  const locations = useService(Locations);
  const [location, setLocation] = useChosenLocation();
  const [searchParams, setSearchParams] = useSearchParams();
  const [lastChange] = useState(() => new LastChangeStore());
  const tab = tabs.find((option) => option === searchParams.get('tab')) ?? 'tags';
  const chooseTab = (next: unknown): void => {
    const nextParams = new URLSearchParams(searchParams);
    nextParams.set('tab', String(next));
    nextParams.delete('search');
    setSearchParams(nextParams, { replace: true });
  };
  const renderPanel = (): React.ReactNode => {
    if (locations.state === 'failed')
      return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
    if (locations.state === 'loading') return <ListSkeleton />;
    if (!location) return <EmptyState title={t('tour.panoramas.noLocation')} message={t('tour.tags.noLocationHint')} />;
    return tab === 'tags' ? (
      <TagsPanel location={location} lastChange={lastChange} />
    ) : (
      <DocumentsPanel location={location} lastChange={lastChange} />
    );
  };
  return (
    <>
      <PageTitle title={t('tour.tagContent')} hint={t('tour.tagContent.hint')} />
      {location === undefined ? null : (
        <div className={styles.bar}>
          <div className={styles.choice}>
            <LocationChoice label={t('tour.panoramas.location')} value={location.uid} onChange={setLocation} />
          </div>
          <TabList selectedValue={tab} onTabSelect={(_, { value }) => chooseTab(value)}>
            <Tab value="tags">{t('tour.tags.tab')}</Tab>
            <Tab value="documents">{t('tour.documents.title')}</Tab>
          </TabList>
        </div>
      )}
      <LastChangeLine lastChange={lastChange} />
      {renderPanel()}
    </>
  );
});
export default TagsScreen;
