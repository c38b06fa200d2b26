import type { Point3 } from '#core';

/** A gap of more than this multiple of the mean spacing separates two surfaces. */
const gapFactor = 3;
const minGapMetres = 0.012;

/**
 * Finds the points (x y z, flat) that are connected to the point nearest to the centre without gaps much wider than the
 * mean spacing. All input points are within `radius` metres of the centre.
 */
export function findConnectedPoints(points: Float64Array, centre: Point3, radius: number): Float64Array {
  const count = points.length / 3;
  if (count === 0) return points;
  // The mean spacing assumes that the points cover a disc of this radius.
  const gap = Math.min(radius, Math.max(minGapMetres, gapFactor * radius * Math.sqrt(Math.PI / count)));
  const cells = new Map<string, number[]>();
  const toCell = (index: number): [number, number, number] =>
    [0, 1, 2].map((axis) => Math.floor((points[3 * index + axis]! - centre[axis]!) / gap)) as [number, number, number];
  let nearest = 0;
  let nearestDistance = Infinity;
  for (let k = 0; k < count; k++) {
    const key = toCell(k).join();
    const cell = cells.get(key);
    if (cell) cell.push(k);
    else cells.set(key, [k]);
    const distance = Math.hypot(
      points[3 * k]! - centre[0],
      points[3 * k + 1]! - centre[1],
      points[3 * k + 2]! - centre[2],
    );
    if (distance < nearestDistance) [nearest, nearestDistance] = [k, distance];
  }
  const connectedIndices: number[] = [];
  const queue = [toCell(nearest)];
  while (queue.length > 0) {
    const [x, y, z] = queue.pop()!;
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (let dz = -1; dz <= 1; dz++) {
          const neighbour: [number, number, number] = [x + dx, y + dy, z + dz];
          const key = neighbour.join();
          const cell = cells.get(key);
          if (!cell) continue;
          cells.delete(key);
          for (const index of cell) connectedIndices.push(index);
          queue.push(neighbour);
        }
  }
  const coordinates = new Float64Array(connectedIndices.length * 3);
  for (const [k, index] of connectedIndices.sort((a, b) => a - b).entries())
    coordinates.set(points.subarray(3 * index, 3 * index + 3), 3 * k);
  return coordinates;
}
