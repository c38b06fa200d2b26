import type { ByteSource } from '../byte-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';

const entryLength = 32;
const maxPageBytes = 64 << 20;
const maxPages = 100_000;

/**
 * Validates the hierarchy of a COPC 1.0 file against the file's length and the header's point count, because browsers
 * find points by it alone. `info` is the content of the first record. Throws `ScanUnreadable`.
 */
export async function assertCopcHierarchy(source: ByteSource, info: Buffer, count: number): Promise<void> {
  if (info.length < 56) throw createIncompleteError(0, count);
  const pages: { readonly offset: number; readonly bytes: number }[] = [
    { offset: Number(info.readBigUInt64LE(40)), bytes: Number(info.readBigUInt64LE(48)) },
  ];
  const visitedOffsets = new Set<number>();
  let foundCount = 0;
  for (let page = pages.pop(); page; page = pages.pop()) {
    const { offset, bytes } = page;
    if (
      visitedOffsets.has(offset) ||
      visitedOffsets.size > maxPages ||
      !isWithin(source, offset, bytes) ||
      bytes > maxPageBytes
    )
      throw createIncompleteError(foundCount, count);
    visitedOffsets.add(offset);
    const entries = await source.read(offset, bytes);
    for (let at = 0; at + entryLength <= entries.length; at += entryLength) {
      const node = { offset: Number(entries.readBigUInt64LE(at + 16)), bytes: entries.readInt32LE(at + 24) };
      const points = entries.readInt32LE(at + 28);
      if (points === -1) pages.push(node);
      else if (points > 0) {
        if (!isWithin(source, node.offset, node.bytes)) throw createIncompleteError(foundCount, count);
        foundCount += points;
      }
    }
  }
  if (foundCount !== count) throw createIncompleteError(foundCount, count);
}

const createIncompleteError = (foundCount: number, count: number): ScanUnreadable =>
  new ScanUnreadable('scan.refused.copcHierarchy', { found: foundCount, count });

const isWithin = ({ size }: ByteSource, offset: number, bytes: number): boolean =>
  Number.isSafeInteger(offset) && offset > 0 && bytes >= 0 && offset + bytes <= size;
