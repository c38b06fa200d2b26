import { Access, Locations, useService } from '#core/web';

/**
 * Returns a function that says whether the person's roles give access to a location. The list also contains its
 * ancestors, which they may see and not change. Must be called in an observer.
 */
export function useCanChange(): (uid: string) => boolean {
  const { locations: accessibleLocations } = useService(Access).info;
  const locations = useService(Locations);
  return (uid) =>
    accessibleLocations === 'ALL' || locations.pathTo(uid).some((node) => accessibleLocations.includes(node.uid));
}
