import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { useImageLoad } from './use-image-load.ts';

const useStyles = makeStyles({
  picture: {
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    display: 'block',
    backgroundColor: tokens.colorNeutralBackground4,
  },
  initials: {
    display: 'grid',
    placeItems: 'center',
    background: `linear-gradient(135deg, ${tokens.colorBrandBackground}, ${tokens.colorBrandBackgroundPressed})`,
    color: tokens.colorNeutralForegroundOnBrand,
    fontSize: tokens.fontSizeHero800,
    fontWeight: tokens.fontWeightSemibold,
  },
});

/** The image of a location, or its initials on the brand colour. It is decorative because the name is next to it. */
export function LocationPicture({
  url,
  name,
  className,
}: {
  readonly url: string | undefined;
  readonly name: string;
  readonly className?: string;
}) {
  const styles = useStyles();
  const { state, onLoad, onError } = useImageLoad(url);
  if (url !== undefined && state !== 'failed')
    return (
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        className={mergeClasses(styles.picture, className)}
        onLoad={onLoad}
        onError={onError}
      />
    );
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  return (
    <span aria-hidden="true" className={mergeClasses(styles.picture, styles.initials, className)}>
      {initials}
    </span>
  );
}
