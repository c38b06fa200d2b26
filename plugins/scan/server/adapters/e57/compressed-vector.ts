import { ScanUnreadable } from '../scan-unreadable.ts';
import type { E57Field, E57ScanDescription } from './e57-description.ts';
import { FieldStream } from './field-stream.ts';
import type { PagedFile } from './paged-file.ts';

const sectionHeaderBytes = 32;
const compressedVectorSection = 1;
const packetHeaderBytes = 4;
const maxPacketType = 2;
const dataPacketType = 1;
const dataPacketHeaderBytes = 6;
/** Maximum number of points in one batch. A packet of one-bit fields can hold half a million points. */
const maxBatchPoints = 32_768;

/** A batch of points: the values of all points of the batch, by field name. */
export interface E57Records {
  readonly pointCount: number;
  readonly values: ReadonlyMap<string, Float64Array>;
}

/** Reads the selected fields of all points of one scan, packet by packet (ASTM E2807, 9.3). Throws `ScanUnreadable`. */
export async function* readRecords(
  file: PagedFile,
  scan: E57ScanDescription,
  fieldNames: ReadonlySet<string>,
): AsyncGenerator<E57Records> {
  if (scan.count === 0) return;
  const scanName = scan.name ?? scan.guid ?? 'without name';
  const start = file.toLogicalOffset(scan.offset);
  const header = await file.read(start, sectionHeaderBytes);
  if (header[0] !== compressedVectorSection)
    throw new ScanUnreadable('scan.refused.e57PointsPlace', { scan: scanName });
  const length = Number(header.readBigUInt64LE(8));
  const end = start + length;
  const streams = listStreams(scan.fields, fieldNames);
  const bitsPerPoint = streams.reduce((sum, { bits }) => sum + bits, 0);
  if (bitsPerPoint === 0 || end > file.logicalSize || (scan.count * bitsPerPoint) / 8 > length) {
    throw new ScanUnreadable('scan.refused.e57TooFewBytes', { scan: scanName, count: scan.count });
  }

  let remainingCount = scan.count;
  for (let position = file.toLogicalOffset(Number(header.readBigUInt64LE(16))); remainingCount > 0;) {
    if (position + packetHeaderBytes > end)
      throw new ScanUnreadable('scan.refused.e57EndsEarly', { scan: scanName, count: remainingCount });
    const packetHeader = await file.read(position, packetHeaderBytes);
    const packetLength = packetHeader.readUInt16LE(2) + 1;
    if (packetHeader[0]! > maxPacketType || packetLength < 4 || packetLength % 4 !== 0 || position + packetLength > end)
      throw new ScanUnreadable('scan.refused.e57Packet', { scan: scanName });
    if (packetHeader[0] === dataPacketType)
      pushPacket(await file.read(position, packetLength), streams, scan.fields.length, scanName);
    position += packetLength;
    for (;;) {
      const batchCount = Math.min(
        remainingCount,
        maxBatchPoints,
        ...streams.map(({ stream }) => stream?.bufferedCount ?? Number.POSITIVE_INFINITY),
      );
      if (batchCount === 0) break;
      yield {
        pointCount: batchCount,
        values: new Map(streams.map(({ field, stream }) => [field.name, stream.read(batchCount)])),
      };
      remainingCount -= batchCount;
    }
  }
}

interface SelectedStream {
  /** Index of the byte stream in a packet, from 0. */
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

/** Appends the bytes of a data packet to the streams of the selected fields. */
function pushPacket(packet: Buffer, streams: readonly SelectedStream[], fieldCount: number, name: string): void {
  const streamCount = packet.length < dataPacketHeaderBytes ? 0 : packet.readUInt16LE(4);
  const lengthsEnd = dataPacketHeaderBytes + 2 * streamCount;
  if (streamCount !== fieldCount || lengthsEnd > packet.length)
    throw new ScanUnreadable('scan.refused.e57Streams', { scan: name, count: streamCount, fields: fieldCount });
  const offsets = [lengthsEnd];
  for (let k = 0; k < streamCount; k++) offsets.push(offsets[k]! + packet.readUInt16LE(dataPacketHeaderBytes + 2 * k));
  if (offsets[streamCount]! > packet.length) throw new ScanUnreadable('scan.refused.e57PacketShort', { scan: name });
  for (const { index, stream } of streams) stream.push(packet.subarray(offsets[index], offsets[index + 1]));
}
