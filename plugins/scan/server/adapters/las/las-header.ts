import type { Point3 } from '#core';
import type { ByteSource } from '../byte-source.ts';
import type { StatedSystem } from '../coordinates/stated-system.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { readExtendedRecords, readRecords } from './las-records.ts';
import { readLasSystem } from './las-system.ts';

/** Bytes per point of each format, without extra bytes (LAS 1.4 R15, clause 2.6). */
const minPointLengths = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67] as const;
const colorOffsets: readonly (number | undefined)[] = [
  undefined,
  undefined,
  20,
  28,
  undefined,
  28,
  undefined,
  30,
  30,
  undefined,
  30,
];
/** Bit of the global encoding that is set if the coordinate system is WKT. */
const wktBit = 16;
const waveformFormats: ReadonlySet<number> = new Set([4, 5, 9, 10]);
const noRecords = { from: 0, count: 0 };

/** The layout of the points in a LAS file. */
export interface LasHeader {
  readonly version: string;
  readonly format: number;
  readonly compressed: boolean;
  readonly count: number;
  /** Byte offset of the first point in the file. */
  readonly pointsOffset: number;
  /** Bytes per uncompressed point. */
  readonly pointLength: number;
  readonly scale: Point3;
  readonly origin: Point3;
  /** Offset of red, green and blue in a point; undefined if the format has none. */
  readonly colorOffset: number | undefined;
  readonly minimum: Point3;
  readonly maximum: Point3;
  /** The LASzip record; undefined if the file is not compressed. */
  readonly laszip: Buffer | undefined;
  /** Content of the COPC record; undefined for other files. */
  readonly copc: Buffer | undefined;
  /** Name of the generating software. */
  readonly software: string;
  /** Undefined if the file states no coordinate system. */
  readonly system: StatedSystem | undefined;
  /** Number of complete points after the `count` declared ones. */
  readonly undeclaredCount: number;
}

export interface LasHeaderOptions {
  /** Skips the records after the points. */
  readonly headOnly?: boolean;
}

/** Parses the header of a LAS or LAZ file, version 1.0 to 1.4. Throws `ScanUnreadable`. */
export async function readLasHeader(
  source: ByteSource,
  { headOnly = false }: LasHeaderOptions = {},
): Promise<LasHeader> {
  if (source.size < 227) throw new ScanUnreadable('scan.refused.lasShort');
  const bytes = await source.read(0, Math.min(375, source.size));
  if (bytes.toString('latin1', 0, 4) !== 'LASF') throw new ScanUnreadable('scan.refused.notLas');
  const [major, minor] = [bytes[24]!, bytes[25]!];
  if (major !== 1 || minor > 4) throw new ScanUnreadable('scan.refused.lasVersion', { version: `${major}.${minor}` });
  const headerLength = bytes.readUInt16LE(94);
  const minHeaderLength = minor === 4 ? 375 : minor === 3 ? 235 : 227;
  const pointsOffset = bytes.readUInt32LE(96);
  if (headerLength < minHeaderLength || pointsOffset < headerLength || pointsOffset > source.size)
    throw new ScanUnreadable('scan.refused.lasHeader');
  const format = bytes[104]! & 63;
  const minLength = minPointLengths[format];
  if (minLength === undefined) throw new ScanUnreadable('scan.refused.lasFormat', { format });
  const pointLength = bytes.readUInt16LE(105);
  if (pointLength < minLength)
    throw new ScanUnreadable('scan.refused.lasPointLength', { length: pointLength, format, least: minLength });
  const readPoint = (start: number, step: number): Point3 => [
    bytes.readDoubleLE(start),
    bytes.readDoubleLE(start + step),
    bytes.readDoubleLE(start + 2 * step),
  ];
  const [scale, origin] = [readPoint(131, 8), readPoint(155, 8)];
  if (![...scale, ...origin].every(Number.isFinite) || scale.some((value) => value === 0))
    throw new ScanUnreadable('scan.refused.lasScale');
  const count = (minor === 4 ? Number(bytes.readBigUInt64LE(247)) : 0) || bytes.readUInt32LE(107);
  const compressed = (bytes[104]! & 0xc0) !== 0;
  if (!Number.isSafeInteger(count) || (!compressed && pointsOffset + count * pointLength > source.size)) {
    throw new ScanUnreadable('scan.refused.lasCutOff', {
      held: Math.floor((source.size - pointsOffset) / pointLength),
      count,
    });
  }
  const records = await readRecords(source, headerLength, pointsOffset, bytes.readUInt32LE(100));
  const extendedRecords =
    minor === 4 ? { from: Number(bytes.readBigUInt64LE(235)), count: bytes.readUInt32LE(243) } : noRecords;
  const recordsAfterPoints = headOnly
    ? []
    : await readExtendedRecords(source, extendedRecords.from, extendedRecords.count);
  const [firstRecord] = records;
  return {
    version: `${major}.${minor}`,
    format,
    compressed,
    count,
    pointsOffset,
    pointLength,
    scale,
    origin,
    colorOffset: colorOffsets[format],
    maximum: readPoint(179, 16),
    minimum: readPoint(187, 16),
    laszip: records.find(({ user, id }) => user === 'laszip encoded' && id === 22204)?.content,
    copc: firstRecord?.user === 'copc' && firstRecord.id === 1 ? firstRecord.content : undefined,
    software: bytes.toString('latin1', 58, 90).replace(/\0.*$/s, ''),
    system: readLasSystem([...records, ...recordsAfterPoints], (bytes.readUInt16LE(6) & wktBit) !== 0),
    undeclaredCount:
      compressed || waveformFormats.has(format)
        ? 0
        : Math.floor(
            ((extendedRecords.count > 0 ? extendedRecords.from : source.size) - pointsOffset - count * pointLength) /
              pointLength,
          ),
  };
}
