import { useNavigate } from 'react-router-dom';
import type { LocationNode } from '#core';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { useText } from '#core/web';
import type { LocationPictures } from '../../contract/index.ts';

const useStyles = makeStyles({
  root: {
    position: 'relative',
    margin: 0,
    overflow: 'hidden',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground4,
    aspectRatio: '1980 / 1080',
  },
  picture: { display: 'block', width: '100%', height: '100%', objectFit: 'cover' },
  areas: { position: 'absolute', inset: 0, width: '100%', height: '100%' },
  area: {
    fill: 'rgba(255, 255, 255, 0.06)',
    stroke: '#ffffff',
    strokeWidth: '1.5px',
    vectorEffect: 'non-scaling-stroke',
    cursor: 'pointer',
    transitionProperty: 'fill',
    transitionDuration: tokens.durationNormal,
    ':focus-visible': { outlineStyle: 'none', strokeWidth: '4px', fill: 'rgba(255, 255, 255, 0.35)' },
  },
  highlighted: { fill: 'rgba(255, 255, 255, 0.4)', strokeWidth: '3px' },
});

export interface NavigationPictureProps {
  readonly location: LocationNode;
  readonly pictures: LocationPictures & { readonly navigationImage: string };
  /** Returns the address of a unit, or undefined if it has none. A unit without an address is not shown as an area. */
  readonly addressOfUnit: (uid: string) => string | undefined;
  readonly findUnit: (uid: string) => LocationNode | undefined;
  readonly highlighted: string | undefined;
  readonly onHighlight: (uid: string | undefined) => void;
}

/** The navigation image of a location with its units as areas. The hovered unit is highlighted here and in the tree. */
export function NavigationPicture({
  location,
  pictures,
  addressOfUnit,
  findUnit,
  highlighted,
  onHighlight,
}: NavigationPictureProps) {
  const styles = useStyles();
  const t = useText();
  const navigate = useNavigate();
  return (
    <figure className={styles.root}>
      <img
        className={styles.picture}
        src={pictures.navigationImage}
        alt={t('locations.unit.pictureOf', { name: location.name })}
        width={1980}
        height={1080}
      />
      <svg className={styles.areas} viewBox="0 0 1 1" preserveAspectRatio="none">
        {pictures.areas.map(({ location: uid, polygon }) => {
          const unit = findUnit(uid);
          const address = addressOfUnit(uid);
          if (!unit || address === undefined) return null;
          const open = (): void => void navigate(address);
          return (
            <polygon
              key={uid}
              points={polygon.map((corner) => corner.join(',')).join(' ')}
              className={mergeClasses(styles.area, highlighted === uid && styles.highlighted)}
              role="link"
              tabIndex={0}
              aria-label={t('locations.unit.open', { name: unit.name })}
              onClick={open}
              onKeyDown={(event) => {
                if (event.key === 'Enter') open();
              }}
              onPointerEnter={() => onHighlight(uid)}
              onPointerLeave={() => onHighlight(undefined)}
              onFocus={() => onHighlight(uid)}
              onBlur={() => onHighlight(undefined)}
            >
              <title>{unit.name}</title>
            </polygon>
          );
        })}
      </svg>
    </figure>
  );
}
