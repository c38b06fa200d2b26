import type { Point3 } from '#core';
import type { DecodedTile } from './decode-tile.ts';

/** Positions of a tile by number, without a copy of them. */
export interface TileReader {
  readonly count: number;
  /** x y z of the first point begin at `first`, those of each other one `step` later: `origin + scale * number`. */
  readonly numbers: Float32Array | Uint16Array;
  readonly first: number;
  readonly step: number;
  /** x y z, site frame, metres, written into `out`. */
  at(index: number, out: [number, number, number]): void;
}

export function tileReader({ count, origin, scale, blocks, position }: DecodedTile): TileReader {
  const { bytes, stride } = blocks[position.block]!;
  const wide = position.type === 'FLOAT32';
  const numbers = wide
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
    : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
  const unit = wide ? 4 : 2;
  const step = stride / unit;
  const first = position.offset / unit;
  return {
    count,
    numbers,
    first,
    step,
    at: (index, out) => {
      const from = first + index * step;
      out[0] = origin[0] + scale * numbers[from]!;
      out[1] = origin[1] + scale * numbers[from + 1]!;
      out[2] = origin[2] + scale * numbers[from + 2]!;
    },
  };
}

/** A part of space that is shown, turned about the vertical by `pan` degrees; undefined: everything is. */
export interface ClippingBox {
  readonly centre: Point3;
  /** Half of its edges: across, ahead and up, where `pan` is ahead. */
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
