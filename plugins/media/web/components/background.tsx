import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { HttpClient, useResource, useService } from '#core/web';
import type { BackgroundKind } from '#plugins/media';
import type { getBackgrounds } from '#plugins/media/api';

const useStyles = makeStyles({
  picture: {
    display: 'block',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    opacity: 0,
    transitionProperty: 'opacity',
    transitionDuration: tokens.durationSlow,
    '@media (prefers-reduced-motion: reduce)': { transitionDuration: '0s' },
  },
  shown: { opacity: 1 },
  banner: {
    height: 'clamp(96px, 22vh, 240px)',
    marginBottom: tokens.spacingVerticalL,
    overflow: 'hidden',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground4,
  },
  fullArea: { position: 'absolute', inset: 0, zIndex: -1 },
  cardEnd: {
    display: 'block',
    position: 'relative',
    width: '140px',
    maskImage: 'linear-gradient(to right, transparent, black 32px)',
    '& > img': { position: 'absolute', inset: 0 },
    '@media (max-width: 599px)': { display: 'none' },
  },
});

export interface BackgroundProps {
  /** Uid of the location. */
  readonly location: string;
}

/** The background of a site, above the list of its units. */
export const SiteBackground = observer(function SiteBackground({ location }: BackgroundProps) {
  const styles = useStyles();
  const url = useBackground('LOCATION', location);
  return url === undefined ? null : (
    <div className={styles.banner}>
      <BackgroundPicture url={url} />
    </div>
  );
});

/** The background of a tour behind the message that it is loading. */
export const TourBackground = observer(function TourBackground({ location }: BackgroundProps) {
  const styles = useStyles();
  const url = useBackground('TOUR', location);
  return url === undefined ? null : (
    <div className={styles.fullArea}>
      <BackgroundPicture url={url} />
    </div>
  );
});

/** The background of a tour at the end of the card that leads to it. */
export const CardBackground = observer(function CardBackground({ location }: BackgroundProps) {
  const styles = useStyles();
  const url = useBackground('TOUR', location);
  return url === undefined ? null : (
    <span className={styles.cardEnd}>
      <BackgroundPicture url={url} />
    </span>
  );
});

/** Returns the URL of a random background. Undefined if there is none or loading fails, because it is only decoration. */
function useBackground(kind: BackgroundKind, location: string): string | undefined {
  const http = useService(HttpClient);
  const [fraction] = useState(() => Math.random());
  const backgrounds = useResource(
    (signal) =>
      http.call<typeof getBackgrounds>(
        'GET',
        '/api/media/locations/:location/backgrounds',
        { params: { location } },
        { signal },
      ),
    [http, location],
  );
  const images = backgrounds.value?.[kind].images ?? [];
  return images[Math.floor(fraction * images.length)]?.address;
}

/** Fills its container, and fades in once it is loaded. */
function BackgroundPicture({ url }: { readonly url: string }) {
  const styles = useStyles();
  const [isLoaded, setLoaded] = useState(false);
  return (
    <img
      src={url}
      alt=""
      decoding="async"
      fetchPriority="low"
      className={mergeClasses(styles.picture, isLoaded && styles.shown)}
      onLoad={() => setLoaded(true)}
    />
  );
}
