import type { ByteSource } from '../byte-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { ArithmeticDecoder, IntegerDecoder } from './arithmetic-decoder.ts';
import type { LasHeader } from './las-header.ts';

/** Points that are compressed together. */
export interface LazChunk {
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
}

const variableSize = 0xffff_ffff;
const maxTableBytes = 64 << 20;

/** Reads the offsets of the chunks of a LAZ file (LASzip's specification, "chunk table"). Throws `ScanUnreadable`. */
export async function readChunkTable(source: ByteSource, header: LasHeader): Promise<readonly LazChunk[]> {
  const { laszip } = header;
  if (!laszip || laszip.length < 34) throw new ScanUnreadable('scan.refused.lazUnsaid');
  const compressor = laszip.readUInt16LE(0);
  if (compressor !== 2 && compressor !== 3) throw new ScanUnreadable('scan.refused.lazMethod', { method: compressor });
  if (header.count === 0) return [];
  const chunkSize = laszip.readUInt32LE(12);
  const first = header.pointsOffset + 8;
  const table = await readTableOffset(source, header);
  if (table < first || table + 8 > source.size) throw new ScanUnreadable('scan.refused.lazChunks');
  const chunkCount = (await source.read(table, 8)).readUInt32LE(4);
  const maxChunks = chunkSize === variableSize ? header.count : Math.ceil(header.count / Math.max(1, chunkSize));
  if (chunkSize === 0 || chunkCount === 0 || chunkCount > maxChunks || chunkCount > (table - first) / 4)
    throw new ScanUnreadable('scan.refused.lazChunks');
  const integers = new IntegerDecoder(
    new ArithmeticDecoder(await source.read(table + 8, Math.min(source.size - table - 8, maxTableBytes))),
    2,
  );
  const chunks: LazChunk[] = [];
  let remainingCount = header.count;
  let [count, bytes, offset] = [0, 0, first];
  for (let k = 0; k < chunkCount; k++) {
    if (chunkSize === variableSize) count = integers.decodeNext(count, 0);
    else count = Math.min(chunkSize, remainingCount);
    bytes = integers.decodeNext(bytes, 1);
    if (bytes < header.pointLength || count < 1 || count > remainingCount || offset + bytes > table)
      throw new ScanUnreadable('scan.refused.lazChunks');
    chunks.push({ offset, bytes, count });
    offset += bytes;
    remainingCount -= count;
  }
  if (remainingCount > 0) throw new ScanUnreadable('scan.refused.lazChunks');
  return chunks;
}

/** A streaming writer stores the offset at the end of the file. */
async function readTableOffset(source: ByteSource, { pointsOffset }: LasHeader): Promise<number> {
  const statedOffset = Number((await source.read(pointsOffset, 8)).readBigInt64LE(0));
  return statedOffset === -1 ? Number((await source.read(source.size - 8, 8)).readBigInt64LE(0)) : statedOffset;
}
