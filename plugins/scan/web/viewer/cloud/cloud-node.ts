import type { Point3 } from '#core';
import type { DecodedTile } from '../../../common/decode-tile.ts';
import type { Box } from './cloud-camera.ts';

/** Where a worker finds the points of one node, and how to decode them. */
export type NodeSource =
  | { readonly kind: 'TILE'; readonly url: string }
  | {
      readonly kind: 'COPC';
      readonly url: string;
      /** Byte length of the compressed points in the file. */
      readonly offset: number;
      readonly bytes: number;
      readonly count: number;
      readonly format: number;
      readonly pointLength: number;
      readonly scale: readonly [number, number, number];
      readonly shift: readonly [number, number, number];
      /** Bounding box of the points. */
      readonly box: Box;
    };

/** The octree cell that contains the points of a node and its descendants. Each octant belongs to one child. */
export interface Cube {
  readonly minimum: Point3;
  /** Length of each edge, metres. */
  readonly edge: number;
}

/** Points of a point cloud that are fetched and drawn together. Children add more points to those of their parent. */
export interface CloudNode {
  readonly key: string;
  readonly box: Box;
  readonly cube: Cube;
  readonly count: number;
  /** Approximate distance between the points in metres. */
  readonly spacing: number;
  /** Undefined if the node has no points. */
  readonly source: NodeSource | undefined;
  /** The children that have been loaded so far. */
  readonly children: readonly CloudNode[];
  /** Loads further children. A call after a success does nothing. Undefined if all children are loaded. */
  readonly expand?: () => Promise<void>;
  tile: DecodedTile | undefined;
  /** Index of the last frame that requested the node. */
  requestedAt: number;
}

/** The octant of a point or cube within a cube: bit 0 east, bit 1 north, bit 2 up. */
export const findOctant = ({ minimum, edge }: Cube, point: Point3): number =>
  [0, 1, 2].reduce((octant, axis) => octant | (point[axis]! >= minimum[axis]! + edge / 2 ? 1 << axis : 0), 0);

export const toChildCube = ({ minimum, edge }: Cube, octant: number): Cube => ({
  minimum: [
    minimum[0] + ((octant & 1) * edge) / 2,
    minimum[1] + (((octant >> 1) & 1) * edge) / 2,
    minimum[2] + ((octant >> 2) * edge) / 2,
  ],
  edge: edge / 2,
});

/** A point cloud whose points are fetched node by node. */
export interface OpenCloud {
  readonly root: CloudNode;
  readonly box: Box;
  readonly count: number;
  readonly colored: boolean;
}

/** A point cloud that cannot be shown. The message gives the reason. */
export class CloudUnreadable extends Error {
  override readonly name = 'CloudUnreadable';
  /** True if the server denied access. */
  readonly refused: boolean;

  constructor(message: string, { refused = false, ...options }: ErrorOptions & { readonly refused?: boolean } = {}) {
    super(message, options);
    this.refused = refused;
  }
}

export async function fetchBytes(
  url: string,
  signal?: AbortSignal,
  range?: { readonly offset: number; readonly bytes: number },
): Promise<Uint8Array> {
  const response = await fetch(url, {
    credentials: 'include',
    ...(signal ? { signal } : {}),
    ...(range ? { headers: { range: `bytes=${range.offset}-${range.offset + range.bytes - 1}` } } : {}),
  });
  if (!response.ok)
    throw new CloudUnreadable(`The server answered ${response.status} for a part of the point cloud.`, {
      refused: response.status === 403,
    });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!range || bytes.length === range.bytes) return bytes;
  // A server without support for ranges sends the whole file.
  if (response.status === 200 && bytes.length >= range.offset + range.bytes)
    return bytes.subarray(range.offset, range.offset + range.bytes);
  throw new CloudUnreadable('A part of the point cloud is cut off.');
}
