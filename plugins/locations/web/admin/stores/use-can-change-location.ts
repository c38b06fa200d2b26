import { Access, Locations, useService } from '#core/web';

/**
 * Returns whether the person may change a location. `Locations` also contains ancestors, which the person may see but
 * not change. Only the locations of `Access` and their descendants may be changed. Must be used in an observer, which
 * must also call the returned function.
 */
export function useCanChangeLocation(): (locationUid: string) => boolean {
  const { locations: accessibleLocations } = useService(Access).info;
  const locations = useService(Locations);
  return (locationUid) =>
    accessibleLocations === 'ALL' ||
    locations.pathTo(locationUid).some((node) => accessibleLocations.includes(node.uid));
}
