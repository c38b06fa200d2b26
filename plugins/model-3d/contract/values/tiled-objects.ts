import type { Point3 } from '#core';

/** File name of the object list next to a model's `tileset.json`: JSON, compressed by gzip. */
export const objectsFile = 'objects.json.gz';

/**
 * One object: index of its parent (-1 for the model itself), key, name, tag, own box (min x, y, z, then max; metres, z
 * up, model's frame), then alternately name and value of each property.
 */
export type TiledObjectRow = readonly [
  parent: number,
  key: string,
  name: string,
  tag: string | null,
  box: readonly number[] | null,
  properties: readonly string[],
];

/** Parents come before their children. */
export interface TiledObjects {
  readonly version: 1;
  readonly objects: readonly TiledObjectRow[];
}

/** The box of a row. */
export function toBox([, , , , box]: TiledObjectRow): { readonly min: Point3; readonly max: Point3 } | undefined {
  if (!box || box.length !== 6) return undefined;
  const [a, b, c, d, e, f] = box as readonly [number, number, number, number, number, number];
  return { min: [a, b, c], max: [d, e, f] };
}
