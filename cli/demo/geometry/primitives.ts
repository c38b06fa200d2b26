import type { Material, Point } from '../plant/types.ts';
import { add, addScaled, cross, dot, createFrame, length, normalise, scale, subtract } from '../plant/vector.ts';
import type { MeshBuilder } from './mesh-builder.ts';

/** Maximum deviation of a facet from the true cylinder. It is small, because users measure pipes and vessels. */
export const chordToleranceMetres = 0.00015;

/** Number of sides of a polygon whose facets stay within `chordToleranceMetres` on either side of the circle. */
export function countSidesWithinTolerance(radius: number): number {
  return Math.min(
    192,
    Math.max(20, Math.ceil(Math.PI / Math.acos(1 - Math.min(1, (2 * chordToleranceMetres) / radius)))),
  );
}

/** Radius of the polygon's corners. They lie outside the circle by the same distance as the facet middles lie inside. */
export const cornerRadius = (radius: number, sides: number): number => (2 * radius) / (1 + Math.cos(Math.PI / sides));

/** Number of sides of parts that nobody measures. */
function chooseCoarseSides(radius: number): number {
  if (radius < 0.012) return 6;
  if (radius < 0.03) return 10;
  if (radius < 0.08) return 16;
  if (radius < 0.3) return 28;
  return radius < 1 ? 40 : 64;
}

interface CylinderOptions {
  readonly sides?: number;
  readonly caps?: boolean;
}

/** Draws a cylinder from a to b, or the frustum of a cone if `endRadius` differs. */
export function drawCylinder(
  mesh: MeshBuilder,
  material: Material,
  a: Point,
  b: Point,
  radius: number,
  endRadius = radius,
  options: CylinderOptions = {},
): void {
  const axis = subtract(b, a);
  const h = length(axis);
  if (h < 1e-6) return;
  drawRevolved(
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
    options.sides ?? chooseCoarseSides(Math.max(radius, endRadius)),
  );
}

/**
 * Draws a body of revolution around `axis` through `origin`. Each band is a smooth part of the profile, as points
 * [radius, height], and there is an edge between bands. The bands follow the outside from the lower end to the upper
 * end; those of a closed body begin and end on the axis.
 */
export function drawRevolved(
  mesh: MeshBuilder,
  material: Material,
  origin: Point,
  axis: Point,
  bands: readonly (readonly (readonly [radius: number, height: number])[])[],
  sides = 24,
): void {
  const { u, v } = createFrame(axis);
  for (const band of bands) {
    const rows: number[][] = [];
    band.forEach(([r, h], k) => {
      const previous = band[Math.max(0, k - 1)]!;
      const next = band[Math.min(band.length - 1, k + 1)]!;
      const slope = [next[0] - previous[0], next[1] - previous[1]] as const;
      const norm = Math.hypot(slope[0], slope[1]) || 1;
      const row: number[] = [];
      for (let s = 0; s <= sides; s++) {
        const angle = ((s % sides) / sides) * Math.PI * 2;
        const out = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
        row.push(
          mesh.addVertex(
            addScaled(addScaled(origin, axis, h), out, r),
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
        if (band[k - 1]![0] > 1e-9) mesh.addTriangle(material, low[s]!, low[s + 1]!, high[s + 1]!);
        if (band[k]![0] > 1e-9) mesh.addTriangle(material, low[s]!, high[s + 1]!, high[s]!);
      }
    }
  }
}

/** Draws a torus of `major` and `minor` radius. */
export function drawTorus(
  mesh: MeshBuilder,
  material: Material,
  centre: Point,
  axis: Point,
  major: number,
  minor: number,
  majorSides = 28,
  minorSides = 8,
): void {
  const { u, v } = createFrame(axis);
  drawTube(
    mesh,
    material,
    Array.from({ length: majorSides + 1 }, (_, s) => {
      const angle = ((s % majorSides) / majorSides) * Math.PI * 2;
      const out = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
      return { centre: addScaled(centre, out, major), x: out, y: axis };
    }),
    minor,
    minorSides,
  );
}

/** Draws a tube of one radius through rings. `x` and `y` span the plane of each ring. */
function drawTube(
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
      return mesh.addVertex(addScaled(centre, out, radius), out, s / sides, 0);
    }),
  );
  for (let k = 1; k < rows.length; k++) {
    for (let s = 0; s < sides; s++) {
      const a = rows[k - 1]![s]!,
        b = rows[k - 1]![s + 1]!,
        c = rows[k]![s + 1]!,
        d = rows[k]![s]!;
      mesh.addTriangle(material, a, c, b);
      mesh.addTriangle(material, a, d, c);
    }
  }
}

