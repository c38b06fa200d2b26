import type { Point3 } from '#core';

/** Name of the list of objects beside a model's `tileset.json`: JSON, packed by gzip. */
export const objectsFile = 'objects.json.gz';

/**
 * One object: index of what it stands in (-1: the model itself), key, name, tag, its own box (least x, y, z, then
 * largest; metres, z up, model's frame), and name and value of each property in turn.
 */
export type TiledObjectRow = readonly [
  parent: number,
  key: string,
  name: string,
  tag: string | null,
  box: readonly number[] | null,
  properties: readonly string[],
];

/** A parent stands before its children. */
export interface TiledObjects {
  readonly version: 1;
  readonly objects: readonly TiledObjectRow[];
}

/** A row's box. */
export function toBox([, , , , box]: TiledObjectRow): { readonly min: Point3; readonly max: Point3 } | undefined {
  if (!box || box.length !== 6) return undefined;
  const [a, b, c, d, e, f] = box as readonly [number, number, number, number, number, number];
  return { min: [a, b, c], max: [d, e, f] };
}
