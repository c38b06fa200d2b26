import { when } from 'mobx';
import { useEffect, useState } from 'react';
import { useService } from '#core/web';
import { ViewSurfaces, type TourModule } from '#plugins/tour';

/**
 * Milliseconds after which what is beside the picture is fetched although the picture is not there: it may never come.
 */
const timeoutMs = 8_000;

/** True from when the first picture of the tour is on screen: on a slow line nothing large is fetched beside it. */
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
