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

export interface BackdropProps {
  /** Uid of the location. */
  readonly location: string;
}

/** The background of a site above its units. */
export const SiteBackdrop = observer(function SiteBackdrop({ location }: BackdropProps) {
  const styles = useStyles();
  const address = useBackground('LOCATION', location);
  return address === undefined ? null : (
    <div className={styles.banner}>
      <BackdropPicture address={address} />
    </div>
  );
});

/** The background of a tour behind the message that it is loading. */
export const TourBackdrop = observer(function TourBackdrop({ location }: BackdropProps) {
  const styles = useStyles();
  const address = useBackground('TOUR', location);
  return address === undefined ? null : (
    <div className={styles.window}>
      <BackdropPicture address={address} />
    </div>
  );
});

/** The background of a tour at the end of the card that leads to it. */
export const CardBackdrop = observer(function CardBackdrop({ location }: BackdropProps) {
  const styles = useStyles();
  const address = useBackground('TOUR', location);
  return address === undefined ? null : (
    <span className={styles.cardEnd}>
      <BackdropPicture address={address} />
    </span>
  );
});

/** One of the backgrounds, another one at each visit. Undefined without one or after a failure: it is decoration. */
function useBackground(kind: BackgroundKind, location: string): string | undefined {
  const http = useService(HttpClient);
  const [share] = useState(() => Math.random());
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
  return images[Math.floor(share * images.length)]?.address;
}

/** Covers its place once it is loaded. */
function BackdropPicture({ address }: { readonly address: string }) {
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
