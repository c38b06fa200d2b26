import { Matrix4, Triangle, Vector3, type BatchedMesh } from 'three';

/** Distance between two samples as a fraction of the patch's radius. */
const sampleSpacing = 1 / 14;
const maxSamples = 6_000;
/** Vertices with the same normal within the same 0.1 mm are merged, because a seam of the mesh is not an edge. */
const weldFactor = 1e4;

/**
 * Samples the smooth surface within `radius` of `point` (scene frame). Spreads from the hit triangle over edges without
 * a change of normal, so that a patch on a pipe excludes its flange. `face` is the index of the hit triangle in the
 * batch.
 */
export function sampleSurfacePatch(
  batch: BatchedMesh,
  instance: number,
  face: number,
  point: Vector3,
  radius: number,
): Vector3[] {
  const matrix = new Matrix4();
  batch.getMatrixAt(instance, matrix);
  const range = batch.getGeometryRangeAt(batch.getGeometryIdAt(instance));
  const index = batch.geometry.getIndex();
  const positions = batch.geometry.getAttribute('position');
  const normals = batch.geometry.getAttribute('normal');
  if (!range || !index || !positions || !normals) return [];

  const nearby: { readonly triangle: Triangle; readonly keys: readonly string[] }[] = [];
  let hitIndex = -1;
  const closest = new Vector3();
  const readCorner = (offset: number): Vector3 =>
    new Vector3().fromBufferAttribute(positions, index.getX(offset)).applyMatrix4(matrix);
  const toKey = (offset: number, position: Vector3): string => {
    const vertex = index.getX(offset);
    const parts = [position.x, position.y, position.z].map((value) => Math.round(value * weldFactor));
    return [
      ...parts,
      ...[normals.getX(vertex), normals.getY(vertex), normals.getZ(vertex)].map((value) => Math.round(value * 20)),
    ].join(' ');
  };
  for (let offset = range.start; offset < range.start + range.count; offset += 3) {
    const [a, b, c] = [readCorner(offset), readCorner(offset + 1), readCorner(offset + 2)];
    const triangle = new Triangle(a, b, c);
    if (triangle.closestPointToPoint(point, closest).distanceTo(point) > radius) continue;
    if (offset / 3 === face) hitIndex = nearby.length;
    nearby.push({ triangle, keys: [toKey(offset, a), toKey(offset + 1, b), toKey(offset + 2, c)] });
  }
  if (hitIndex < 0) return [];
  return sampleTriangles(
    [
      ...findConnected(
        nearby.map(({ keys }) => keys),
        hitIndex,
      ),
    ].map((triangle) => nearby[triangle]!.triangle),
    point,
    radius,
  );
}

function findConnected(keys: readonly (readonly string[])[], start: number): ReadonlySet<number> {
  const trianglesByKey = new Map<string, number[]>();
  keys.forEach((triangleKeys, triangle) => {
    for (const key of triangleKeys) trianglesByKey.set(key, [...(trianglesByKey.get(key) ?? []), triangle]);
  });
  const connectedTriangles = new Set([start]);
  for (const triangle of connectedTriangles)
    for (const key of keys[triangle]!)
      for (const neighbour of trianglesByKey.get(key) ?? []) connectedTriangles.add(neighbour);
  return connectedTriangles;
}

function sampleTriangles(triangles: readonly Triangle[], point: Vector3, radius: number): Vector3[] {
  const step = radius * sampleSpacing;
  const samples: Vector3[] = [];
  for (const { a, b, c } of triangles) {
    const sides = [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ] as const;
    const [from, to, top] = sides.reduce((longest, side) =>
      side[0].distanceTo(side[1]) > longest[0].distanceTo(longest[1]) ? side : longest,
    );
    const length = from.distanceTo(to);
    const height = new Triangle(a, b, c).getArea() / Math.max(length / 2, 1e-9);
    const columns = Math.min(2000, Math.max(1, Math.ceil(length / step)));
    const rows = Math.min(200, Math.max(1, Math.ceil(height / step)));
    for (let i = 0; i < columns; i++) {
      const base = new Vector3().lerpVectors(from, to, (i + 0.5) / columns);
      for (let j = 0; j < rows; j++) {
        const position = base.clone().lerp(top, (j + 0.33) / rows);
        if (position.distanceTo(point) <= radius) samples.push(position);
      }
    }
  }
  const stride = Math.max(1, Math.ceil(samples.length / maxSamples));
  return samples.filter((_, index) => index % stride === 0);
}
