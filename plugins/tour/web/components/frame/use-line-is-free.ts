import { when } from 'mobx';
import { useEffect, useState } from 'react';
import { useService } from '#core/web';
import { ViewSurfaces, type TourModule } from '#plugins/tour';

/** Milliseconds after which secondary images are fetched even without a picture, which may have failed. */
const timeoutMs = 8_000;

/**
 * True once the first picture of the tour is on screen: large secondary images must not delay it on a slow connection.
 */
export function useLineIsFree({ viewType }: Pick<TourModule, 'viewType'>): boolean {
  const surfaces = useService(ViewSurfaces);
  const hasPicture = viewType !== undefined;
  const [free, setFree] = useState(!hasPicture);
  useEffect(() => {
    if (free) return undefined;
    if (!hasPicture) {
      setFree(true);
      return undefined;
    }
    const shown = new AbortController();
    const done = (): void => {
      if (!shown.signal.aborted) setFree(true);
    };
    when(() => surfaces.all.length > 0, { signal: shown.signal })
      .then(() => surfaces.all[0]?.ready?.())
      .then(done, () => undefined);
    const timer = setTimeout(done, timeoutMs);
    return () => {
      shown.abort();
      clearTimeout(timer);
    };
  }, [surfaces, hasPicture, free]);
  return free;
}
