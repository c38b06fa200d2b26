import type { LocationNode } from '#core';
import { Locations, useService } from '#core/web';
import { listLocations } from './list-locations.ts';

/** Returns the uid of the topmost accessible ancestor, where lines and documents of the whole site are found. */
export function useSearchLocation({ uid }: LocationNode): string {
  const { roots } = useService(Locations);
  return roots.find((root) => listLocations(root).some((location) => location.uid === uid))?.uid ?? uid;
}
