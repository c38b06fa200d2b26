import type { DemoFile, DemoLocation } from '#core';

/** Where a location lies on the navigation picture of its primary location. */
export interface DemoNavigationArea {
  /** uid of the location that a click on this area opens. */
  readonly location: string;
  /** Closed polygon, fractions of the picture: x from the left, y from the top, each in [0, 1]. */
  readonly polygon: readonly (readonly [x: number, y: number])[];
}

export interface DemoLocationPictures {
  /** 250 x 250; primary locations and platform units have one. */
  readonly icon?: DemoFile;
  /** 1980 x 1080; primary locations only. */
  readonly navigationImage?: DemoFile;
  /** Areas of the platform units on `navigationImage`. */
  readonly navigationAreas?: readonly DemoNavigationArea[];
}

/** What locations seeds of the demo plant. */
export interface LocationsDemo {
  readonly locations: readonly (DemoLocation & DemoLocationPictures)[];
}
