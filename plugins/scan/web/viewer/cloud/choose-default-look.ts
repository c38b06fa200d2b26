import type { CloudLook } from './cloud-graphics.ts';
import type { DecodedTile } from './decode-tile.ts';
import { tileReader } from './tile-reader.ts';

/** Maximum number of sampled points. */
const looked = 4096;

/**
 * Chooses colour ranges from nearly all points of a cloud's first tile, so that a mast or a stray point does not
 * stretch them.
 */
export function chooseDefaultLook(tile: DecodedTile): Partial<Pick<CloudLook, 'intensity' | 'height'>> {
  const height = middleRange(readHeights(tile), 0.05);
  const intensity = tile.intensity && (middleRange(readIntensities(tile, tile.intensity), 0.02) ?? [0, 1]);
  return { ...(height ? { height } : {}), ...(intensity ? { intensity } : {}) };
}

/** The range between a lower and an upper quantile; undefined if it is empty. */
function middleRange(values: number[], share: number): readonly [number, number] | undefined {
  values.sort((a, b) => a - b);
  const [low, high] = [values[Math.floor(values.length * share)], values[Math.floor(values.length * (1 - share))]];
  return low !== undefined && high !== undefined && high > low ? [low, high] : undefined;
}

/** Metres of the site frame. */
function readHeights(tile: DecodedTile): number[] {
  const reader = tileReader(tile);
  const point: [number, number, number] = [0, 0, 0];
  return every(reader.count, (index) => {
    reader.at(index, point);
    return point[2];
  });
}

/** Intensities, normalized to 0 to 1. */
function readIntensities(
  { blocks, count }: DecodedTile,
  { block, offset }: NonNullable<DecodedTile['intensity']>,
): number[] {
  const { bytes, stride } = blocks[block]!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return every(count, (index) => view.getUint16(index * stride + offset, true) / 65_535);
}

function every(count: number, valueAt: (index: number) => number): number[] {
  const step = Math.max(1, Math.floor(count / looked));
  return Array.from({ length: Math.floor(count / step) }, (_, k) => valueAt(k * step));
}
