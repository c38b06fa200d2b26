/** A unit as a file states it. */
export type StatedUnit =
  | { readonly kind: 'length'; readonly metres: number }
  | { readonly kind: 'angle'; readonly radians: number };

/** What a file says of its coordinates. A part that it does not state is undefined. */
export interface StatedSystem {
  /** `GEOCENTRIC`: x, y, z count from the centre of the Earth. */
  readonly kind: 'PROJECTED' | 'GEOGRAPHIC' | 'GEOCENTRIC' | 'LOCAL';
  /** Of x and y. */
  readonly unit: StatedUnit | undefined;
  /** Of z. */
  readonly verticalUnit: StatedUnit | undefined;
  readonly name: string | undefined;
  readonly epsg: number | undefined;
  readonly verticalName: string | undefined;
  readonly verticalEpsg: number | undefined;
  /** WKT of x and y; undefined if the file gives none. */
  readonly wkt: string | undefined;
}

export const metre: StatedUnit = { kind: 'length', metres: 1 };
export const degree: StatedUnit = { kind: 'angle', radians: Math.PI / 180 };
