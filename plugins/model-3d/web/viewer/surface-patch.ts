import { Matrix4, Triangle, Vector3, type BatchedMesh } from 'three';

/** Metres between two samples, as a share of the patch's radius. */
const spacing = 1 / 14;
const maxSamples = 6_000;
/** Vertices closer than this with the same normal are one: a seam is no edge. */
const weld = 1e4;

/**
 * Points of the smooth surface around `point` (scene frame) within `radius`. Spreads from the hit triangle over edges
 * without a change of normal, so that a patch on a pipe excludes its flange. `face` is the triangle's index in the
 * batch, as in a ray's hit.
 */
export function surfacePatch(
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

  const near: { readonly triangle: Triangle; readonly keys: readonly string[] }[] = [];
  let first = -1;
  const closest = new Vector3();
  const corner = (at: number): Vector3 =>
    new Vector3().fromBufferAttribute(positions, index.getX(at)).applyMatrix4(matrix);
  const toKey = (at: number, place: Vector3): string => {
    const vertex = index.getX(at);
    const parts = [place.x, place.y, place.z].map((value) => Math.round(value * weld));
    return [
      ...parts,
      ...[normals.getX(vertex), normals.getY(vertex), normals.getZ(vertex)].map((value) => Math.round(value * 20)),
    ].join(' ');
  };
  for (let at = range.start; at < range.start + range.count; at += 3) {
    const [a, b, c] = [corner(at), corner(at + 1), corner(at + 2)];
    const triangle = new Triangle(a, b, c);
    if (triangle.closestPointToPoint(point, closest).distanceTo(point) > radius) continue;
    if (at / 3 === face) first = near.length;
    near.push({ triangle, keys: [toKey(at, a), toKey(at + 1, b), toKey(at + 2, c)] });
  }
  if (first < 0) return [];
  return sample(
    [
      ...connected(
        near.map(({ keys }) => keys),
        first,
      ),
    ].map((each) => near[each]!.triangle),
    point,
    radius,
  );
}

function connected(keys: readonly (readonly string[])[], first: number): ReadonlySet<number> {
  const users = new Map<string, number[]>();
  keys.forEach((own, triangle) => {
    for (const key of own) users.set(key, [...(users.get(key) ?? []), triangle]);
  });
  const found = new Set([first]);
  for (const triangle of found)
    for (const key of keys[triangle]!) for (const other of users.get(key) ?? []) found.add(other);
  return found;
}

function sample(triangles: readonly Triangle[], point: Vector3, radius: number): Vector3[] {
  const step = radius * spacing;
  const samples: Vector3[] = [];
  for (const { a, b, c } of triangles) {
    const sides = [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ] as const;
    const [from, to, top] = sides.reduce((long, side) =>
      side[0].distanceTo(side[1]) > long[0].distanceTo(long[1]) ? side : long,
    );
    const length = from.distanceTo(to);
    const height = new Triangle(a, b, c).getArea() / Math.max(length / 2, 1e-9);
    const across = Math.min(2000, Math.max(1, Math.ceil(length / step)));
    const up = Math.min(200, Math.max(1, Math.ceil(height / step)));
    for (let i = 0; i < across; i++) {
      const base = new Vector3().lerpVectors(from, to, (i + 0.5) / across);
      for (let j = 0; j < up; j++) {
        const place = base.clone().lerp(top, (j + 0.33) / up);
        if (place.distanceTo(point) <= radius) samples.push(place);
      }
    }
  }
  const every = Math.max(1, Math.ceil(samples.length / maxSamples));
  return samples.filter((_, at) => at % every === 0);
}
