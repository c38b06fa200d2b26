import { useNavigate } from 'react-router-dom';
import type { LocationNode } from '#core';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { useText } from '#core/web';
import type { UnitTarget } from '../stores/use-unit-target.ts';
import type { LocationPictures } from '../../contract/index.ts';
import type { ImageLoad } from './use-image-load.ts';

const narrow = '@media (max-width: 639px)';

const useStyles = makeStyles({
  root: {
    position: 'relative',
    margin: 0,
    overflow: 'hidden',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground4,
  },
  // `width` and `height` of the image reserve the usual space. Areas are fractions of the actual image.
  picture: { display: 'block', width: '100%', height: 'auto' },
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
  empty: { cursor: 'default', strokeDasharray: '6 4' },
  note: {
    position: 'absolute',
    padding: `2px ${tokens.spacingHorizontalS}`,
    pointerEvents: 'none',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    borderRadius: tokens.borderRadiusMedium,
  },
  areaNote: { transform: 'translate(-50%, -50%)', [narrow]: { display: 'none' } },
  // The notes of the areas would cover each other on a small picture.
  legend: {
    display: 'none',
    left: tokens.spacingHorizontalS,
    bottom: tokens.spacingHorizontalS,
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    [narrow]: { display: 'flex' },
  },
  swatch: { width: '20px', height: '10px', border: `1.5px dashed ${tokens.colorNeutralForeground1}` },
  highlighted: { fill: 'rgba(255, 255, 255, 0.4)', strokeWidth: '3px' },
});

export interface NavigationPictureProps {
  readonly location: LocationNode;
  readonly pictures: LocationPictures & { readonly navigationImage: string };
  readonly imageLoad: ImageLoad;
  /** Undefined until the targets are known. Areas are shown only afterwards. */
  readonly findTarget: ((uid: string) => UnitTarget) | undefined;
  readonly findUnit: (uid: string) => LocationNode | undefined;
  readonly highlighted: string | undefined;
  readonly onHighlight: (uid: string | undefined) => void;
}

/**
 * The navigation image of a location with its units as areas. The hovered unit is highlighted here and in the tree.
 * Units without a tour are marked. If no plugin has a screen for units, there are no areas.
 */
export function NavigationPicture({
  location,
  pictures,
  imageLoad,
  findTarget,
  findUnit,
  highlighted,
  onHighlight,
}: NavigationPictureProps) {
  const styles = useStyles();
  const t = useText();
  const navigate = useNavigate();
  const areas = pictures.areas.flatMap(({ location: uid, polygon }) => {
    const unit = findUnit(uid);
    const target = findTarget?.(uid);
    return unit && target && (target.isEmpty || target.url !== undefined) ? [{ unit, polygon, ...target }] : [];
  });
  return (
    <figure className={styles.root}>
      {imageLoad.state === 'failed' ? null : (
        <img
          className={styles.picture}
          src={pictures.navigationImage}
          alt={t('locations.unit.pictureOf', { name: location.name })}
          width={1980}
          height={1080}
          onLoad={imageLoad.onLoad}
          onError={imageLoad.onError}
        />
      )}
      <svg className={styles.areas} viewBox="0 0 1 1" preserveAspectRatio="none">
        {areas.map(({ unit: { uid, name }, polygon, url }) => {
          const points = polygon.map((corner) => corner.join(',')).join(' ');
          const className = mergeClasses(
            styles.area,
            url === undefined && styles.empty,
            highlighted === uid && styles.highlighted,
          );
          if (url === undefined)
            return (
              <polygon
                key={uid}
                points={points}
                className={className}
                role="img"
                aria-label={t('locations.unit.emptyArea', { name })}
                onPointerEnter={() => onHighlight(uid)}
                onPointerLeave={() => onHighlight(undefined)}
              >
                <title>{t('locations.unit.emptyArea', { name })}</title>
              </polygon>
            );
          const open = (): void => void navigate(url);
          return (
            <polygon
              key={uid}
              points={points}
              className={className}
              role="link"
              tabIndex={0}
              aria-label={t('locations.unit.open', { name })}
              onClick={open}
              onKeyDown={(event) => {
                if (event.key === 'Enter') open();
              }}
              onPointerEnter={() => onHighlight(uid)}
              onPointerLeave={() => onHighlight(undefined)}
              onFocus={() => onHighlight(uid)}
              onBlur={() => onHighlight(undefined)}
            >
              <title>{name}</title>
            </polygon>
          );
        })}
      </svg>
      {areas.map(({ unit: { uid }, polygon, isEmpty }) =>
        isEmpty ? (
          <span
            key={uid}
            className={mergeClasses(styles.note, styles.areaNote)}
            style={{ left: `${computeMean(polygon, 0) * 100}%`, top: `${computeMean(polygon, 1) * 100}%` }}
            aria-hidden="true"
          >
            {t('locations.unit.noTour')}
          </span>
        ) : null,
      )}
      {areas.some(({ isEmpty }) => isEmpty) ? (
        <span className={mergeClasses(styles.note, styles.legend)} aria-hidden="true">
          <span className={styles.swatch} />
          {t('locations.unit.noTour')}
        </span>
      ) : null}
    </figure>
  );
}

const computeMean = (polygon: LocationPictures['areas'][number]['polygon'], axis: 0 | 1): number =>
  polygon.reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) / polygon.length;
