import type { LocationNode } from '#core';
import { Locations, useService } from '#core/web';
import { listLocations } from './list-locations.ts';

/** Uid of the highest accessible location above a location, at which lines and documents of its site are found. */
export function useSearchPlace({ uid }: LocationNode): string {
  const { roots } = useService(Locations);
  return roots.find((root) => listLocations(root).some((each) => each.uid === uid))?.uid ?? uid;
}
