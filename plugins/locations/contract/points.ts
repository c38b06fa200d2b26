import type { ComponentType } from 'react';
import { extensionPoint, type Contribution, type Endpoint, type ReplyOf, type RequestOf, type RouteRef } from '#core';

/** The part of the browser's `HttpClient` that calls endpoints. */
export interface EndpointCaller {
  call<E extends Endpoint>(
    method: E['method'],
    path: E['path'],
    request: RequestOf<E>,
    options: { readonly signal: AbortSignal },
  ): Promise<ReplyOf<E>>;
}

/** A screen that opens a unit, such as its tour. A unit links to the first such screen with content for it. */
export interface LocationScreen extends Contribution {
  readonly to: RouteRef<`${string}/:location`>;
  /** Lists the uids of the accessible locations for which the screen has content. If absent, all have content. */
  readonly listLocations?: (http: EndpointCaller, signal: AbortSignal) => Promise<readonly string[]>;
}
export const locationScreens = extensionPoint<LocationScreen>('locations.screen');

/** A step of the set-up list. Its plugin reports its state by `SetUpSteps` under the same id. */
export interface SetUpStep extends Contribution {
  /** Message id. */
  readonly title: string;
  /** The screen with the step's one action. */
  readonly to: RouteRef;
  /** Query string of that screen while the step is not started, such as `?add=site`. */
  readonly firstQuery?: string;
}
export const setUpSteps = extensionPoint<SetUpStep>('locations.setUpStep');

/**
 * A background picture of a location. `screen`: above its units. `card`: at the end of the card that continues the last
 * tour, as high as the card. Renders nothing if the location has no background picture.
 */
export interface LocationBackground extends Contribution {
  readonly place: 'screen' | 'card';
  readonly load: () => Promise<{ readonly default: ComponentType<{ readonly location: string }> }>;
}
export const locationBackgrounds = extensionPoint<LocationBackground>('locations.background');
