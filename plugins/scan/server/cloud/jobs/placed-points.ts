import type { ScanPlace } from '../../../contract/api/admin.ts';
import type { PointBatch } from '../../adapters/point-source.ts';
import { inSite, isIdentityPose } from '../../stations/jobs/scan-frame.ts';

/** The points of a delivery in the site frame. */
export async function* placedPoints(batches: AsyncIterable<PointBatch>, place: ScanPlace): AsyncGenerator<PointBatch> {
  if (isIdentityPose(place)) {
    yield* batches;
    return;
  }
  for await (const batch of batches) {
    const positions = new Float64Array(batch.count * 3);
    for (let k = 0; k < batch.count; k++)
      positions.set(
        inSite(place, [batch.positions[3 * k]!, batch.positions[3 * k + 1]!, batch.positions[3 * k + 2]!]),
        3 * k,
      );
    yield { ...batch, positions };
  }
}
