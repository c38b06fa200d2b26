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

/** Corner radius of the polygon that approximates a circle. */
export function computeCornerRadius(radius: number, sides: number, corners: CornerPlace): number {
  const half = Math.PI / sides;
  if (corners === 'ON') return radius;
  return corners === 'OUTSIDE' ? radius / Math.cos(half) : radius * Math.sqrt((2 * half) / Math.sin(2 * half));
}

/** Builds a tessellated pipe like the ones that exporters write. */
export async function tessellatedShape(options: TessellatedOptions): Promise<TessellatedShape> {
  const { form, diameter, sides, corners, shared, seed } = options;
  const radius = computeCornerRadius(diameter / 2, sides, corners);
  const length = Math.max(0.4, diameter * 1.5);
  const random = createRandom(seed);
  const start = random() * 2 * Math.PI;
  const turn = form === 'SHELL' ? (160 * Math.PI) / 180 : 2 * Math.PI;
  const closed = form !== 'SHELL';
  const steps = closed ? sides : Math.round((sides * 160) / 360);
  const arc = [start, start + (closed ? 2 * Math.PI : (steps * 2 * Math.PI) / sides)] as const;
  const step = form === 'SHELL' ? (2 * Math.PI) / sides : turn / steps;
  const angles = Array.from({ length: closed ? steps : steps + 1 }, (_, k) =>
    form === 'UNEVEN' ? start + (k + (random() - 0.5) * 0.7) * step : start + k * step,
  );
  const ring = (r: number, z: number): Ring => angles.map((angle) => [r * Math.cos(angle), r * Math.sin(angle), z]);
  if (form === 'DECIMATED') return { ...(await decimated(diameter / 2, sides, length)), length, arc };
  const rings: Ring[] = [];
  if (form === 'REDUCER') rings.push(ring(radius * 1.5, -0.1), ring(radius * 1.5, 0), ring(radius, 0));
  rings.push(ring(radius, 0), ring(radius, length));
  if (form === 'REDUCER')
    rings.push(ring(radius * 0.7, length + diameter * 0.9), ring(radius * 0.7, length + diameter * 1.5));
  if (form === 'ELBOW') rings.push(...elbow(angles, radius, diameter * 1.5, length));
  const body = skin(rings, closed);
  const solid = closed ? capped(body, rings) : body;
  return { ...(shared ? solid : separated(solid)), length, arc };
}

/** Builds an elbow of 90 degrees in steps of 15 degrees, followed by a pipe along x. */
function elbow(angles: readonly number[], radius: number, bend: number, from: number): readonly Ring[] {
  const at = (turn: number, along: number): Ring =>
    angles.map((angle) => {
      const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      const away = bend - x;
      return [bend - away * Math.cos(turn) + along, y, from + away * Math.sin(turn)];
    });
  return [1, 2, 3, 4, 5, 6].map((k) => at((k * Math.PI) / 12, 0)).concat([at(Math.PI / 2, radius * 4)]);
}

function skin(
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

function capped(
  { positions, indices }: { readonly positions: readonly number[]; readonly indices: readonly number[] },
  rings: readonly Ring[],
): { readonly positions: readonly number[]; readonly indices: readonly number[] } {
  const size = rings[0]?.length ?? 0;
  const last = (rings.length - 1) * size;
  const fans = Array.from({ length: size - 2 }, (_, k) => [0, k + 2, k + 1, last, last + k + 1, last + k + 2]);
  return { positions, indices: [...indices, ...fans.flat()] };
}

/** Separates the vertices of all triangles. */
function separated({
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
async function decimated(radius: number, sides: number, length: number) {
  await MeshoptSimplifier.ready;
  const fine = 96;
  const rings = Array.from({ length: 12 }, (_, k): Ring =>
    Array.from({ length: fine }, (__, s) => [
      radius * Math.cos((s * 2 * Math.PI) / fine),
      radius * Math.sin((s * 2 * Math.PI) / fine),
      (k / 11) * length,
    ]),
  );
  const { positions, indices } = skin(rings, true);
  const error = radius * (1 - Math.cos(Math.PI / sides));
  const [thin] = MeshoptSimplifier.simplify(Uint32Array.from(indices), Float32Array.from(positions), 3, 0, error, [
    'ErrorAbsolute',
  ]);
  return { positions, indices: [...thin] };
}
