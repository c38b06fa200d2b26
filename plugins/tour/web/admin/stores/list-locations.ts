import type { LocationNode } from '#core';

/** Lists a location and its descendants, parents before children. */
export const listLocations = (location: LocationNode): readonly LocationNode[] => [
  location,
  ...location.children.flatMap(listLocations),
];
