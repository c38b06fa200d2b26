import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import {
  Button,
  EmptyState,
  FailedState,
  ListSkeleton,
  makeStyles,
  mergeClasses,
  PageTitle,
  SearchBox,
  tokens,
  useRestoreFocusTarget,
} from '#core/ui';
import { LastChangeLine } from '#core/ui-data';
import { Access, HttpClient, Locations, usePluginSettings, useService, useText } from '#core/web';
import type manifest from '../../../plugin.ts';
import { ChevronIcon } from '../components/chevron-icon.tsx';
import { LocationDetails } from '../components/location-details.tsx';
import { LocationDialogs, type LocationDialogKind } from '../components/location-dialogs.tsx';
import { LocationTree } from '../components/location-tree.tsx';
import { SitesMessages } from '../components/sites-messages.tsx';
import { LocationMutations } from '../stores/location-mutations.ts';
import { PictureMutations } from '../stores/picture-mutations.ts';
import { useCanChangeLocation } from '../stores/use-can-change-location.ts';
import { useLocationMoves } from '../stores/use-location-moves.ts';
import { useLocationSelection } from '../stores/use-location-selection.ts';

const stackedQuery = '(max-width: 899px)';

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    gap: tokens.spacingHorizontalXL,
    alignItems: 'start',
    [`@media ${stackedQuery}`]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  column: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM },
  search: { maxWidth: 'none' },
  hiddenIfStacked: { [`@media ${stackedQuery}`]: { display: 'none' } },
  onlyStacked: { display: 'none', [`@media ${stackedQuery}`]: { display: 'inline-flex' } },
  back: { justifySelf: 'start' },
  hint: { margin: 0, padding: tokens.spacingHorizontalL, color: tokens.colorNeutralForeground2 },
});

/**
 * Shows the tree of all sites, units, levels and groups, and changes them. The URL contains the selected location and
 * the search text; `?add=site` opens the dialog for a new site.
 */
const SitesScreen = observer(function SitesScreen() {
  const styles = useStyles();
  const t = useText();
  const locations = useService(Locations);
  const http = useService(HttpClient);
  const canAccessAll = useService(Access).info.locations === 'ALL';
  const canChange = useCanChangeLocation();
  const hasOrder = !usePluginSettings<typeof manifest>().alphabetical;
  const [mutations] = useState(() => new LocationMutations(http, locations));
  const [pictures] = useState(() => new PictureMutations(http, mutations));
  const [dialog, setDialog] = useState<Exclude<LocationDialogKind, 'addSite'>>();
  const selection = useLocationSelection(stackedQuery, dialog !== undefined);
  const { selected } = selection;
  const moves = useLocationMoves(mutations, hasOrder);
  const opener = useRestoreFocusTarget();
  // The heading of a new screen takes the focus. Dialogs open only afterwards, so that they keep the focus.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    setMounted(true);
    void locations.load();
  }, [locations]);
  // The dialog of a deleted location must not open again for the next selected location.
  if (!selected && dialog !== undefined) setDialog(undefined);
  const isAddingSite = isMounted && canAccessAll && selection.isAddingSite;

  const addSite = canAccessAll ? (
    <Button {...opener} appearance="primary" onClick={() => selection.setAddingSite(true)}>
      {t(locations.roots.length === 0 ? 'locations.sites.addFirst' : 'locations.sites.addSite')}
    </Button>
  ) : undefined;

  const renderContent = (): React.ReactNode => {
    if (locations.state === 'loading') return <ListSkeleton />;
    if (locations.state === 'failed')
      return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
    if (locations.roots.length === 0)
      return (
        <EmptyState
          title={t('locations.sites.none')}
          message={t(canAccessAll ? 'locations.sites.noneHint' : 'locations.home.emptyHint')}
          action={addSite}
        />
      );
    return (
      <div className={styles.columns}>
        <div className={mergeClasses(styles.column, selected && styles.hiddenIfStacked)}>
          <SearchBox
            className={styles.search}
            value={selection.query}
            placeholder={t('locations.sites.search')}
            aria-label={t('locations.sites.search')}
            onChange={(_, { value }) => selection.setQuery(value)}
          />
          <LocationTree
            label={t('locations.sites.title')}
            roots={locations.roots}
            query={selection.query}
            selected={selected?.uid}
            onSelect={(uid) => void selection.select(uid)}
            maxHeight="max(320px, calc(100dvh - 320px))"
            drag={moves.drag}
          />
        </div>
        <div className={mergeClasses(styles.column, !selected && styles.hiddenIfStacked)}>
          {selected ? (
            <>
              <Button
                className={mergeClasses(styles.onlyStacked, styles.back)}
                icon={<ChevronIcon direction="left" />}
                onClick={() => void selection.select(undefined)}
              >
                {t('locations.sites.back')}
              </Button>
              <LocationDetails
                key={selected.uid}
                location={selected}
                siblings={moves.listSiblings(selected)}
                headingRef={selection.heading}
                canChange={canChange(selected.uid)}
                canMove={moves.canMove(selected)}
                hasOrder={hasOrder}
                mutations={mutations}
                pictures={pictures}
                onAdd={() => setDialog('add')}
                onEdit={() => setDialog('edit')}
                onMove={() => setDialog('move')}
                onStep={(before) => void moves.move(selected, { parent: selected.parent, before })}
                onDelete={() => setDialog('delete')}
              />
            </>
          ) : (
            <p className={styles.hint}>{t('locations.sites.choose')}</p>
          )}
        </div>
      </div>
    );
  };

  return (
    <>
      <PageTitle
        title={t('locations.sites.title')}
        hint={t('locations.sites.hint')}
        {...(locations.roots.length === 0 ? {} : { actions: addSite })}
      />
      <LastChangeLine lastChange={mutations.lastChange} />
      <SitesMessages moveFailure={moves.failure} isGone={selection.isGone} />
      {renderContent()}
      <LocationDialogs
        kind={isAddingSite ? 'addSite' : dialog}
        selected={selected}
        hasOrder={hasOrder}
        mutations={mutations}
        onSelect={(uid) => void selection.clearSearchAndSelect(uid)}
        onClose={() => (isAddingSite ? selection.setAddingSite(false) : setDialog(undefined))}
      />
    </>
  );
});
export default SitesScreen;
