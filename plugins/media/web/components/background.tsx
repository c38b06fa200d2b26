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
  window: { position: 'absolute', inset: 0, zIndex: -1 },
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

/** The background of a site above its units. */
export const SiteBackground = observer(function SiteBackground({ location }: BackgroundProps) {
  const styles = useStyles();
  const address = useBackground('LOCATION', location);
  return address === undefined ? null : (
    <div className={styles.banner}>
      <BackgroundPicture address={address} />
    </div>
  );
});

/** The background of a tour behind the message that it is loading. */
export const TourBackground = observer(function TourBackground({ location }: BackgroundProps) {
  const styles = useStyles();
  const address = useBackground('TOUR', location);
  return address === undefined ? null : (
    <div className={styles.window}>
      <BackgroundPicture address={address} />
    </div>
  );
});

/** The background of a tour at the end of the card that leads to it. */
export const CardBackground = observer(function CardBackground({ location }: BackgroundProps) {
  const styles = useStyles();
  const address = useBackground('TOUR', location);
  return address === undefined ? null : (
    <span className={styles.cardEnd}>
      <BackgroundPicture address={address} />
    </span>
  );
});

/** Returns the address of a random background. Undefined if there is none, or if loading fails: it is decoration. */
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
function BackgroundPicture({ address }: { readonly address: string }) {
  const styles = useStyles();
  const [isLoaded, setLoaded] = useState(false);
  return (
    <img
      src={address}
      alt=""
      decoding="async"
      fetchPriority="low"
      className={mergeClasses(styles.picture, isLoaded && styles.shown)}
      onLoad={() => setLoaded(true)}
    />
  );
}
