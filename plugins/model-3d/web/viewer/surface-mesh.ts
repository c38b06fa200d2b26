import { Matrix4, Vector3, type BatchedMesh } from 'three';

/** Triangles in the scene's frame. */
export interface SceneMesh {
  /** Nine numbers per triangle. */
  readonly corners: Float64Array;
  /** Index of the hit triangle. */
  readonly hit: number;
}

/**
 * The triangles of an instance within `radius` of `point` (scene frame). `face` is the triangle's index in the batch,
 * as in a ray's hit. Undefined if the batch has no such triangle.
 */
export function surfaceMesh(
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
  for (let at = range.start; at < range.start + range.count; at += 3) {
    for (let k = 0; k < 3; k++)
      corner
        .fromBufferAttribute(positions, index.getX(at + k))
        .applyMatrix4(matrix)
        .toArray(triangle, k * 3);
    const isHit = at / 3 === face;
    if (!isHit && !isWithin(triangle, point, radius)) continue;
    if (isHit) hit = corners.length / 9;
    corners.push(...triangle);
  }
  return hit < 0 ? undefined : { corners: Float64Array.from(corners), hit };
}

/** Tests the triangle's bounding box, which includes a few more. */
function isWithin(triangle: readonly number[], point: Vector3, radius: number): boolean {
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const [a = 0, b = 0, c = 0] = [triangle[axis], triangle[axis + 3], triangle[axis + 6]];
    const at = point.getComponent(axis);
    squared += Math.max(Math.min(a, b, c) - at, 0, at - Math.max(a, b, c)) ** 2;
  }
  return squared <= radius * radius;
}
