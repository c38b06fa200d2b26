import type { Material, Point, Vector } from '../plant/types.ts';
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

/**
 * Circumradius of a regular polygon that approximates a circle of `radius`. Its corners lie outside the circle by the
 * same distance as the middles of its sides lie inside.
 */
export const computeCircumradius = (radius: number, sides: number): number =>
  (2 * radius) / (1 + Math.cos(Math.PI / sides));

/** Number of sides of cylinders that users do not measure. */
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

/** Adds a cylinder from a to b, or the frustum of a cone if `endRadius` differs. */
export function addCylinder(
  mesh: MeshBuilder,
  material: Material,
  a: Point,
  b: Point,
  radius: number,
  endRadius = radius,
  options: CylinderOptions = {},
): void {
  const axis = subtract(b, a);
  const height = length(axis);
  if (height < 1e-6) return;
  addRevolvedSurface(
    mesh,
    material,
    a,
    normalise(axis),
    options.caps === false
      ? [
          [
            [radius, 0],
            [endRadius, height],
          ],
        ]
      : [
          [
            [0, 0],
            [radius, 0],
          ],
          [
            [radius, 0],
            [endRadius, height],
          ],
          [
            [endRadius, height],
            [0, height],
          ],
        ],
    options.sides ?? chooseCoarseSides(Math.max(radius, endRadius)),
  );
}

/**
 * Adds a surface of revolution around `axis` through `origin`. Its profile is split into bands, listed from the lower
 * to the upper end. Each band is a list of points [radius, height]. The surface is smooth within a band and has a sharp
 * edge between two bands. A closed body begins and ends with radius 0.
 */
export function addRevolvedSurface(
  mesh: MeshBuilder,
  material: Material,
  origin: Point,
  axis: Vector,
  bands: readonly (readonly (readonly [radius: number, height: number])[])[],
  sides = 24,
): void {
  const { u, v } = createFrame(axis);
  for (const band of bands) {
    const rings: number[][] = [];
    band.forEach(([radius, height], index) => {
      const previous = band[Math.max(0, index - 1)]!;
      const next = band[Math.min(band.length - 1, index + 1)]!;
      const [radiusChange, heightChange] = [next[0] - previous[0], next[1] - previous[1]];
      const tangentLength = Math.hypot(radiusChange, heightChange) || 1;
      const ring: number[] = [];
      for (let side = 0; side <= sides; side++) {
        const angle = ((side % sides) / sides) * Math.PI * 2;
        const outward = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
        ring.push(
          mesh.addVertex(
            addScaled(addScaled(origin, axis, height), outward, radius),
            add(scale(outward, heightChange / tangentLength), scale(axis, -radiusChange / tangentLength)),
            (side / sides) * Math.PI * 2 * Math.max(radius, 0.01),
            height,
          ),
        );
      }
      rings.push(ring);
    });
    for (let index = 1; index < rings.length; index++) {
      const lower = rings[index - 1]!;
      const upper = rings[index]!;
      // At radius 0 all vertices of a ring coincide, so one of the two triangles would have no area.
      for (let side = 0; side < sides; side++) {
        if (band[index - 1]![0] > 1e-9) mesh.addTriangle(material, lower[side]!, lower[side + 1]!, upper[side + 1]!);
        if (band[index]![0] > 1e-9) mesh.addTriangle(material, lower[side]!, upper[side + 1]!, upper[side]!);
      }
    }
  }
}

/** Adds a torus. `majorRadius` is the radius of its centre line, `minorRadius` that of its tube. */
export function addTorus(
  mesh: MeshBuilder,
  material: Material,
  centre: Point,
  axis: Vector,
  majorRadius: number,
  minorRadius: number,
  majorSides = 28,
  minorSides = 8,
): void {
  const { u, v } = createFrame(axis);
  addTube(
    mesh,
    material,
    Array.from({ length: majorSides + 1 }, (_, index) => {
      const angle = ((index % majorSides) / majorSides) * Math.PI * 2;
      const outward = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
      return { centre: addScaled(centre, outward, majorRadius), x: outward, y: axis };
    }),
    minorRadius,
    minorSides,
  );
}

/** A circular cross-section of a tube. `x` and `y` are orthogonal directions that span its plane. */
interface CrossSection {
  readonly centre: Point;
  readonly x: Vector;
  readonly y: Vector;
}

