import type { Point3 } from '#core';

/** One tile of a point cloud as described in `tileset.json` (3D Tiles 1.1, additive). */
export interface CloudTile {
  readonly boundingVolume: { readonly box: readonly number[] };
  /** Approximate distance between its points in metres; 0 for a leaf. */
  readonly geometricError: number;
  readonly content: { readonly uri: string };
  readonly extras: { readonly points: number };
  readonly children?: readonly CloudTile[];
}

/** `tileset.json` as our importer writes it. */
export interface CloudTileset {
  readonly asset: { readonly version: string };
  readonly extras: {
    readonly points: number;
    readonly tiles: number;
    readonly minimum: Point3;
    readonly maximum: Point3;
    readonly colored: boolean;
    readonly intensity?: { readonly minimum: number; readonly maximum: number };
  };
  readonly root: CloudTile;
}
