import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import {
  CardsSkeleton,
  EmptyState,
  FailedState,
  ListSkeleton,
  makeStyles,
  NoAccessActions,
  PageTitle,
  tokens,
} from '#core/ui';
import { ContributedComponent, Locations, RouteLink, useContributions, useService, useText } from '#core/web';
import { home, locationBackgrounds } from '../../contract/index.ts';
import { LocationPicturesStore } from '../stores/location-pictures-store.ts';
import { NavigationPicture } from '../components/navigation-picture.tsx';
import { OfflineNote } from '../components/offline-note.tsx';
import { RetryablePicture } from '../components/retryable-picture.tsx';
import { UnitTree } from '../components/unit-tree.tsx';
import { useImageLoad } from '../components/use-image-load.ts';
import { useLoadLocations } from '../stores/use-load-locations.ts';
import { useUnitTarget } from '../stores/use-unit-target.ts';

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 3fr) minmax(300px, 2fr)',
    gap: tokens.spacingHorizontalXXL,
    alignItems: 'start',
    '@media (max-width: 899px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  alone: { gridTemplateColumns: 'minmax(0, 720px)' },
});

/** The unit selection of one location, with its navigation image on the left and its tree on the right. */
const UnitScreen = observer(function UnitScreen() {
  const styles = useStyles();
  const t = useText();
  const { location: uid = '' } = useParams();
  const locations = useService(Locations);
  const pictures = useService(LocationPicturesStore);
  const findTarget = useUnitTarget();
  const backgrounds = useContributions(locationBackgrounds).filter(({ place }) => place === 'screen');
  const [highlighted, setHighlighted] = useState<string>();
  useLoadLocations();

  const ownPictures = pictures.find(uid);
  const navigationImage = ownPictures?.navigationImage ?? undefined;
  const imageLoad = useImageLoad(navigationImage);

  const renderContent = (): React.ReactNode => {
    if (locations.state === 'loading') return <CardsSkeleton />;
    if (locations.state === 'failed')
      return <FailedState heading="h1" error={locations.failure} onRetry={() => void locations.load()} />;
    const location = locations.find(uid);
    const backHome = <RouteLink to={home}>{t('locations.unit.backHome')}</RouteLink>;
    if (!location)
      return (
        <EmptyState
          heading="h1"
          title={t('locations.unit.unknown')}
          message={t('locations.unit.unknownHint')}
          action={
            <>
              <NoAccessActions feature="anyLocation" />
              {backHome}
            </>
          }
        />
      );
    return (
      <>
        {backgrounds.map((background) => (
          <ContributedComponent
            key={`${background.id} ${uid}`}
            contribution={background}
            load={background.load}
            props={{ location: uid }}
          />
        ))}
        <PageTitle title={location.name} hint={t('locations.unit.title')} />
        {location.children.length === 0 ? (
          <EmptyState title={t('locations.unit.empty')} message={t('locations.unit.emptyHint')} action={backHome} />
        ) : (
          <div className={navigationImage === undefined && !pictures.failed ? styles.alone : styles.columns}>
            <RetryablePicture
              failed={pictures.failed || imageLoad.state !== 'shown'}
              retrying={pictures.retrying || imageLoad.state === 'retrying'}
              onRetry={() => (pictures.failed ? void pictures.load() : imageLoad.retry())}
            >
              {ownPictures === undefined || navigationImage === undefined ? null : (
                <NavigationPicture
                  location={location}
                  pictures={{ ...ownPictures, navigationImage }}
                  imageLoad={imageLoad}
                  findTarget={findTarget}
                  findUnit={(unit) => locations.find(unit)}
                  highlighted={highlighted}
                  onHighlight={setHighlighted}
                />
              )}
            </RetryablePicture>
            {findTarget ? (
              <nav aria-label={t('locations.unit.tree', { name: location.name })}>
                <UnitTree
                  locations={location.children}
                  findTarget={findTarget}
                  highlighted={highlighted}
                  onHighlight={setHighlighted}
                />
              </nav>
            ) : (
              <ListSkeleton />
            )}
          </div>
        )}
      </>
    );
  };

  return (
    <>
      <OfflineNote />
      {renderContent()}
    </>
  );
});
export default UnitScreen;