/** Draws an elbow at `corner`, from the incoming to the outgoing direction. `bend` is the radius of the centre line. */
export function drawElbow(
  mesh: MeshBuilder,
  material: Material,
  corner: Point,
  incoming: Point,
  outgoing: Point,
  radius: number,
  bend: number,
  sides: number,
): void {
  const angle = Math.acos(Math.max(-1, Math.min(1, dot(incoming, outgoing))));
  const start = addScaled(corner, incoming, -bend * Math.tan(angle / 2));
  const inward = normalise(subtract(outgoing, scale(incoming, Math.cos(angle))));
  const centre = addScaled(start, inward, bend);
  const side = cross(incoming, inward);
  const steps = Math.max(3, Math.ceil(angle / (Math.PI / 20)));
  drawTube(
    mesh,
    material,
    Array.from({ length: steps + 1 }, (_, k) => {
      const t = (k / steps) * angle;
      const out = add(scale(inward, -Math.cos(t)), scale(incoming, Math.sin(t)));
      return { centre: addScaled(centre, out, bend), x: out, y: side };
    }),
    radius,
    sides,
  );
}

/** Draws a box. `x`, `y` and `z` lead from its centre to the middle of three faces; they are orthogonal, right-handed. */
export function drawBox(mesh: MeshBuilder, material: Material, centre: Point, x: Point, y: Point, z: Point): void {
  const corner = (sx: number, sy: number, sz: number): Point =>
    add(centre, add(scale(x, sx), add(scale(y, sy), scale(z, sz))));
  const addFace = (n: Point, p: readonly [Point, Point, Point, Point], w: number, h: number): void =>
    mesh.addQuad(material, p, normalise(n), [
      [0, 0],
      [w, 0],
      [w, h],
      [0, h],
    ]);
  const [lx, ly, lz] = [length(x) * 2, length(y) * 2, length(z) * 2];
  addFace(x, [corner(1, -1, -1), corner(1, 1, -1), corner(1, 1, 1), corner(1, -1, 1)], ly, lz);
  addFace(scale(x, -1), [corner(-1, 1, -1), corner(-1, -1, -1), corner(-1, -1, 1), corner(-1, 1, 1)], ly, lz);
  addFace(y, [corner(1, 1, -1), corner(-1, 1, -1), corner(-1, 1, 1), corner(1, 1, 1)], lx, lz);
  addFace(scale(y, -1), [corner(-1, -1, -1), corner(1, -1, -1), corner(1, -1, 1), corner(-1, -1, 1)], lx, lz);
  addFace(z, [corner(-1, -1, 1), corner(1, -1, 1), corner(1, 1, 1), corner(-1, 1, 1)], lx, ly);
  addFace(scale(z, -1), [corner(-1, 1, -1), corner(1, 1, -1), corner(1, -1, -1), corner(-1, -1, -1)], lx, ly);
}

/** Draws an axis-parallel box between two corners. */
export function drawBoxBetween(mesh: MeshBuilder, material: Material, min: Point, max: Point): void {
  const half = scale(subtract(max, min), 0.5);
  drawBox(mesh, material, add(min, half), [half[0], 0, 0], [0, half[1], 0], [0, 0, half[2]]);
}

/** Draws a bar of rectangular section from a to b. `up` is the direction of its height. */
export function drawBar(
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
  drawBox(
    mesh,
    material,
    scale(add(a, b), 0.5),
    scale(axis, length(subtract(b, a)) / 2),
    scale(side, width / 2),
    scale(top, height / 2),
  );
}
