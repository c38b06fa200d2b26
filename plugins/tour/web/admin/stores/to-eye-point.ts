import type { Point3 } from '#core';

export type EastNorth = readonly [east: number, north: number];

/** Rounds to millimetres, like the fields. `+ 0` avoids -0. */
export const roundMetres = (value: number): number => Math.round(value * 1000) / 1000 + 0;

const eyeHeightMetres = 1.6;
/** Converts to a point at eye height above a deck. */
export const toEyePoint = ([east, north]: EastNorth, elevation: number): Point3 => [
  roundMetres(east),
  roundMetres(north),
  roundMetres(elevation + eyeHeightMetres),
];