/** Adds a tube of constant radius through successive cross-sections. */
function addTube(
  mesh: MeshBuilder,
  material: Material,
  crossSections: readonly CrossSection[],
  radius: number,
  sides: number,
): void {
  const rings = crossSections.map(({ centre, x, y }) =>
    Array.from({ length: sides + 1 }, (_, side) => {
      const angle = ((side % sides) / sides) * Math.PI * 2;
      const outward = add(scale(x, Math.cos(angle)), scale(y, Math.sin(angle)));
      return mesh.addVertex(addScaled(centre, outward, radius), outward, side / sides, 0);
    }),
  );
  for (let index = 1; index < rings.length; index++) {
    for (let side = 0; side < sides; side++) {
      const a = rings[index - 1]![side]!,
        b = rings[index - 1]![side + 1]!,
        c = rings[index]![side + 1]!,
        d = rings[index]![side]!;
      mesh.addTriangle(material, a, c, b);
      mesh.addTriangle(material, a, d, c);
    }
  }
}

/** Adds an elbow at `corner`, from the incoming to the outgoing direction. `bendRadius` is that of the centre line. */
export function addElbow(
  mesh: MeshBuilder,
  material: Material,
  corner: Point,
  incoming: Vector,
  outgoing: Vector,
  radius: number,
  bendRadius: number,
  sides: number,
): void {
  const bendAngle = Math.acos(Math.max(-1, Math.min(1, dot(incoming, outgoing))));
  const start = addScaled(corner, incoming, -bendRadius * Math.tan(bendAngle / 2));
  const inward = normalise(subtract(outgoing, scale(incoming, Math.cos(bendAngle))));
  const centre = addScaled(start, inward, bendRadius);
  const planeNormal = cross(incoming, inward);
  const steps = Math.max(3, Math.ceil(bendAngle / (Math.PI / 20)));
  addTube(
    mesh,
    material,
    Array.from({ length: steps + 1 }, (_, step) => {
      const angle = (step / steps) * bendAngle;
      const outward = add(scale(inward, -Math.cos(angle)), scale(incoming, Math.sin(angle)));
      return { centre: addScaled(centre, outward, bendRadius), x: outward, y: planeNormal };
    }),
    radius,
    sides,
  );
}

/**
 * Adds a box. `x`, `y` and `z` are the offsets from its centre to the middles of three faces. They are orthogonal and
 * right-handed.
 */
export function addBox(mesh: MeshBuilder, material: Material, centre: Point, x: Vector, y: Vector, z: Vector): void {
  const corner = (xSign: number, ySign: number, zSign: number): Point =>
    add(centre, add(scale(x, xSign), add(scale(y, ySign), scale(z, zSign))));
  const addFace = (
    normal: Vector,
    corners: readonly [Point, Point, Point, Point],
    width: number,
    height: number,
  ): void =>
    mesh.addQuad(material, corners, normalise(normal), [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ]);
  const [xLength, yLength, zLength] = [length(x) * 2, length(y) * 2, length(z) * 2];
  addFace(x, [corner(1, -1, -1), corner(1, 1, -1), corner(1, 1, 1), corner(1, -1, 1)], yLength, zLength);
  addFace(scale(x, -1), [corner(-1, 1, -1), corner(-1, -1, -1), corner(-1, -1, 1), corner(-1, 1, 1)], yLength, zLength);
  addFace(y, [corner(1, 1, -1), corner(-1, 1, -1), corner(-1, 1, 1), corner(1, 1, 1)], xLength, zLength);
  addFace(scale(y, -1), [corner(-1, -1, -1), corner(1, -1, -1), corner(1, -1, 1), corner(-1, -1, 1)], xLength, zLength);
  addFace(z, [corner(-1, -1, 1), corner(1, -1, 1), corner(1, 1, 1), corner(-1, 1, 1)], xLength, yLength);
  addFace(scale(z, -1), [corner(-1, 1, -1), corner(1, 1, -1), corner(1, -1, -1), corner(-1, -1, -1)], xLength, yLength);
}

/** Adds an axis-aligned box between two opposite corners. */
export function addBoxBetween(mesh: MeshBuilder, material: Material, min: Point, max: Point): void {
  const half = scale(subtract(max, min), 0.5);
  addBox(mesh, material, add(min, half), [half[0], 0, 0], [0, half[1], 0], [0, 0, half[2]]);
}

/** Adds a bar of rectangular cross-section from a to b. `up` is the direction in which `height` is measured. */
export function addBar(
  mesh: MeshBuilder,
  material: Material,
  a: Point,
  b: Point,
  width: number,
  height: number,
  up: Vector = [0, 0, 1],
): void {
  const axis = normalise(subtract(b, a));
  const reference: Vector = Math.abs(dot(axis, up)) > 0.99 ? [0, 1, 0] : up;
  const side = normalise(cross(reference, axis));
  const top = cross(axis, side);
  addBox(
    mesh,
    material,
    scale(add(a, b), 0.5),
    scale(axis, length(subtract(b, a)) / 2),
    scale(side, width / 2),
    scale(top, height / 2),
  );
}
