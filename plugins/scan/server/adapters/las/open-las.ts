import type { ByteSource } from '../byte-source.ts';
import type { PointBatch, PointFormat, PointSource } from '../point-source.ts';
import { readChunkTable } from './chunk-table.ts';
import { assertCopcHierarchy } from './copc-hierarchy.ts';
import { readLasHeader, type LasHeader } from './las-header.ts';
import { decodeLasPoints } from './las-points.ts';
import { decodeLazPoints } from './laz-points.ts';

const pointsPerBatch = 16_384;

export interface LasFile extends PointSource {
  readonly header: LasHeader;
}

/** Opens a LAS, LAZ or COPC file. Throws `ScanUnreadable`, here or while points are read. */
export async function openLas(source: ByteSource): Promise<LasFile> {
  const header = await readLasHeader(source);
  const format: PointFormat = header.copc ? 'COPC' : header.compressed ? 'LAZ' : 'LAS';
  const chunks = header.compressed ? await readChunkTable(source, header) : undefined;
  if (header.copc) await assertCopcHierarchy(source, header.copc, header.count);
  return {
    format,
    header,
    count: header.count,
    declared: header.count + Math.max(0, header.undeclaredCount),
    system: header.system,
    bounds: { minimum: header.minimum, maximum: header.maximum },
    readPoints: () =>
      scaleColors(chunks ? decodeLazPoints(source, header, chunks) : readUncompressedPoints(source, header)),
  };
}

async function* readUncompressedPoints(source: ByteSource, header: LasHeader): AsyncGenerator<PointBatch> {
  const { count, pointsOffset, pointLength } = header;
  for (let decodedCount = 0; decodedCount < count;) {
    const batchCount = Math.min(pointsPerBatch, count - decodedCount);
    yield decodeLasPoints(
      header,
      await source.read(pointsOffset + decodedCount * pointLength, batchCount * pointLength),
      batchCount,
    );
    decodedCount += batchCount;
  }
}

/**
 * Many programs write colours of 0 to 255 although the standard prescribes 0 to 65535. The first batch determines the
 * scale of the whole file.
 */
async function* scaleColors(batches: AsyncGenerator<PointBatch>): AsyncGenerator<PointBatch> {
  let factor: number | undefined;
  for await (const batch of batches) {
    const { colors } = batch;
    if (colors) {
      factor ??= colors.every((value) => value < 256) ? 257 : 1;
      if (factor !== 1) for (let k = 0; k < colors.length; k++) colors[k] = Math.min(65_535, colors[k]! * factor);
    }
    yield batch;
  }
}
