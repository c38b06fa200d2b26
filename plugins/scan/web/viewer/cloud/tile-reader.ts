import type { Point3 } from '#core';
import type { DecodedTile } from '../../../common/decode-tile.ts';

/** Reads positions of a tile by index without copying. */
export interface TileReader {
  readonly count: number;
  /** The coordinates of point n start at `firstIndex + n * step`. A position is `origin + scale * coordinate`. */
  readonly coordinates: Float32Array | Uint16Array;
  readonly firstIndex: number;
  readonly step: number;
  /** Writes x y z in metres of the site frame into `out`. */
  readPosition(index: number, out: [number, number, number]): void;
}

export function createTileReader({ count, origin, scale, blocks, position }: DecodedTile): TileReader {
  const { bytes, stride } = blocks[position.block]!;
  const isFloat = position.type === 'FLOAT32';
  const coordinates = isFloat
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
    : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
  const valueBytes = isFloat ? 4 : 2;
  const step = stride / valueBytes;
  const firstIndex = position.offset / valueBytes;
  return {
    count,
    coordinates,
    firstIndex,
    step,
    readPosition: (index, out) => {
      const start = firstIndex + index * step;
      out[0] = origin[0] + scale * coordinates[start]!;
      out[1] = origin[1] + scale * coordinates[start + 1]!;
      out[2] = origin[2] + scale * coordinates[start + 2]!;
    },
  };
}

/** The visible part of space, rotated about the vertical by `pan` degrees. */
export interface ClippingBox {
  readonly centre: Point3;
  /** Half the width, half the depth and half the height. The depth runs in the direction `pan`. */
  readonly half: Point3;
  readonly pan: number;
}

export function isInside(box: ClippingBox | undefined, point: readonly [number, number, number]): boolean {
  if (!box) return true;
  const pan = (box.pan * Math.PI) / 180;
  const [x, y, z] = [point[0] - box.centre[0], point[1] - box.centre[1], point[2] - box.centre[2]];
  return (
    Math.abs(x * Math.cos(pan) - y * Math.sin(pan)) <= box.half[0] &&
    Math.abs(x * Math.sin(pan) + y * Math.cos(pan)) <= box.half[1] &&
    Math.abs(z) <= box.half[2]
  );
}
