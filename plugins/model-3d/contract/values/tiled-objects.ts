import type { Point3 } from '#core';

/** File name of the object list next to a model's `tileset.json`: JSON, compressed by gzip. */
export const objectsFile = 'objects.json.gz';

/**
 * An object as a tuple. The parent is an index, or -1 for the model itself. The box is min x, y, z, then max x, y, z,
 * in the model's frame (metres, z up). The properties are alternating names and values.
 */
export type TiledObjectRow = readonly [
  parent: number,
  key: string,
  name: string,
  tag: string | null,
  box: readonly number[] | null,
  properties: readonly string[],
];

/** The objects of a tiled model. Parents come before their children. */
export interface TiledObjects {
  readonly version: 1;
  readonly objects: readonly TiledObjectRow[];
}

/** The bounding box of a row, if it has one. */
export function toBox([, , , , box]: TiledObjectRow): { readonly min: Point3; readonly max: Point3 } | undefined {
  if (!box || box.length !== 6) return undefined;
  const [minX, minY, minZ, maxX, maxY, maxZ] = box as readonly [number, number, number, number, number, number];
  return { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] };
}
