import { setImmediate } from 'node:timers/promises';
import type { ByteSource } from '../byte-source.ts';
import type { PointBatch } from '../point-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import type { LazChunk } from './chunk-table.ts';
import type { LasHeader } from './las-header.ts';
import { lasPoints } from './las-points.ts';
import { allocate, newLazPerf } from './laz-perf.ts';

const decodable: ReadonlySet<number> = new Set([0, 1, 2, 3, 6, 7, 8]);
const largestChunk = 256 << 20;
const pointsAtOnce = 16_384;
/**
 * Bytes that a decoder may read past the end of a damaged chunk. The read stays within its heap, and later checks
 * refuse the result.
 */
const margin = 1 << 16;

/** Decodes the chunks of a LAZ file in order and yields to the event loop in between. Throws `ScanUnreadable`. */
export async function* lazPoints(
  source: ByteSource,
  header: LasHeader,
  chunks: readonly LazChunk[],
): AsyncGenerator<PointBatch> {
  if (!decodable.has(header.format)) throw new ScanUnreadable('scan.refused.lazFormat', { format: header.format });
  const laz = await newLazPerf();
  const out = allocate(laz, pointsAtOnce * header.length);
  for (const { offset, bytes, count } of chunks) {
    if (bytes > largestChunk)
      throw new ScanUnreadable('scan.refused.lazLargeChunk', { size: bytes, most: largestChunk });
    const compressed = await source.read(offset, bytes);
    const at = allocate(laz, bytes + margin);
    laz.HEAPU8.set(compressed, at);
    laz.HEAPU8.fill(0, at + bytes, at + bytes + margin);
    const decoder = new laz.ChunkDecoder();
    for (let done = 0; done < count;) {
      const now = Math.min(pointsAtOnce, count - done);
      try {
        if (done === 0) decoder.open(header.format, header.length, at);
        for (let k = 0; k < now; k++) decoder.getPoint(out + k * header.length);
      } catch (cause) {
        throw new ScanUnreadable('scan.refused.lazPoints', { offset }, { cause });
      }
      const batch = lasPoints(header, Buffer.from(laz.HEAPU8.buffer, out, now * header.length), now);
      assertWithinBox(batch, header, offset);
      yield batch;
      done += now;
      await setImmediate();
    }
    decoder.delete();
    laz._free(at);
  }
}

/**
 * LAZ has no checksums, so damaged bytes decode into arbitrary points. Headers are often slightly wrong, so only points
 * far outside of their box are counted.
 */
function assertWithinBox({ positions, count }: PointBatch, { minimum, maximum }: LasHeader, offset: number): void {
  const size = Math.max(1, ...[0, 1, 2].map((axis) => maximum[axis]! - minimum[axis]!));
  if (!Number.isFinite(size)) return;
  let outside = 0;
  for (let k = 0; k < count; k++) {
    let far = false;
    for (let axis = 0; axis < 3; axis++)
      far ||= positions[3 * k + axis]! < minimum[axis]! - size || positions[3 * k + axis]! > maximum[axis]! + size;
    if (far) outside++;
  }
  if (outside > count / 100) throw new ScanUnreadable('scan.refused.lazOutside', { offset });
}
