import { toPanTilt, type Point3 } from '#core';
import { earlierRanges, rangesIn } from './node-ranges.ts';
import { readRangePicture } from './range-picture.ts';
import type { TourContext } from './tour-at.ts';

/** Maximum distance at which a shape counts as visible, metres. */
const maxDistance = 25;
/** Metres by which a surface must be nearer to occlude a point. Areas are drawn flat over round objects. */
const occlusionMargin = 0.3;
/** Minimum share of visible sample points. */
const minVisibleShare = 0.4;

/**
 * For each shape (a point, or the corners of an area; site frame, metres), the uids of the tour's nodes that see it.
 * Uses their range images, or those of the latest earlier panorama. A node without any sees shapes nearby.
 */
export async function nodesThatSee(
  context: Pick<TourContext, 'tables' | 'files'>,
  tour: string,
  shapes: readonly (readonly Point3[])[],
): Promise<string[][]> {
  const nodes = await context.tables
    .selectFrom('node')
    .select(['uid', 'x', 'y', 'z', 'heading', 'range_file'])
    .where('tour', '=', tour)
    .orderBy('position')
    .execute();
  const seen = shapes.map((): string[] => []);
  const earlier = await earlierRanges(
    context,
    nodes.filter(({ range_file }) => range_file === null).map(({ uid }) => uid),
  );
  for (const node of nodes) {
    const { uid, x, y, z } = node;
    const near = shapes
      .map((shape) => samplePoints(shape).map(([px, py, pz]): Point3 => [px - x, py - y, pz - z]))
      .map((rays) => (rays.filter((ray) => Math.hypot(...ray) <= maxDistance).length === rays.length ? rays : []));
    if (near.every((rays) => rays.length === 0)) continue;
    const source = rangesIn(node) ?? earlier.get(uid);
    const ranges = source && (await readRangePicture(context.files, source.file, source.heading));
    near.forEach((rays, index) => {
      const inSight = rays.filter((ray) => {
        const { pan, tilt } = toPanTilt(ray);
        const range = ranges?.at(pan, tilt) ?? 0;
        return range === 0 || range >= Math.hypot(...ray) - occlusionMargin;
      });
      if (rays.length > 0 && inSight.length / rays.length >= minVisibleShare) seen[index]?.push(uid);
    });
  }
  return seen;
}

/** The corners, the midpoints of the edges, and the centre. */
function samplePoints(shape: readonly Point3[]): readonly Point3[] {
  if (shape.length < 2) return shape;
  const middle = (points: readonly Point3[]): Point3 => {
    const sum = (axis: 0 | 1 | 2): number => points.reduce((total, point) => total + point[axis], 0) / points.length;
    return [sum(0), sum(1), sum(2)];
  };
  return [...shape, ...shape.map((point, k) => middle([point, shape[(k + 1) % shape.length]!])), middle(shape)];
}
