import { setImmediate } from 'node:timers/promises';
import { hasAllLayers } from '../../../common/laz-layers.ts';
import type { ByteSource } from '../byte-source.ts';
import type { PointBatch } from '../point-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import type { LazChunk } from './chunk-table.ts';
import type { LasHeader } from './las-header.ts';
import { decodeLasPoints } from './las-points.ts';
import { allocate, loadLazPerf } from './laz-perf.ts';

const decodableFormats: ReadonlySet<number> = new Set([0, 1, 2, 3, 6, 7, 8]);
const maxChunkBytes = 256 << 20;
const pointsPerBatch = 16_384;
/**
 * Bytes that a decoder may read past the end of a damaged chunk. The read stays within its heap, and later checks
 * refuse the decoded points.
 */
const marginBytes = 1 << 16;

/** Decodes the chunks of a LAZ file in order and yields to the event loop in between. Throws `ScanUnreadable`. */
export async function* decodeLazPoints(
  source: ByteSource,
  header: LasHeader,
  chunks: readonly LazChunk[],
): AsyncGenerator<PointBatch> {
  if (!decodableFormats.has(header.format))
    throw new ScanUnreadable('scan.refused.lazFormat', { format: header.format });
  const laz = await loadLazPerf();
  const out = allocate(laz, pointsPerBatch * header.pointLength);
  for (const { offset, bytes, count } of chunks) {
    if (bytes > maxChunkBytes)
      throw new ScanUnreadable('scan.refused.lazLargeChunk', { size: bytes, most: maxChunkBytes });
    const compressedChunk = await source.read(offset, bytes);
    if (!hasAllLayers(compressedChunk, header)) throw new ScanUnreadable('scan.refused.lazPoints', { offset });
    const address = allocate(laz, bytes + marginBytes);
    laz.HEAPU8.set(compressedChunk, address);
    laz.HEAPU8.fill(0, address + bytes, address + bytes + marginBytes);
    const decoder = new laz.ChunkDecoder();
    for (let decodedCount = 0; decodedCount < count;) {
      const batchCount = Math.min(pointsPerBatch, count - decodedCount);
      try {
        if (decodedCount === 0) decoder.open(header.format, header.pointLength, address);
        for (let k = 0; k < batchCount; k++) decoder.getPoint(out + k * header.pointLength);
      } catch (cause) {
        throw new ScanUnreadable('scan.refused.lazPoints', { offset }, { cause });
      }
      const batch = decodeLasPoints(
        header,
        Buffer.from(laz.HEAPU8.buffer, out, batchCount * header.pointLength),
        batchCount,
      );
      assertWithinBox(batch, header, offset);
      yield batch;
      decodedCount += batchCount;
      await setImmediate();
    }
    decoder.delete();
    laz._free(address);
  }
}

/**
 * LAZ has no checksums, so damaged bytes decode into arbitrary points. Headers are often slightly wrong, so only points
 * far outside of their box are counted.
 */
function assertWithinBox({ positions, count }: PointBatch, { minimum, maximum }: LasHeader, offset: number): void {
  const size = Math.max(1, ...[0, 1, 2].map((axis) => maximum[axis]! - minimum[axis]!));
  if (!Number.isFinite(size)) return;
  let outsideCount = 0;
  for (let k = 0; k < count; k++) {
    let isFar = false;
    for (let axis = 0; axis < 3; axis++)
      isFar ||= positions[3 * k + axis]! < minimum[axis]! - size || positions[3 * k + axis]! > maximum[axis]! + size;
    if (isFar) outsideCount++;
  }
  if (outsideCount > count / 100) throw new ScanUnreadable('scan.refused.lazOutside', { offset });
}
