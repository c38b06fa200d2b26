import { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import { createRandom } from '../../cli/demo/plant/vector.ts';

/** Whether the polygon's corners are on the circle, so far outside that its sides touch the circle, or in between. */
export type CornerPlace = 'ON' | 'BETWEEN' | 'OUTSIDE';

export type TessellatedForm =
  /** Closed at both ends. */
  | 'PIPE'
  /** Followed by an elbow and another pipe in the same mesh. */
  | 'ELBOW'
  /** Between a reducer and a flange in the same mesh. */
  | 'REDUCER'
  /** A shell of 160 degrees. */
  | 'SHELL'
  /** Corners on the circle at uneven angles. */
  | 'UNEVEN'
  /** Decimated from a fine mesh, as exporters do for the web. */
  | 'DECIMATED';

export interface TessellatedOptions {
  readonly form: TessellatedForm;
  /** The true diameter, metres. */
  readonly diameter: number;
  readonly sides: number;
  readonly corners: CornerPlace;
  /** Whether neighbouring sides share vertices. */
  readonly shared: boolean;
  readonly seed: number;
}

/** Triangles around the z axis from 0 to `length`, as a flat list of x y z. Attached parts are above. */
export interface TessellatedShape {
  readonly positions: readonly number[];
  readonly indices: readonly number[];
  /** Length of the measured straight pipe. */
  readonly length: number;
  /** Angular range of its sides around the axis, in radians. */
  readonly arc: readonly [number, number];
}

type Ring = readonly (readonly [number, number, number])[];

/** Circumradius of the polygon that approximates a circle of `radius`. */
export function computeCircumradius(radius: number, sides: number, corners: CornerPlace): number {
  const halfAngle = Math.PI / sides;
  if (corners === 'ON') return radius;
  return corners === 'OUTSIDE'
    ? radius / Math.cos(halfAngle)
    : radius * Math.sqrt((2 * halfAngle) / Math.sin(2 * halfAngle));
}

/** Builds a tessellated pipe like the ones that exporters write. */
export async function buildTessellatedShape(options: TessellatedOptions): Promise<TessellatedShape> {
  const { form, diameter, sides, corners, shared, seed } = options;
  const radius = computeCircumradius(diameter / 2, sides, corners);
  const length = Math.max(0.4, diameter * 1.5);
  const random = createRandom(seed);
  const startAngle = random() * 2 * Math.PI;
  const totalAngle = form === 'SHELL' ? (160 * Math.PI) / 180 : 2 * Math.PI;
  const closed = form !== 'SHELL';
  const steps = closed ? sides : Math.round((sides * 160) / 360);
  const arc = [startAngle, startAngle + (closed ? 2 * Math.PI : (steps * 2 * Math.PI) / sides)] as const;
  const step = form === 'SHELL' ? (2 * Math.PI) / sides : totalAngle / steps;
  const angles = Array.from({ length: closed ? steps : steps + 1 }, (_, k) =>
    form === 'UNEVEN' ? startAngle + (k + (random() - 0.5) * 0.7) * step : startAngle + k * step,
  );
  const createRing = (ringRadius: number, z: number): Ring =>
    angles.map((angle) => [ringRadius * Math.cos(angle), ringRadius * Math.sin(angle), z]);
  if (form === 'DECIMATED') return { ...(await buildDecimatedPipe(diameter / 2, sides, length)), length, arc };
  const rings: Ring[] = [];
  if (form === 'REDUCER')
    rings.push(createRing(radius * 1.5, -0.1), createRing(radius * 1.5, 0), createRing(radius, 0));
  rings.push(createRing(radius, 0), createRing(radius, length));
  if (form === 'REDUCER')
    rings.push(createRing(radius * 0.7, length + diameter * 0.9), createRing(radius * 0.7, length + diameter * 1.5));
  if (form === 'ELBOW') rings.push(...buildElbow(angles, radius, diameter * 1.5, length));
  const body = joinRings(rings, closed);
  const solid = closed ? addCaps(body, rings) : body;
  return { ...(shared ? solid : separateTriangles(solid)), length, arc };
}

/** Builds an elbow of 90 degrees in steps of 15 degrees, followed by a pipe along x. */
function buildElbow(
  angles: readonly number[],
  radius: number,
  bendRadius: number,
  startHeight: number,
): readonly Ring[] {
  const createRing = (bendAngle: number, along: number): Ring =>
    angles.map((angle) => {
      const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      const away = bendRadius - x;
      return [bendRadius - away * Math.cos(bendAngle) + along, y, startHeight + away * Math.sin(bendAngle)];
    });
  return [1, 2, 3, 4, 5, 6].map((k) => createRing((k * Math.PI) / 12, 0)).concat([createRing(Math.PI / 2, radius * 4)]);
}

function joinRings(
  rings: readonly Ring[],
  closed: boolean,
): { readonly positions: readonly number[]; readonly indices: readonly number[] } {
  const size = rings[0]?.length ?? 0;
  const indices: number[] = [];
  for (let k = 1; k < rings.length; k += 1)
    for (let s = 0; s < (closed ? size : size - 1); s += 1) {
      const [a, b] = [(k - 1) * size + s, (k - 1) * size + ((s + 1) % size)];
      indices.push(a, b, b + size, a, b + size, a + size);
    }
  return { positions: rings.flat(2), indices };
}

function addCaps(
  { positions, indices }: { readonly positions: readonly number[]; readonly indices: readonly number[] },
  rings: readonly Ring[],
): { readonly positions: readonly number[]; readonly indices: readonly number[] } {
  const size = rings[0]?.length ?? 0;
  const lastRingStart = (rings.length - 1) * size;
  const fans = Array.from({ length: size - 2 }, (_, k) => [
    0,
    k + 2,
    k + 1,
    lastRingStart,
    lastRingStart + k + 1,
    lastRingStart + k + 2,
  ]);
  return { positions, indices: [...indices, ...fans.flat()] };
}

/** Separates the vertices of all triangles. */
function separateTriangles({
  positions,
  indices,
}: {
  readonly positions: readonly number[];
  readonly indices: readonly number[];
}) {
  return {
    positions: indices.flatMap((index) => positions.slice(index * 3, index * 3 + 3)),
    indices: indices.map((_, k) => k),
  };
}

/** Builds a pipe of 96 sides and 12 rings, decimated to the geometric error of a pipe with `sides` sides. */
async function buildDecimatedPipe(radius: number, sides: number, length: number) {
  await MeshoptSimplifier.ready;
  const fineSides = 96;
  const rings = Array.from({ length: 12 }, (_, k): Ring =>
    Array.from({ length: fineSides }, (__, s) => [
      radius * Math.cos((s * 2 * Math.PI) / fineSides),
      radius * Math.sin((s * 2 * Math.PI) / fineSides),
      (k / 11) * length,
    ]),
  );
  const { positions, indices } = joinRings(rings, true);
  const error = radius * (1 - Math.cos(Math.PI / sides));
  const [simplifiedIndices] = MeshoptSimplifier.simplify(
    Uint32Array.from(indices),
    Float32Array.from(positions),
    3,
    0,
    error,
    ['ErrorAbsolute'],
  );
  return { positions, indices: [...simplifiedIndices] };
}
