import { useContributions, useService } from '#core/web';
import { tourModules, TourStore } from '#plugins/tour';

/**
 * Whether a visible module has a view direction. In contrast to its surface, it is known while the module loads, so
 * that tools stay in their place.
 */
export function useHasView(): boolean {
  const { category, secondaryModule } = useService(TourStore);
  return useContributions(tourModules).some(
    ({ id, viewType }) => viewType !== undefined && (id === category || id === secondaryModule),
  );
}
