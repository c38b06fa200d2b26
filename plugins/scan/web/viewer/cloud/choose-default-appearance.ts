import type { CloudAppearance } from './cloud-graphics.ts';
import type { DecodedTile } from '../../../common/decode-tile.ts';
import { createTileReader } from './tile-reader.ts';

/** Maximum number of sampled points. */
const maxSamples = 4096;

/**
 * Chooses the colour ranges from most points of a cloud's first tile. Outliers, such as a mast or a stray point, do not
 * extend the ranges.
 */
export function chooseDefaultAppearance(tile: DecodedTile): Partial<Pick<CloudAppearance, 'intensity' | 'height'>> {
  const height = computeMiddleRange(readHeights(tile), 0.05);
  const intensity = tile.intensity && (computeMiddleRange(readIntensities(tile, tile.intensity), 0.02) ?? [0, 1]);
  return { ...(height ? { height } : {}), ...(intensity ? { intensity } : {}) };
}

/** The range between a lower and an upper quantile; undefined if it is empty. */
function computeMiddleRange(values: number[], fraction: number): readonly [number, number] | undefined {
  values.sort((a, b) => a - b);
  const [low, high] = [
    values[Math.floor(values.length * fraction)],
    values[Math.floor(values.length * (1 - fraction))],
  ];
  return low !== undefined && high !== undefined && high > low ? [low, high] : undefined;
}

/** Reads heights in metres of the site frame. */
function readHeights(tile: DecodedTile): number[] {
  const reader = createTileReader(tile);
  const point: [number, number, number] = [0, 0, 0];
  return sampleValues(reader.count, (index) => {
    reader.readPosition(index, point);
    return point[2];
  });
}

/** Reads intensities as numbers of 0 to 1. */
function readIntensities(
  { blocks, count }: DecodedTile,
  { block, offset }: NonNullable<DecodedTile['intensity']>,
): number[] {
  const { bytes, stride } = blocks[block]!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return sampleValues(count, (index) => view.getUint16(index * stride + offset, true) / 65_535);
}

function sampleValues(count: number, getValue: (index: number) => number): number[] {
  const step = Math.max(1, Math.floor(count / maxSamples));
  return Array.from({ length: Math.floor(count / step) }, (_, k) => getValue(k * step));
}
