import type { Material, Point } from '../plant/types.ts';
import { add, along, cross, dot, frame, length, normalise, scale, subtract } from '../plant/vector.ts';
import type { MeshBuilder } from './mesh-builder.ts';

/** Maximum deviation of a facet from the true cylinder, in metres: users measure pipes and vessels. */
export const chordTolerance = 0.00015;

/** Number of sides whose facets stay within `chordTolerance` on either side of the circle. */
export function measuredSides(radius: number): number {
  return Math.min(192, Math.max(20, Math.ceil(Math.PI / Math.acos(1 - Math.min(1, (2 * chordTolerance) / radius)))));
}

/** Corner radius that centres the polygon on the circle: corners lie outside as far as facet middles lie inside. */
export const cornerRadius = (radius: number, sides: number): number => (2 * radius) / (1 + Math.cos(Math.PI / sides));

function sidesFor(radius: number): number {
  return radius < 0.012 ? 6 : radius < 0.03 ? 10 : radius < 0.08 ? 16 : radius < 0.3 ? 28 : radius < 1 ? 40 : 64;
}

interface RoundOptions {
  readonly sides?: number;
  readonly caps?: boolean;
}

/** A cylinder or a cone's frustum from a to b. */
export function round(
  mesh: MeshBuilder,
  material: Material,
  a: Point,
  b: Point,
  radius: number,
  endRadius = radius,
  options: RoundOptions = {},
): void {
  const axis = subtract(b, a);
  const h = length(axis);
  if (h < 1e-6) return;
  revolve(
    mesh,
    material,
    a,
    normalise(axis),
    options.caps === false
      ? [
          [
            [radius, 0],
            [endRadius, h],
          ],
        ]
      : [
          [
            [0, 0],
            [radius, 0],
          ],
          [
            [radius, 0],
            [endRadius, h],
          ],
          [
            [endRadius, h],
            [0, h],
          ],
        ],
    options.sides ?? sidesFor(Math.max(radius, endRadius)),
  );
}

/**
 * A body of revolution around `axis` through `origin`. Each band is a smooth list of [radius, height], with an edge
 * between bands. Bands run upwards on the outside: from the middle of the lower end, along the side, to the middle of
 * the upper end.
 */
export function revolve(
  mesh: MeshBuilder,
  material: Material,
  origin: Point,
  axis: Point,
  bands: readonly (readonly (readonly [radius: number, height: number])[])[],
  sides = 24,
): void {
  const { u, v } = frame(axis);
  for (const band of bands) {
    const rows: number[][] = [];
    band.forEach(([r, h], k) => {
      const before = band[Math.max(0, k - 1)]!;
      const after = band[Math.min(band.length - 1, k + 1)]!;
      const slope = [after[0] - before[0], after[1] - before[1]] as const;
      const norm = Math.hypot(slope[0], slope[1]) || 1;
      const row: number[] = [];
      for (let s = 0; s <= sides; s++) {
        const angle = ((s % sides) / sides) * Math.PI * 2;
        const out = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
        row.push(
          mesh.vertex(
            along(along(origin, axis, h), out, r),
            add(scale(out, slope[1] / norm), scale(axis, -slope[0] / norm)),
            (s / sides) * Math.PI * 2 * Math.max(r, 0.01),
            h,
          ),
        );
      }
      rows.push(row);
    });
    for (let k = 1; k < rows.length; k++) {
      const low = rows[k - 1]!;
      const high = rows[k]!;
      for (let s = 0; s < sides; s++) {
        if (band[k - 1]![0] > 1e-9) mesh.triangle(material, low[s]!, low[s + 1]!, high[s + 1]!);
        if (band[k]![0] > 1e-9) mesh.triangle(material, low[s]!, high[s + 1]!, high[s]!);
      }
    }
  }
}

/** A ring: torus of `major` and `minor` radius, or a part of it starting at the frame's u. */
export function torus(
  mesh: MeshBuilder,
  material: Material,
  centre: Point,
  axis: Point,
  major: number,
  minor: number,
  majorSides = 28,
  minorSides = 8,
): void {
  const { u, v } = frame(axis);
  sweep(
    mesh,
    material,
    Array.from({ length: majorSides + 1 }, (_, s) => {
      const angle = ((s % majorSides) / majorSides) * Math.PI * 2;
      const out = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
      return { centre: along(centre, out, major), x: out, y: axis };
    }),
    minor,
    minorSides,
  );
}

