import type { LocationNode } from '#core';

/** A location and all below it, parents before children. */
export const listLocations = (location: LocationNode): readonly LocationNode[] => [
  location,
  ...location.children.flatMap(listLocations),
];
