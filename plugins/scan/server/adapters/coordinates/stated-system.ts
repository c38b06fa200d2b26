/** A unit as a file states it. */
export type StatedUnit =
  | { readonly kind: 'length'; readonly metres: number }
  | { readonly kind: 'angle'; readonly radians: number };

/** The coordinate system that a file states. Properties that it does not state are undefined. */
export interface StatedSystem {
  /** `GEOCENTRIC`: x, y, z are relative to the centre of the Earth. */
  readonly kind: 'PROJECTED' | 'GEOGRAPHIC' | 'GEOCENTRIC' | 'LOCAL';
  /** Unit of x and y. */
  readonly unit: StatedUnit | undefined;
  /** Unit of z. */
  readonly verticalUnit: StatedUnit | undefined;
  readonly name: string | undefined;
  readonly epsg: number | undefined;
  readonly verticalName: string | undefined;
  readonly verticalEpsg: number | undefined;
  /** WKT of the horizontal system; undefined if the file has none. */
  readonly wkt: string | undefined;
}

export const metre: StatedUnit = { kind: 'length', metres: 1 };
export const degree: StatedUnit = { kind: 'angle', radians: Math.PI / 180 };
