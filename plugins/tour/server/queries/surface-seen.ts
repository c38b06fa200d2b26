import { toDirection, type Point3 } from '#core';
import { notFound, type Caller } from '#core/server';
import { findEarlierRanges, toNodeRanges } from './node-ranges.ts';
import { readRangePicture } from './range-picture.ts';
import { getAccessibleNode, type TourContext } from './tour-at.ts';

interface SurfaceQuery {
  /** Degrees. */
  readonly pan: number;
  readonly tilt: number;
  /** Selects an earlier panorama. Default: the current one. */
  readonly capturedAt?: string;
}

/**
 * Finds the point of the surface that a node sees in a direction, in its range image or the latest earlier one. Null if
 * the node has no range image or the image has no return in that direction.
 *
 * @throws 404 if the node is not accessible or has no panorama of `capturedAt`
 */
export async function findSurfacePoint(
  context: TourContext,
  caller: Caller,
  location: string,
  uid: string,
  { pan, tilt, capturedAt }: SurfaceQuery,
): Promise<Point3 | null> {
  const node = await getAccessibleNode(context, caller, location, uid);
  const ranges =
    capturedAt === undefined
      ? (toNodeRanges(node) ?? (await findEarlierRanges(context, [uid])).get(uid))
      : toNodeRanges(await getCapture(context, uid, capturedAt));
  if (!ranges) return null;
  const image = await readRangePicture(context.files, ranges.file, ranges.heading);
  const range = image.at(pan, tilt);
  if (range === 0) return null;
  const [x, y, z] = toDirection(pan, tilt);
  return [node.x + x * range, node.y + y * range, node.z + z * range];
}

async function getCapture({ tables }: TourContext, node: string, capturedAt: string) {
  const capture = await tables
    .selectFrom('capture')
    .select(['range_file', 'heading'])
    .where('node', '=', node)
    .where('captured_at', '=', new Date(capturedAt))
    .executeTakeFirst();
  if (!capture) throw notFound('A panorama of this date');
  return capture;
}
