import { extensionPoint, type Contribution, type RouteRef } from '#core';

/** A screen that opens a unit, such as its tour. A unit links to the first such screen that the person can access. */
export interface LocationScreen extends Contribution {
  readonly to: RouteRef<`${string}/:location`>;
}
export const locationScreens = extensionPoint<LocationScreen>('locations.screen');