/** Joins rings to a tube of one radius. `x` and `y` span each ring. */
function sweep(
  mesh: MeshBuilder,
  material: Material,
  rings: readonly { readonly centre: Point; readonly x: Point; readonly y: Point }[],
  radius: number,
  sides: number,
): void {
  const rows = rings.map(({ centre, x, y }) =>
    Array.from({ length: sides + 1 }, (_, s) => {
      const angle = ((s % sides) / sides) * Math.PI * 2;
      const out = add(scale(x, Math.cos(angle)), scale(y, Math.sin(angle)));
      return mesh.vertex(along(centre, out, radius), out, s / sides, 0);
    }),
  );
  for (let k = 1; k < rows.length; k++) {
    for (let s = 0; s < sides; s++) {
      const a = rows[k - 1]![s]!,
        b = rows[k - 1]![s + 1]!,
        c = rows[k]![s + 1]!,
        d = rows[k]![s]!;
      mesh.triangle(material, a, c, b);
      mesh.triangle(material, a, d, c);
    }
  }
}

/** An elbow around `corner`, from the incoming to the outgoing direction; `bend`: radius of the centre line. */
export function elbow(
  mesh: MeshBuilder,
  material: Material,
  corner: Point,
  arriving: Point,
  leaving: Point,
  radius: number,
  bend: number,
  sides: number,
): void {
  const angle = Math.acos(Math.max(-1, Math.min(1, dot(arriving, leaving))));
  const start = along(corner, arriving, -bend * Math.tan(angle / 2));
  const inward = normalise(subtract(leaving, scale(arriving, Math.cos(angle))));
  const centre = along(start, inward, bend);
  const side = cross(arriving, inward);
  const steps = Math.max(3, Math.ceil(angle / (Math.PI / 20)));
  sweep(
    mesh,
    material,
    Array.from({ length: steps + 1 }, (_, k) => {
      const t = (k / steps) * angle;
      const out = add(scale(inward, -Math.cos(t)), scale(arriving, Math.sin(t)));
      return { centre: along(centre, out, bend), x: out, y: side };
    }),
    radius,
    sides,
  );
}

/** A block spanned by three half axes (a right-handed orthogonal frame). */
export function box(mesh: MeshBuilder, material: Material, centre: Point, x: Point, y: Point, z: Point): void {
  const corner = (sx: number, sy: number, sz: number): Point =>
    add(centre, add(scale(x, sx), add(scale(y, sy), scale(z, sz))));
  const face = (n: Point, p: readonly [Point, Point, Point, Point], w: number, h: number): void =>
    mesh.quad(material, p, normalise(n), [
      [0, 0],
      [w, 0],
      [w, h],
      [0, h],
    ]);
  const [lx, ly, lz] = [length(x) * 2, length(y) * 2, length(z) * 2];
  face(x, [corner(1, -1, -1), corner(1, 1, -1), corner(1, 1, 1), corner(1, -1, 1)], ly, lz);
  face(scale(x, -1), [corner(-1, 1, -1), corner(-1, -1, -1), corner(-1, -1, 1), corner(-1, 1, 1)], ly, lz);
  face(y, [corner(1, 1, -1), corner(-1, 1, -1), corner(-1, 1, 1), corner(1, 1, 1)], lx, lz);
  face(scale(y, -1), [corner(-1, -1, -1), corner(1, -1, -1), corner(1, -1, 1), corner(-1, -1, 1)], lx, lz);
  face(z, [corner(-1, -1, 1), corner(1, -1, 1), corner(1, 1, 1), corner(-1, 1, 1)], lx, ly);
  face(scale(z, -1), [corner(-1, 1, -1), corner(1, 1, -1), corner(1, -1, -1), corner(-1, -1, -1)], lx, ly);
}

/** An axis-parallel block by its corners. */
export function blockBetween(mesh: MeshBuilder, material: Material, min: Point, max: Point): void {
  const half = scale(subtract(max, min), 0.5);
  box(mesh, material, add(min, half), [half[0], 0, 0], [0, half[1], 0], [0, 0, half[2]]);
}

/** A bar of rectangular section from a to b; `up` is the direction of its height. */
export function bar(
  mesh: MeshBuilder,
  material: Material,
  a: Point,
  b: Point,
  width: number,
  height: number,
  up: Point = [0, 0, 1],
): void {
  const axis = normalise(subtract(b, a));
  const reference: Point = Math.abs(dot(axis, up)) > 0.99 ? [0, 1, 0] : up;
  const side = normalise(cross(reference, axis));
  const top = cross(axis, side);
  box(
    mesh,
    material,
    scale(add(a, b), 0.5),
    scale(axis, length(subtract(b, a)) / 2),
    scale(side, width / 2),
    scale(top, height / 2),
  );
}
