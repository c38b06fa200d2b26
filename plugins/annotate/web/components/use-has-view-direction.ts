import { useContributions, useService } from '#core/web';
import { tourModules, TourStore } from '#plugins/tour';

/**
 * Whether a visible module has a view direction. This is known before the surface of a loading module, so tools do not
 * disappear while it loads.
 */
export function useHasViewDirection(): boolean {
  const { category, secondaryModule } = useService(TourStore);
  return useContributions(tourModules).some(
    ({ id, viewType }) => viewType !== undefined && (id === category || id === secondaryModule),
  );
}
