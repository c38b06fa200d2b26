import { Access, Locations, useService } from '#core/web';

/**
 * Returns a function that says whether the person may change a location. The list of locations also contains the
 * ancestors of accessible locations, which the person may only see. Must be called in an observer.
 */
export function useCanChange(): (uid: string) => boolean {
  const { locations: accessibleLocations } = useService(Access).info;
  const locations = useService(Locations);
  return (uid) =>
    accessibleLocations === 'ALL' || locations.pathTo(uid).some((node) => accessibleLocations.includes(node.uid));
}
