import { Matrix4, Vector3, type BatchedMesh } from 'three';

/** A mesh in the scene's frame. */
export interface SceneMesh {
  /** Coordinates of the corners, nine numbers for each triangle. */
  readonly corners: Float64Array;
  /** Index of the hit triangle. */
  readonly hit: number;
}

/**
 * Extracts the triangles of an instance within `radius` of `point` (scene frame). `face` is the index of the hit
 * triangle in the batch. Returns undefined if the batch has no such triangle.
 */
export function extractSurfaceMesh(
  batch: BatchedMesh,
  instance: number,
  face: number,
  point: Vector3,
  radius: number,
): SceneMesh | undefined {
  const matrix = new Matrix4();
  batch.getMatrixAt(instance, matrix);
  const range = batch.getGeometryRangeAt(batch.getGeometryIdAt(instance));
  const index = batch.geometry.getIndex();
  const positions = batch.geometry.getAttribute('position');
  if (!range || !index || !positions) return undefined;
  const corners: number[] = [];
  const corner = new Vector3();
  const triangle = Array.from({ length: 9 }, () => 0);
  let hit = -1;
  for (let offset = range.start; offset < range.start + range.count; offset += 3) {
    for (let cornerIndex = 0; cornerIndex < 3; cornerIndex++)
      corner
        .fromBufferAttribute(positions, index.getX(offset + cornerIndex))
        .applyMatrix4(matrix)
        .toArray(triangle, cornerIndex * 3);
    const isHit = offset / 3 === face;
    if (!isHit && !isWithin(triangle, point, radius)) continue;
    if (isHit) hit = corners.length / 9;
    corners.push(...triangle);
  }
  return hit < 0 ? undefined : { corners: Float64Array.from(corners), hit };
}

/** Tests the bounding box of the triangle, so that a few triangles outside the radius are included. */
function isWithin(triangle: readonly number[], point: Vector3, radius: number): boolean {
  let squaredDistance = 0;
  for (let axis = 0; axis < 3; axis++) {
    const [a = 0, b = 0, c = 0] = [triangle[axis], triangle[axis + 3], triangle[axis + 6]];
    const value = point.getComponent(axis);
    squaredDistance += Math.max(Math.min(a, b, c) - value, 0, value - Math.max(a, b, c)) ** 2;
  }
  return squaredDistance <= radius * radius;
}
