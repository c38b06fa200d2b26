import { useEffect } from 'react';
import { autorun } from 'mobx';
import { useService } from '#core/web';
import { PanoramaEngines, TourLayout } from '#plugins/tour';

/** Hides the panoramas' pins under the frame while the frame is visible. */
export function useKeepClear(visible: boolean): void {
  const engines = useService(PanoramaEngines);
  const layout = useService(TourLayout);
  useEffect(() => autorun(() => engines.keepClear(visible ? layout.covers : [])), [engines, layout, visible]);
}
