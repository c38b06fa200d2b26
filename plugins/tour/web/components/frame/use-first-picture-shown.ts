import { when } from 'mobx';
import { useEffect, useState } from 'react';
import { useService } from '#core/web';
import { ViewSurfaces, type TourModule } from '#plugins/tour';

/** Secondary images are fetched after this time even without a picture, because the picture may have failed. */
const timeoutMs = 8_000;

/**
 * True once the first picture of the tour is on screen. Until then, large secondary images are not fetched, because
 * they would delay the picture on a slow connection.
 */
export function useFirstPictureShown({ viewType }: Pick<TourModule, 'viewType'>): boolean {
  const surfaces = useService(ViewSurfaces);
  const hasPicture = viewType !== undefined;
  const [shown, setShown] = useState(!hasPicture);
  useEffect(() => {
    if (shown) return undefined;
    if (!hasPicture) {
      setShown(true);
      return undefined;
    }
    const abort = new AbortController();
    const finish = (): void => {
      if (!abort.signal.aborted) setShown(true);
    };
    when(() => surfaces.all.length > 0, { signal: abort.signal })
      .then(() => surfaces.all[0]?.ready?.())
      .then(finish, () => undefined);
    const timer = setTimeout(finish, timeoutMs);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [surfaces, hasPicture, shown]);
  return shown;
}
