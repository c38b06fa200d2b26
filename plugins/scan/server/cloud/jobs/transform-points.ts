import type { ScanPose } from '../../../contract/api/admin.ts';
import type { PointBatch } from '../../adapters/point-source.ts';
import { toSiteFrame, isIdentityPose } from '../../stations/jobs/scan-frame.ts';

/** Transforms the points of a delivery to the site frame. */
export async function* transformPoints(
  batches: AsyncIterable<PointBatch>,
  place: ScanPose,
): AsyncGenerator<PointBatch> {
  if (isIdentityPose(place)) {
    yield* batches;
    return;
  }
  for await (const batch of batches) {
    const positions = new Float64Array(batch.count * 3);
    for (let k = 0; k < batch.count; k++)
      positions.set(
        toSiteFrame(place, [batch.positions[3 * k]!, batch.positions[3 * k + 1]!, batch.positions[3 * k + 2]!]),
        3 * k,
      );
    yield { ...batch, positions };
  }
}
