import { ScanUnreadable } from '../scan-unreadable.ts';
import type { E57Field, E57ScanDescription } from './e57-description.ts';
import { FieldStream } from './field-stream.ts';
import type { PagedFile } from './paged-file.ts';

const sectionHeaderLength = 32;
const dataPacketType = 1;
/** Maximum number of points in one batch. A packet of one-bit fields can hold half a million points. */
const maxBatchPoints = 32_768;

/** The values of some points by field name. */
export interface E57Records {
  readonly count: number;
  readonly values: ReadonlyMap<string, Float64Array>;
}

/** Reads the selected fields of all points of one scan, packet by packet (ASTM E2807, 9.3). Throws `ScanUnreadable`. */
export async function* readRecords(
  file: PagedFile,
  scan: E57ScanDescription,
  fieldNames: ReadonlySet<string>,
): AsyncGenerator<E57Records> {
  if (scan.count === 0) return;
  const name = scan.name ?? scan.guid ?? 'without name';
  const start = file.toLogicalOffset(scan.offset);
  const header = await file.read(start, sectionHeaderLength);
  if (header[0] !== 1) throw new ScanUnreadable('scan.refused.e57PointsPlace', { scan: name });
  const length = Number(header.readBigUInt64LE(8));
  const end = start + length;
  const streams = listStreams(scan.fields, fieldNames);
  const bitsPerPoint = streams.reduce((sum, { bits }) => sum + bits, 0);
  if (bitsPerPoint === 0 || end > file.logicalSize || (scan.count * bitsPerPoint) / 8 > length) {
    throw new ScanUnreadable('scan.refused.e57TooFewBytes', { scan: name, count: scan.count });
  }

  let remaining = scan.count;
  for (let at = file.toLogicalOffset(Number(header.readBigUInt64LE(16))); remaining > 0;) {
    if (at + 4 > end) throw new ScanUnreadable('scan.refused.e57EndsEarly', { scan: name, count: remaining });
    const packetHeader = await file.read(at, 4);
    const packetLength = packetHeader.readUInt16LE(2) + 1;
    if (packetHeader[0]! > 2 || packetLength < 4 || packetLength % 4 !== 0 || at + packetLength > end)
      throw new ScanUnreadable('scan.refused.e57Packet', { scan: name });
    if (packetHeader[0] === dataPacketType)
      readPacket(await file.read(at, packetLength), streams, scan.fields.length, name);
    at += packetLength;
    for (;;) {
      const count = Math.min(
        remaining,
        maxBatchPoints,
        ...streams.map(({ stream }) => stream?.bufferedCount ?? Number.POSITIVE_INFINITY),
      );
      if (count === 0) break;
      yield { count, values: new Map(streams.map(({ field, stream }) => [field.name, stream.read(count)])) };
      remaining -= count;
    }
  }
}

interface SelectedStream {
  /** Number of the byte stream. */
  readonly index: number;
  readonly field: E57Field;
  readonly bits: number;
  readonly stream: FieldStream;
}

function listStreams(fields: readonly E57Field[], fieldNames: ReadonlySet<string>): readonly SelectedStream[] {
  return fields.flatMap((field, index) =>
    field.kind === 'text' || !fieldNames.has(field.name)
      ? []
      : [{ index, field, bits: field.bits, stream: new FieldStream(field) }],
  );
}

function readPacket(packet: Buffer, streams: readonly SelectedStream[], fieldCount: number, name: string): void {
  const count = packet.length < 6 ? 0 : packet.readUInt16LE(4);
  const lengthsEnd = 6 + 2 * count;
  if (count !== fieldCount || lengthsEnd > packet.length)
    throw new ScanUnreadable('scan.refused.e57Streams', { scan: name, count, fields: fieldCount });
  const offsets = [lengthsEnd];
  for (let k = 0; k < count; k++) offsets.push(offsets[k]! + packet.readUInt16LE(6 + 2 * k));
  if (offsets[count]! > packet.length) throw new ScanUnreadable('scan.refused.e57PacketShort', { scan: name });
  for (const { index, stream } of streams) stream.push(packet.subarray(offsets[index], offsets[index + 1]));
}
