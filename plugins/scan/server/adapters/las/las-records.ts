import type { ByteSource } from '../byte-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';

/** A variable length record of a LAS file. */
export interface LasRecord {
  readonly user: string;
  readonly id: number;
  readonly content: Buffer;
}

const maxRecordsLength = 64 << 20;
const headLength = 54;
const extendedHeadLength = 60;
const maxExtendedRecords = 10_000;
/** Maximum bytes of an extended record that is read. Longer records contain data such as waveforms. */
const maxExtendedBytes = 1 << 20;
/** Maximum bytes of all extended records that are read. */
const maxExtendedTotalBytes = 16 << 20;

/** Reads the records between the header and the points. Throws `ScanUnreadable`. */
export async function readRecords(
  source: ByteSource,
  from: number,
  to: number,
  count: number,
): Promise<readonly LasRecord[]> {
  if (to - from > maxRecordsLength)
    throw new ScanUnreadable('scan.refused.lasLongRecords', { size: to - from, most: maxRecordsLength });
  const bytes = await source.read(from, to - from);
  const records: LasRecord[] = [];
  for (let at = 0; records.length < count;) {
    if (at + headLength > bytes.length) throw new ScanUnreadable('scan.refused.lasRecords');
    const length = bytes.readUInt16LE(at + 20);
    if (at + headLength + length > bytes.length) throw new ScanUnreadable('scan.refused.lasRecords');
    records.push({ ...readName(bytes, at), content: bytes.subarray(at + headLength, at + headLength + length) });
    at += headLength + length;
  }
  return records;
}

/**
 * Reads the records after the points of a LAS 1.4 file. Records beyond the limits have no content. Throws
 * `ScanUnreadable` if the file is truncated.
 */
export async function readExtendedRecords(
  source: ByteSource,
  from: number,
  count: number,
): Promise<readonly LasRecord[]> {
  const records: LasRecord[] = [];
  let contentBytes = 0;
  for (let at = from; records.length < Math.min(count, maxExtendedRecords);) {
    const createMissingError = (): ScanUnreadable =>
      new ScanUnreadable('scan.refused.lasEndMissing', { found: records.length, count });
    if (!Number.isSafeInteger(at) || at + extendedHeadLength > source.size) throw createMissingError();
    const head = await source.read(at, extendedHeadLength);
    const length = Number(head.readBigUInt64LE(20));
    if (!Number.isSafeInteger(length) || at + extendedHeadLength + length > source.size) throw createMissingError();
    const isRead = length <= maxExtendedBytes && contentBytes + length <= maxExtendedTotalBytes;
    if (isRead) contentBytes += length;
    records.push({
      ...readName(head, 0),
      content: isRead ? Buffer.from(await source.read(at + extendedHeadLength, length)) : Buffer.alloc(0),
    });
    at += extendedHeadLength + length;
  }
  return records;
}

const readName = (bytes: Buffer, at: number): Pick<LasRecord, 'user' | 'id'> => ({
  user: bytes.toString('latin1', at + 2, at + 18).replace(/\0.*$/s, ''),
  id: bytes.readUInt16LE(at + 18),
});
