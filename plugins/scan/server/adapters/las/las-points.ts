import type { PointBatch } from '../point-source.ts';
import type { LasHeader } from './las-header.ts';

/** Decodes consecutive uncompressed point records. */
export function decodeLasPoints(header: LasHeader, records: Buffer, count: number): PointBatch {
  const { pointLength, scale, origin, colorOffset } = header;
  const positions = new Float64Array(count * 3);
  const intensities = new Float32Array(count);
  const colors = colorOffset === undefined ? undefined : new Uint16Array(count * 3);
  for (let k = 0, at = 0; k < count; k++, at += pointLength) {
    for (let axis = 0; axis < 3; axis++)
      positions[3 * k + axis] = records.readInt32LE(at + 4 * axis) * scale[axis]! + origin[axis]!;
    intensities[k] = records.readUInt16LE(at + 12);
    if (colors)
      for (let channel = 0; channel < 3; channel++)
        colors[3 * k + channel] = records.readUInt16LE(at + colorOffset! + 2 * channel);
  }
  return { count, positions, colors, intensities };
}
