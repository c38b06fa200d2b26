import { observer } from 'mobx-react-lite';
import type { LocationNode } from '#core';
import { makeStyles, mergeClasses, Text, tokens } from '#core/ui';
import { RouteLink, useService, useText } from '#core/web';
import { unit } from '../../contract/index.ts';
import { LocationPicturesStore } from '../stores/location-pictures-store.ts';
import { LocationPicture } from './location-picture.tsx';

const useStyles = makeStyles({
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: tokens.spacingHorizontalXL,
    padding: 0,
    margin: 0,
    listStyleType: 'none',
  },
  rows: { display: 'grid', gap: tokens.spacingVerticalXS, padding: 0, margin: 0, listStyleType: 'none' },
  link: {
    display: 'block',
    boxSizing: 'border-box',
    height: '100%',
    overflow: 'hidden',
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    boxShadow: tokens.shadow4,
    transitionProperty: 'box-shadow, border-color',
    transitionDuration: tokens.durationNormal,
    '@media (prefers-reduced-motion: reduce)': { transitionDuration: '0s' },
    ':hover': { boxShadow: tokens.shadow16, border: `1px solid ${tokens.colorBrandStroke1}` },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  picture: { display: 'block', height: '160px' },
  text: {
    display: 'grid',
    gap: '2px',
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL}`,
    minHeight: '72px',
  },
  rowLink: {
    display: 'grid',
    gridTemplateColumns: '56px 1fr auto',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    boxShadow: 'none',
    paddingRight: tokens.spacingHorizontalL,
  },
  rowPicture: { display: 'block', height: '56px', fontSize: tokens.fontSizeBase400 },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** Links to locations, as cards with images or as a list. */
export const LocationCards = observer(function LocationCards({
  locations,
  view,
}: {
  readonly locations: readonly LocationNode[];
  readonly view: 'cards' | 'list';
}) {
  const styles = useStyles();
  const t = useText();
  const pictures = useService(LocationPicturesStore);
  return (
    <ul className={view === 'cards' ? styles.cards : styles.rows}>
      {locations.map((location) => {
        const ownPictures = pictures.find(location.uid);
        const unitCount = t('locations.home.units', { count: location.children.length });
        return (
          <li key={location.uid}>
            {view === 'cards' ? (
              <RouteLink to={unit} params={{ location: location.uid }} className={styles.link}>
                <span className={styles.picture}>
                  <LocationPicture
                    url={ownPictures?.navigationImage ?? ownPictures?.icon ?? undefined}
                    name={location.name}
                  />
                </span>
                <span className={styles.text}>
                  <Text weight="semibold" size={400}>
                    {location.name}
                  </Text>
                  {location.label === '' || location.label === location.name ? null : (
                    <Text className={styles.quiet}>{location.label}</Text>
                  )}
                  <Text className={styles.quiet}>{unitCount}</Text>
                </span>
              </RouteLink>
            ) : (
              <RouteLink
                to={unit}
                params={{ location: location.uid }}
                className={mergeClasses(styles.link, styles.rowLink)}
              >
                <span className={styles.rowPicture}>
                  <LocationPicture
                    url={ownPictures?.icon ?? undefined}
                    name={location.name}
                    className={styles.rowPicture}
                  />
                </span>
                <Text weight="semibold">{location.name}</Text>
                <Text className={styles.quiet}>{unitCount}</Text>
              </RouteLink>
            )}
          </li>
        );
      })}
    </ul>
  );
});
