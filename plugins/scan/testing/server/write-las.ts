import type { Point3 } from '#core';

/** A variable length record (VLR). */
export interface VariableRecordInput {
  readonly userId: string;
  readonly recordId: number;
  readonly content: Buffer;
}

export interface LasInput {
  readonly positions: readonly Point3[];
  /** The step of coordinates; 0.001 by default. */
  readonly scale?: number;
  readonly records?: readonly VariableRecordInput[];
  /** Records after the points, which require LAS 1.4. */
  readonly extended?: readonly VariableRecordInput[];
  /** Name of the generating software. */
  readonly software?: string;
  /** The point count for the header, if it shall differ from the number of positions. */
  readonly count?: number;
}

const version12 = { minor: 2, header: 227, format: 2, length: 26 } as const;
const version14 = { minor: 4, header: 375, format: 6, length: 30 } as const;
const wktBit = 16;

/** Writes an uncompressed LAS file of version 1.2, or of version 1.4 if it has records after the points. */
export function writeLas({ positions, scale = 0.001, records = [], extended, software = '', count }: LasInput): Buffer {
  const { minor, header, format, length } = extended ? version14 : version12;
  const leadingRecords = Buffer.concat(records.map((record) => encodeRecord(record, 54)));
  const trailingRecords = Buffer.concat((extended ?? []).map((record) => encodeRecord(record, 60)));
  const head = Buffer.alloc(header);
  const offset = header + leadingRecords.length;
  const statedCount = count ?? positions.length;
  head.write('LASF', 0, 'latin1');
  head.writeUInt16LE(records.some(({ recordId }) => recordId === 2112) ? wktBit : 0, 6);
  head.set([1, minor], 24);
  head.write(software.slice(0, 32), 58, 'latin1');
  head.writeUInt16LE(header, 94);
  head.writeUInt32LE(offset, 96);
  head.writeUInt32LE(records.length, 100);
  head[104] = format;
  head.writeUInt16LE(length, 105);
  head.writeUInt32LE(statedCount, 107);
  for (let axis = 0; axis < 3; axis++) {
    const values = positions.map((position) => position[axis]!);
    head.writeDoubleLE(scale, 131 + 8 * axis);
    head.writeDoubleLE(Math.max(...values), 179 + 16 * axis);
    head.writeDoubleLE(Math.min(...values), 187 + 16 * axis);
  }
  const points = Buffer.alloc(positions.length * length);
  for (const [k, position] of positions.entries())
    for (let axis = 0; axis < 3; axis++)
      points.writeInt32LE(Math.round(position[axis]! / scale), k * length + 4 * axis);
  if (extended) {
    head.writeBigUInt64LE(BigInt(offset + points.length), 235);
    head.writeUInt32LE(extended.length, 243);
    head.writeBigUInt64LE(BigInt(statedCount), 247);
  }
  return Buffer.concat([head, leadingRecords, points, trailingRecords]);
}

function encodeRecord({ userId, recordId, content }: VariableRecordInput, headLength: 54 | 60): Buffer {
  const head = Buffer.alloc(headLength);
  head.write(userId, 2, 'latin1');
  head.writeUInt16LE(recordId, 18);
  if (headLength === 54) head.writeUInt16LE(content.length, 20);
  else head.writeBigUInt64LE(BigInt(content.length), 20);
  return Buffer.concat([head, content]);
}

/** Creates the WKT record of a coordinate system. */
export const buildWktRecord = (wkt: string): VariableRecordInput => ({
  userId: 'LASF_Projection',
  recordId: 2112,
  content: Buffer.from(`${wkt}\0`),
});

/** Creates the GeoTIFF key records from key numbers and their values, each a number or a text. */
export function buildGeoKeyRecords(keys: Readonly<Record<number, number | string>>): readonly VariableRecordInput[] {
  let texts = '';
  const entries = Object.entries(keys).map(([key, value]) => {
    if (typeof value === 'number') return [Number(key), 0, 1, value];
    const from = texts.length;
    texts += `${value}|`;
    return [Number(key), 34_737, value.length + 1, from];
  });
  const directory = Buffer.from(Uint16Array.from([1, 1, 0, entries.length, ...entries.flat()]).buffer);
  const userId = 'LASF_Projection';
  return [
    { userId, recordId: 34_735, content: directory },
    ...(texts === '' ? [] : [{ userId, recordId: 34_737, content: Buffer.from(`${texts}\0`) }]),
  ];
}
