import { toPanTilt, type Point3 } from '#core';
import { findEarlierRanges, toNodeRanges } from './node-ranges.ts';
import { readRangePicture } from './range-picture.ts';
import type { TourContext } from './tour-at.ts';

/** Maximum distance at which a shape counts as visible, metres. */
const maxDistanceMetres = 25;
/** Metres by which a surface must be nearer to occlude a point. Flat areas on round objects lie behind the surface. */
const occlusionMarginMetres = 0.3;
/** Minimum fraction of visible sample points. */
const minVisibleFraction = 0.4;

/**
 * For each shape (a point, or the corners of an area; site frame, metres), the uids of the tour's nodes that see it.
 * Uses the range image of the current panorama, else that of the latest earlier one. A node without a range image is
 * assumed to see all near shapes.
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
    .where('panorama_file', 'is not', null)
    .orderBy('position')
    .execute();
  const nodesByShape = shapes.map((): string[] => []);
  const rangesByNode = await findEarlierRanges(
    context,
    nodes.filter(({ range_file }) => range_file === null).map(({ uid }) => uid),
  );
  for (const node of nodes) {
    const { uid, x, y, z } = node;
    const raysToShapes = shapes
      .map((shape) => listSamplePoints(shape).map(([px, py, pz]): Point3 => [px - x, py - y, pz - z]))
      .map((rays) => (rays.every((ray) => Math.hypot(...ray) <= maxDistanceMetres) ? rays : []));
    if (raysToShapes.every((rays) => rays.length === 0)) continue;
    const source = toNodeRanges(node) ?? rangesByNode.get(uid);
    const ranges = source && (await readRangePicture(context.files, source.file, source.heading));
    raysToShapes.forEach((rays, index) => {
      const visibleRays = rays.filter((ray) => {
        const { pan, tilt } = toPanTilt(ray);
        const range = ranges?.at(pan, tilt) ?? 0;
        return range === 0 || range >= Math.hypot(...ray) - occlusionMarginMetres;
      });
      if (rays.length > 0 && visibleRays.length / rays.length >= minVisibleFraction) nodesByShape[index]?.push(uid);
    });
  }
  return nodesByShape;
}

/** Returns the corners, the midpoints of the edges, and the centre. */
function listSamplePoints(shape: readonly Point3[]): readonly Point3[] {
  if (shape.length < 2) return shape;
  const computeCentre = (points: readonly Point3[]): Point3 => {
    const computeMean = (axis: 0 | 1 | 2): number =>
      points.reduce((total, point) => total + point[axis], 0) / points.length;
    return [computeMean(0), computeMean(1), computeMean(2)];
  };
  return [
    ...shape,
    ...shape.map((point, k) => computeCentre([point, shape[(k + 1) % shape.length]!])),
    computeCentre(shape),
  ];
}
