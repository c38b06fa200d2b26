import { useEffect } from 'react';
import { autorun } from 'mobx';
import { useService } from '#core/web';
import { PanoramaEngines, TourLayout } from '#plugins/tour';

/** Registers the areas under the visible frame as covered, so that panoramas hide their pins there. */
export function useCoveredAreas(visible: boolean): void {
  const engines = useService(PanoramaEngines);
  const layout = useService(TourLayout);
  useEffect(
    () => autorun(() => engines.setCoveredAreas(visible ? layout.coveredAreas : [])),
    [engines, layout, visible],
  );
}
