import { extensionPoint, type Contribution, type RouteRef } from '#core';

/** A screen that opens a unit, such as its tour. A unit links to the first one that the person may use. */
export interface LocationScreen extends Contribution {
  readonly to: RouteRef<`${string}/:location`>;
}
export const locationScreens = extensionPoint<LocationScreen>('locations.screen');
