import { toDirection, type Point3 } from '#core';
import { notFound, type Caller } from '#core/server';
import { earlierRanges, rangesIn } from './node-ranges.ts';
import { readRangePicture } from './range-picture.ts';
import { accessibleNode, type TourContext } from './tour-at.ts';

interface Look {
  /** Degrees. */
  readonly pan: number;
  readonly tilt: number;
  /** Of an earlier panorama. Default: the current one. */
  readonly capturedAt?: string;
}

/**
 * The point of the surface that a node sees in a direction, by its range image or by the latest earlier one. Null if
 * there is none or nothing returned. Throws 404 if the node is not accessible or has no such panorama.
 */
export async function surfaceSeen(
  context: TourContext,
  caller: Caller,
  location: string,
  uid: string,
  { pan, tilt, capturedAt }: Look,
): Promise<Point3 | null> {
  const node = await accessibleNode(context, caller, location, uid);
  const earlier =
    capturedAt === undefined
      ? undefined
      : await context.tables
          .selectFrom('capture')
          .select(['range_file', 'heading'])
          .where('node', '=', uid)
          .where('captured_at', '=', new Date(capturedAt))
          .executeTakeFirst();
  if (capturedAt !== undefined && !earlier) throw notFound('A panorama of this date');
  const ranges = earlier ? rangesIn(earlier) : (rangesIn(node) ?? (await earlierRanges(context, [uid])).get(uid));
  const range =
    ranges === undefined ? 0 : (await readRangePicture(context.files, ranges.file, ranges.heading)).at(pan, tilt);
  if (range === 0) return null;
  const [x, y, z] = toDirection(pan, tilt);
  return [node.x + x * range, node.y + y * range, node.z + z * range];
}
