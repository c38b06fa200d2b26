import { ScanUnreadable } from '../scan-unreadable.ts';
import type { E57Field, E57ScanDescription } from './e57-description.ts';
import { FieldStream } from './field-stream.ts';
import type { PagedFile } from './paged-file.ts';

const sectionHeaderLength = 32;
const dataPacket = 1;
/** Maximum number of values in one batch: a packet of one-bit fields holds half a million. */
const maxAtOnce = 32_768;

/** The values of some points by field name. */
export interface E57Records {
  readonly count: number;
  readonly of: ReadonlyMap<string, Float64Array>;
}

/** Reads the selected fields of all points of one scan, packet by packet (ASTM E2807, 9.3). Throws `ScanUnreadable`. */
export async function* readRecords(
  file: PagedFile,
  scan: E57ScanDescription,
  fieldNames: ReadonlySet<string>,
): AsyncGenerator<E57Records> {
  if (scan.count === 0) return;
  const name = scan.name ?? scan.guid ?? 'without name';
  const start = file.logical(scan.offset);
  const header = await file.read(start, sectionHeaderLength);
  if (header[0] !== 1) throw new ScanUnreadable('scan.refused.e57PointsPlace', { scan: name });
  const length = Number(header.readBigUInt64LE(8));
  const end = start + length;
  const streams = listStreams(scan.fields, fieldNames);
  const bitsOfPoint = streams.reduce((sum, { bits }) => sum + bits, 0);
  if (bitsOfPoint === 0 || end > file.logicalSize || (scan.count * bitsOfPoint) / 8 > length) {
    throw new ScanUnreadable('scan.refused.e57TooFewBytes', { scan: name, count: scan.count });
  }

  let left = scan.count;
  for (let at = file.logical(Number(header.readBigUInt64LE(16))); left > 0;) {
    if (at + 4 > end) throw new ScanUnreadable('scan.refused.e57EndsEarly', { scan: name, count: left });
    const packetHeader = await file.read(at, 4);
    const packetLength = packetHeader.readUInt16LE(2) + 1;
    if (packetHeader[0]! > 2 || packetLength < 4 || packetLength % 4 !== 0 || at + packetLength > end)
      throw new ScanUnreadable('scan.refused.e57Packet', { scan: name });
    if (packetHeader[0] === dataPacket)
      readPacket(await file.read(at, packetLength), streams, scan.fields.length, name);
    at += packetLength;
    for (;;) {
      const count = Math.min(
        left,
        maxAtOnce,
        ...streams.map(({ stream }) => stream?.waiting ?? Number.POSITIVE_INFINITY),
      );
      if (count === 0) break;
      yield { count, of: new Map(streams.map(({ field, stream }) => [field.name, stream.read(count)])) };
      left -= count;
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
