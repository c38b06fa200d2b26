import type { DemoFile, DemoLocation } from '#core';

/** The area of a location on the navigation image of its primary location. */
export interface DemoNavigationArea {
  /** Uid of the location that a click on this area opens. */
  readonly location: string;
  /** A closed polygon in fractions of the image: x from the left, y from the top, each in [0, 1]. */
  readonly polygon: readonly (readonly [x: number, y: number])[];
}

export interface DemoLocationPictures {
  /** An image of 250 x 250 pixels, for primary locations and platform units. */
  readonly icon?: DemoFile;
  /** An image of 1980 x 1080 pixels, for primary locations only. */
  readonly navigationImage?: DemoFile;
  /** Areas of the platform units on `navigationImage`. */
  readonly navigationAreas?: readonly DemoNavigationArea[];
}

/** The demo data that the plugin `locations` seeds. */
export interface LocationsDemo {
  readonly locations: readonly (DemoLocation & DemoLocationPictures)[];
}
