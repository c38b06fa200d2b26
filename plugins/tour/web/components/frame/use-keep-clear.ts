import { useEffect } from 'react';
import { autorun } from 'mobx';
import { useService } from '#core/web';
import { PanoramaEngines, TourLayout } from '#plugins/tour';

/** Keeps the panoramas' pins from under what floats over them, as far as that is shown. */
export function useKeepClear(shown: boolean): void {
  const engines = useService(PanoramaEngines);
  const layout = useService(TourLayout);
  useEffect(() => autorun(() => engines.keepClear(shown ? layout.covers : [])), [engines, layout, shown]);
}
