import { hasAllLayers, layeredFormats } from '../../../common/laz-layers.ts';
import type { NodeSource } from './cloud-node.ts';
import { TileDamagedError, type DecodedTile } from '../../../common/decode-tile.ts';

/** The members of laz-perf, a WebAssembly LAZ decoder, that this viewer uses. Pointers are offsets in its heap. */
export interface LazPerf {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  readonly ChunkDecoder: new () => {
    open(format: number, length: number, pointer: number): void;
    getPoint(pointer: number): void;
    delete(): void;
  };
}

const strideBytes = 20;
const maxPoints = 1 << 24;
/** Maximum bytes of decoded points. Allocation fails past 2 GiB, and addresses wrap past 4 GiB. */
const maxBytes = 1 << 29;
/** Bytes that the decoder may read past the end of damaged data. */
const marginBytes = 1 << 16;
/** Maximum fraction of points outside of the node's box. Damaged bytes decode into arbitrary points. */
const maxOutsideFraction = 0.01;
const colorOffsets: Readonly<Record<number, number>> = { 7: 30, 8: 30 };

type CopcSource = Extract<NodeSource, { kind: 'COPC' }>;

/**
 * Decodes one node of a COPC file to floats relative to its first point, intensities and optional colours. Throws
 * `TileDamagedError`. The decoder must not be reused after an error.
 */
export function decodeLaz(laz: LazPerf, compressedPoints: Uint8Array, copcSource: CopcSource): DecodedTile {
  const { count, format, pointLength, scale, shift } = copcSource;
  const isPossible = pointLength >= (layeredFormats[format]?.pointBytes ?? Infinity) && count * pointLength <= maxBytes;
  if (!(count > 0 && count <= maxPoints && isPossible))
    throw new TileDamagedError('A node of the COPC file states more points than are possible.');
  if (!hasAllLayers(compressedPoints, copcSource))
    throw new TileDamagedError('A part of the point cloud is damaged or cut off.');
  const input = laz._malloc(compressedPoints.length + marginBytes);
  const output = laz._malloc(count * pointLength);
  // The address is 0 if the heap is exhausted. The decoder's own tables are at that address.
  if (input === 0 || output === 0)
    throw new TileDamagedError('A part of the point cloud does not fit into the memory.');
  const decoder = new laz.ChunkDecoder();
  laz.HEAPU8.set(compressedPoints, input);
  laz.HEAPU8.fill(0, input + compressedPoints.length, input + compressedPoints.length + marginBytes);
  try {
    decoder.open(format, pointLength, input);
    for (let k = 0; k < count; k++) decoder.getPoint(output + k * pointLength);
  } catch (cause) {
    throw new TileDamagedError('A part of the point cloud is damaged or cut off.', { cause });
  }
  const points = new DataView(laz.HEAPU8.buffer, output, count * pointLength);
  if (countPointsOutside(points, copcSource) > count * maxOutsideFraction)
    throw new TileDamagedError('A part of the point cloud is damaged or cut off.');

  const colorOffset = colorOffsets[format];
  const has16BitColors = colorOffset !== undefined && uses16BitColors(points, count, pointLength, colorOffset);
  // Positions are integer steps from the first point. Floats are exact if the node is smaller than 2^24 steps.
  const firstPoint = [0, 4, 8].map((source) => points.getInt32(source, true)) as [number, number, number];
  const block = new Uint8Array(count * strideBytes);
  const out = new DataView(block.buffer);
  for (let k = 0; k < count; k++) {
    const source = k * pointLength;
    const target = k * strideBytes;
    for (const axis of [0, 1, 2] as const)
      out.setFloat32(
        target + 4 * axis,
        (points.getInt32(source + 4 * axis, true) - firstPoint[axis]) * scale[axis],
        true,
      );
    out.setUint16(target + 12, points.getUint16(source + 12, true), true);
    if (colorOffset !== undefined)
      for (let channel = 0; channel < 3; channel++) {
        const value = points.getUint16(source + colorOffset + 2 * channel, true);
        block[target + 16 + channel] = has16BitColors ? value >> 8 : value;
      }
    block[target + 19] = 255;
  }
  decoder.delete();
  laz._free(input);
  laz._free(output);
  return {
    count,
    origin: [
      firstPoint[0] * scale[0] + shift[0],
      firstPoint[1] * scale[1] + shift[1],
      firstPoint[2] * scale[2] + shift[2],
    ],
    scale: 1,
    blocks: [{ bytes: block, stride: strideBytes }],
    position: { block: 0, offset: 0, type: 'FLOAT32' },
    intensity: { block: 0, offset: 12 },
    color: colorOffset === undefined ? undefined : { block: 0, offset: 16 },
  };
}

/** Counts the points outside of the node's box. */
function countPointsOutside(points: DataView, { count, pointLength, scale, shift, box }: CopcSource): number {
  let outsideCount = 0;
  for (let k = 0; k < count; k++) {
    for (const axis of [0, 1, 2] as const) {
      const value = points.getInt32(k * pointLength + 4 * axis, true) * scale[axis] + shift[axis];
      const slack = 2 * scale[axis] + (box.maximum[axis] - box.minimum[axis]) * 1e-3;
      if (value < box.minimum[axis] - slack || value > box.maximum[axis] + slack) {
        outsideCount += 1;
        break;
      }
    }
  }
  return outsideCount;
}

/** Many programs write colours of 0 to 255 although the standard prescribes 0 to 65535. */
function uses16BitColors(points: DataView, count: number, length: number, colorOffset: number): boolean {
  for (let k = 0; k < count; k++)
    for (let channel = 0; channel < 3; channel++)
      if (points.getUint16(k * length + colorOffset + 2 * channel, true) > 255) return true;
  return false;
}
