import { getPipeSize } from '../plant/pipe-sizes.ts';
import type { Line, Material, Point, Valve, Vector } from '../plant/types.ts';
import { add, addScaled, cross, dot, createFrame, length, normalise, scale, subtract } from '../plant/vector.ts';
import { computeCellUv, type TextAtlas } from './atlas.ts';
import type { MeshBuilder } from './mesh-builder.ts';
import {
  addBar,
  addBox,
  computeCircumradius,
  addElbow,
  countSidesWithinTolerance,
  addRevolvedSurface,
  addCylinder,
  addTorus,
} from './primitives.ts';

/** Adds a pipe with its elbows, flange pairs and printed markers. */
export function addPipe(mesh: MeshBuilder, atlas: TextAtlas, line: Line): void {
  mesh.beginObject(line.id);
  const outerRadius = line.outsideDiameter / 2 + line.insulation;
  const sides = countSidesWithinTolerance(outerRadius);
  const radius = computeCircumradius(outerRadius, sides);
  const bendRadius = 1.5 * line.outsideDiameter + line.insulation;
  const points = line.points;
  let from = points[0]!;
  for (let k = 1; k < points.length; k++) {
    const corner = points[k]!;
    const incoming = normalise(subtract(corner, points[k - 1]!));
    const nextPoint = points[k + 1];
    if (!nextPoint) {
      addCylinder(mesh, line.material, from, corner, radius, radius, { sides });
      break;
    }
    const outgoing = normalise(subtract(nextPoint, corner));
    const cutback = bendRadius * Math.tan(Math.acos(Math.max(-1, Math.min(1, dot(incoming, outgoing)))) / 2);
    const to = addScaled(corner, incoming, -cutback);
    if (dot(subtract(to, from), incoming) < -1e-6)
      throw new Error(
        `Line ${line.number}: its corner ${k} leaves no room for an elbow of ${bendRadius.toFixed(3)} m. Move the ` +
          'corners apart.',
      );
    addCylinder(mesh, line.material, from, to, radius, radius, { sides, caps: k === 1 });
    addElbow(mesh, line.material, corner, incoming, outgoing, radius, bendRadius, sides);
    from = addScaled(corner, outgoing, cutback);
    // Weld beads where the elbow meets the pipe.
    if (line.outsideDiameter > 0.08) {
      for (const [at, axis] of [
        [to, incoming],
        [from, outgoing],
      ] as const)
        addTorus(mesh, line.material, at, axis, outerRadius - 0.001, 0.0035, sides, 6);
    }
  }
  for (const { at, direction } of line.flanges) addFlangePair(mesh, line.material, at, direction, line.nps);
  line.markers.forEach((marker) => addMarker(mesh, atlas, line, outerRadius, marker));
}

/** Adds two flanges, a gasket between them and the bolts. `at` is the middle of the gasket. */
export function addFlangePair(mesh: MeshBuilder, material: Material, at: Point, direction: Vector, nps: string): void {
  const { flange, outsideDiameter } = getPipeSize(nps);
  const radius = flange.diameter / 2000;
  const thickness = flange.thickness / 1000;
  const neckRadius = outsideDiameter / 2000;
  const sides = radius > 0.12 ? 40 : 28;
  for (const sign of [1, -1]) {
    const axis = scale(direction, sign);
    addRevolvedSurface(
      mesh,
      material,
      at,
      axis,
      [
        [
          [0, 0.0015],
          [radius, 0.0015],
        ],
        [
          [radius, 0.0015],
          [radius, 0.0015 + thickness],
        ],
        [
          [radius, 0.0015 + thickness],
          [neckRadius * 1.35, 0.0015 + thickness],
        ],
        [
          [neckRadius * 1.3, 0.0015 + thickness],
          [neckRadius * 1.08, thickness * 2.6],
          [neckRadius, thickness * 3],
        ],
      ],
      sides,
    );
  }
  addCylinder(
    mesh,
    'black',
    addScaled(at, direction, -0.0015),
    addScaled(at, direction, 0.0015),
    radius * 0.8,
    radius * 0.8,
    {
      caps: false,
      sides,
    },
  );
  addBolts(mesh, at, direction, flange.boltCircle / 2000, flange.bolts, flange.boltDiameter / 1000, thickness + 0.0015);
}

/** Adds studs with a nut at each end around a joint of two plates, each with the thickness `plateThickness`. */
export function addBolts(
  mesh: MeshBuilder,
  at: Point,
  direction: Vector,
  boltCircleRadius: number,
  count: number,
  diameter: number,
  plateThickness: number,
): void {
  const { u, v } = createFrame(direction);
  for (let k = 0; k < count; k++) {
    const angle = ((k + 0.5) / count) * Math.PI * 2;
    const centre = addScaled(
      addScaled(at, u, boltCircleRadius * Math.cos(angle)),
      v,
      boltCircleRadius * Math.sin(angle),
    );
    const reach = plateThickness + diameter * 1.25;
    addCylinder(
      mesh,
      'galvanised',
      addScaled(centre, direction, -reach),
      addScaled(centre, direction, reach),
      diameter / 2,
      diameter / 2,
      { sides: 6 },
    );
    for (const sign of [-1, 1])
      addCylinder(
        mesh,
        'galvanised',
        addScaled(centre, direction, sign * plateThickness),
        addScaled(centre, direction, sign * (plateThickness + diameter * 0.9)),
        diameter * 0.92,
        diameter * 0.92,
        { sides: 6 },
      );
  }
}

function addMarker(
  mesh: MeshBuilder,
  atlas: TextAtlas,
  line: Line,
  outerRadius: number,
  marker: Line['markers'][number],
): void {
  const height = Math.min(0.3, Math.max(0.07, outerRadius * 1.5));
  const width = Math.min(1.6, height * (0.9 + line.number.length * 0.62));
  const { u0, v0, u1, v1 } = computeCellUv(atlas.ensureCell('marker', [line.number, line.service], width, height));
  const up = cross(marker.facing, marker.along);
  const radius = outerRadius + 0.0012;
  const steps = 10;
  const halfAngle = height / 2 / radius;
  const rows = Array.from({ length: steps + 1 }, (_, k) => {
    const angle = -halfAngle + (k / steps) * halfAngle * 2;
    const outward = add(scale(marker.facing, Math.cos(angle)), scale(up, Math.sin(angle)));
    const v = v0 + (v1 - v0) * (k / steps);
    return [-1, 1].map((sign) =>
      mesh.addVertex(
        addScaled(addScaled(marker.at, outward, radius), marker.along, (sign * width) / 2),
        outward,
        sign < 0 ? u0 : u1,
        v,
      ),
    ) as [number, number];
  });
  for (let k = 1; k < rows.length; k++) {
    const [a, b] = rows[k - 1]!;
    const [d, c] = rows[k]!;
    mesh.addTriangle('sign', a, b, c);
    mesh.addTriangle('sign', a, c, d);
  }
}

const bodyMaterial: Readonly<Record<Valve['type'], Material>> = {
  gate: 'paint-grey',
  globe: 'paint-grey',
  ball: 'stainless',
  check: 'paint-grey',
  control: 'paint-blue',
  shutdown: 'paint-grey',
  relief: 'paint-red',
  choke: 'paint-yellow',
};

/** Adds a flanged valve with its bonnet and its wheel, lever, actuator or spring housing. */
export function addValve(mesh: MeshBuilder, valve: Valve): void {
  mesh.beginObject(valve.id);
  const diameter = getPipeSize(valve.nps).outsideDiameter / 1000;
  const material = valve.paint ?? bodyMaterial[valve.type];
  const { at, direction, stem } = valve;
  if (valve.type === 'relief') return addRelief(mesh, valve, diameter);
  const halfLength =
    (valve.type === 'globe' || valve.type === 'control' || valve.type === 'choke'
      ? 0.12 + 1.6 * diameter
      : 0.17 + 0.8 * diameter) / 2;
  const thickness = getPipeSize(valve.nps).flange.thickness / 1000;
  for (const sign of [-1, 1])
    addFlangePair(mesh, material, addScaled(at, direction, sign * (halfLength - thickness)), direction, valve.nps);
  const bodyRadius = diameter * (valve.type === 'gate' ? 0.62 : 0.78);
  addRevolvedSurface(
    mesh,
    material,
    addScaled(at, direction, -halfLength + thickness),
    direction,
    [
      [
        [diameter * 0.52, 0],
        [diameter * 0.56, (halfLength - thickness) * 0.25],
        [bodyRadius, (halfLength - thickness) * 0.6],
        [bodyRadius * 1.04, halfLength - thickness],
        [bodyRadius, (halfLength - thickness) * 1.4],
        [diameter * 0.56, (halfLength - thickness) * 1.75],
        [diameter * 0.52, (halfLength - thickness) * 2],
      ],
    ],
    32,
  );
  const bonnetRadius = diameter * 0.55 + 0.05;
  const jointHeight = diameter * 0.75 + 0.04;
  addRevolvedSurface(
    mesh,
    material,
    at,
    stem,
    [
      [
        [diameter * 0.48, 0],
        [diameter * 0.45, jointHeight],
      ],
      [
        [diameter * 0.45, jointHeight],
        [bonnetRadius, jointHeight],
      ],
      [
        [bonnetRadius, jointHeight],
        [bonnetRadius, jointHeight + 0.05],
      ],
      [
        [bonnetRadius, jointHeight + 0.05],
        [diameter * 0.3 + 0.02, jointHeight + 0.05],
      ],
      [
        [diameter * 0.3 + 0.02, jointHeight + 0.05],
        [diameter * 0.16 + 0.018, jointHeight + 0.1 + diameter * 0.4],
      ],
      [
        [diameter * 0.16 + 0.018, jointHeight + 0.1 + diameter * 0.4],
        [0, jointHeight + 0.1 + diameter * 0.4],
      ],
    ],
    28,
  );
  addBolts(
    mesh,
    addScaled(at, stem, jointHeight + 0.025),
    stem,
    bonnetRadius - 0.022,
    diameter > 0.15 ? 8 : 6,
    0.012,
    0.025,
  );
  const bonnetTop = jointHeight + 0.1 + diameter * 0.4;
  if (valve.type === 'control') addDiaphragm(mesh, at, stem, direction, diameter, bonnetTop, material);
  else if (valve.type === 'shutdown') addPistonActuator(mesh, at, stem, direction, diameter, bonnetTop);
  else if (valve.type === 'ball') addLever(mesh, at, stem, direction, diameter, bonnetTop);
  else if (valve.type !== 'check')
    addWheel(mesh, at, stem, diameter, bonnetTop, valve.type === 'choke' ? 'paint-yellow' : 'paint-red');
}

function addWheel(
  mesh: MeshBuilder,
  at: Point,
  stem: Vector,
  diameter: number,
  bonnetTop: number,
  material: Material,
): void {
  const { u, v } = createFrame(stem);
  const yokeHeight = bonnetTop + 0.1 + diameter * 0.5;
  for (const sign of [-1, 1])
    addBar(
      mesh,
      'paint-grey',
      addScaled(addScaled(at, stem, bonnetTop - 0.02), u, sign * (0.02 + diameter * 0.14)),
      addScaled(addScaled(at, stem, yokeHeight), u, sign * (0.02 + diameter * 0.11)),
      0.018 + diameter * 0.05,
      0.012 + diameter * 0.04,
      v,
    );
  addCylinder(
    mesh,
    'paint-grey',
    addScaled(at, stem, yokeHeight - 0.015),
    addScaled(at, stem, yokeHeight + 0.025),
    0.03 + diameter * 0.15,
  );
  addCylinder(
    mesh,
    'stainless',
    addScaled(at, stem, bonnetTop - 0.02),
    addScaled(at, stem, yokeHeight + 0.09 + diameter * 0.6),
    0.009 + diameter * 0.035,
  );
  const radius = 0.06 + diameter * 0.72;
  const centre = addScaled(at, stem, yokeHeight + 0.04);
  addTorus(mesh, material, centre, stem, radius, 0.008 + diameter * 0.035, 36, 10);
  addCylinder(mesh, material, addScaled(centre, stem, -0.02), addScaled(centre, stem, 0.02), 0.02 + diameter * 0.09);
  for (let k = 0; k < 5; k++) {
    const angle = (k / 5) * Math.PI * 2;
    const outward = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
    addCylinder(
      mesh,
      material,
      addScaled(centre, outward, 0.015 + diameter * 0.08),
      addScaled(centre, outward, radius),
      0.006 + diameter * 0.022,
      0.006 + diameter * 0.022,
      { sides: 8 },
    );
  }
}

function addLever(
  mesh: MeshBuilder,
  at: Point,
  stem: Vector,
  direction: Vector,
  diameter: number,
  bonnetTop: number,
): void {
  addCylinder(
    mesh,
    'stainless',
    addScaled(at, stem, bonnetTop - 0.02),
    addScaled(at, stem, bonnetTop + 0.06),
    0.012 + diameter * 0.06,
  );
  const reach = 0.18 + diameter * 1.5;
  addBar(
    mesh,
    'paint-yellow',
    addScaled(addScaled(at, stem, bonnetTop + 0.05), direction, -0.03),
    addScaled(addScaled(at, stem, bonnetTop + 0.08), direction, reach),
    0.035,
    0.008,
    stem,
  );
  addCylinder(
    mesh,
    'rubber',
    addScaled(addScaled(at, stem, bonnetTop + 0.071), direction, reach * 0.7),
    addScaled(addScaled(at, stem, bonnetTop + 0.081), direction, reach + 0.01),
    0.02,
  );
}

function addDiaphragm(
  mesh: MeshBuilder,
  at: Point,
  stem: Vector,
  direction: Vector,
  diameter: number,
  bonnetTop: number,
  paint: Material,
): void {
  const { u, v } = createFrame(stem);
  const yokeHeight = bonnetTop + 0.26 + diameter * 0.5;
  for (const sign of [-1, 1])
    addBar(
      mesh,
      paint,
      addScaled(addScaled(at, stem, bonnetTop - 0.02), u, sign * (0.045 + diameter * 0.2)),
      addScaled(addScaled(at, stem, yokeHeight), u, sign * (0.045 + diameter * 0.2)),
      0.03,
      0.025 + diameter * 0.05,
      v,
    );
  addCylinder(
    mesh,
    'stainless',
    addScaled(at, stem, bonnetTop - 0.02),
    addScaled(at, stem, yokeHeight + 0.02),
    0.012 + diameter * 0.03,
  );
  addCylinder(
    mesh,
    'stainless',
    addScaled(at, stem, (bonnetTop + yokeHeight) / 2 - 0.03),
    addScaled(at, stem, (bonnetTop + yokeHeight) / 2 + 0.03),
    0.028 + diameter * 0.05,
  );
  const radius = 0.12 + diameter * 0.65;
  const coverDepth = 0.06 + diameter * 0.2;
  addRevolvedSurface(
    mesh,
    paint,
    addScaled(at, stem, yokeHeight),
    stem,
    [
      [
        [0, 0],
        [0.06, 0],
      ],
      [
        [0.06, 0],
        [0.06, 0.03],
      ],
      [
        [0.06, 0.03],
        [radius * 0.85, 0.05],
        [radius * 0.97, coverDepth],
      ],
      [
        [radius * 0.97, coverDepth],
        [radius * 1.08, coverDepth],
      ],
      [
        [radius * 1.08, coverDepth],
        [radius * 1.08, coverDepth + 0.022],
      ],
      [
        [radius * 1.08, coverDepth + 0.022],
        [radius * 0.97, coverDepth + 0.022],
      ],
      [
        [radius * 0.97, coverDepth + 0.022],
        [radius * 0.9, coverDepth * 1.7 + 0.02],
        [radius * 0.45, coverDepth * 2 + 0.02],
        [0.05, coverDepth * 2.05 + 0.02],
      ],
      [
        [0.05, coverDepth * 2.05 + 0.02],
        [0.03, coverDepth * 2.05 + 0.06],
        [0, coverDepth * 2.05 + 0.065],
      ],
    ],
    40,
  );
  addBolts(mesh, addScaled(at, stem, yokeHeight + coverDepth + 0.011), stem, radius * 1.03, 14, 0.009, 0.011);
  // Positioner with its two gauges, and the air tube.
  const side = cross(stem, direction);
  const face = dot(side, [0, -1, 0]) > 0.5 || dot(side, [0, 1, 0]) > 0.5 ? side : normalise(cross(stem, u));
  const positioner = addScaled(addScaled(at, stem, (bonnetTop + yokeHeight) / 2 + 0.04), face, 0.13 + diameter * 0.22);
  addBox(mesh, 'paint-grey', positioner, scale(face, 0.055), scale(cross(stem, face), 0.075), scale(stem, 0.1));
  for (const sign of [-1, 1])
    addGaugeFace(mesh, addScaled(addScaled(positioner, face, 0.075), cross(stem, face), sign * 0.038), face, 0.03);
  addCylinder(
    mesh,
    'stainless',
    addScaled(positioner, stem, 0.1),
    addScaled(addScaled(at, stem, yokeHeight + coverDepth), face, radius * 0.99),
    0.005,
  );
}

function addPistonActuator(
  mesh: MeshBuilder,
  at: Point,
  stem: Vector,
  direction: Vector,
  diameter: number,
  bonnetTop: number,
): void {
  const side = cross(stem, direction);
  const centre = addScaled(at, stem, bonnetTop + 0.08 + diameter * 0.35);
  const radius = 0.07 + diameter * 0.42;
  addBox(
    mesh,
    'paint-red',
    centre,
    scale(direction, radius * 0.8),
    scale(side, radius * 1.0),
    scale(stem, radius * 0.75),
  );
  addCylinder(
    mesh,
    'paint-red',
    addScaled(centre, side, radius),
    addScaled(centre, side, radius + 0.25 + diameter * 1.3),
    radius * 0.86,
  );
  addCylinder(
    mesh,
    'paint-red',
    addScaled(centre, side, -radius),
    addScaled(centre, side, -radius - 0.14 - diameter * 0.7),
    radius * 0.78,
  );
  for (const reach of [radius + 0.012, radius + 0.24 + diameter * 1.3])
    addCylinder(
      mesh,
      'paint-red',
      addScaled(centre, side, reach),
      addScaled(centre, side, reach + 0.025),
      radius * 1.02,
    );
  addCylinder(
    mesh,
    'paint-grey',
    addScaled(at, stem, bonnetTop - 0.02),
    addScaled(centre, stem, -radius * 0.7),
    0.05 + diameter * 0.25,
  );
  addBox(
    mesh,
    'black',
    addScaled(centre, stem, radius * 0.75 + 0.05),
    scale(direction, 0.05),
    scale(side, 0.07),
    scale(stem, 0.05),
  );
  addCylinder(
    mesh,
    'paint-yellow',
    addScaled(centre, stem, radius * 0.75 + 0.1),
    addScaled(centre, stem, radius * 0.75 + 0.13),
    0.04,
  );
  addTorus(mesh, 'stainless', addScaled(centre, side, radius * 0.9), direction, radius * 0.5, 0.005, 20, 6);
}

function addRelief(mesh: MeshBuilder, valve: Valve, diameter: number): void {
  const { at, stem } = valve;
  const outlet: Vector = [0, 1, 0];
  addFlangePair(mesh, 'paint-red', addScaled(at, stem, -diameter * 1.5), stem, valve.nps);
  addRevolvedSurface(
    mesh,
    'paint-red',
    addScaled(at, stem, -diameter * 1.5),
    stem,
    [
      [
        [diameter * 0.55, 0],
        [diameter * 0.7, diameter * 0.6],
        [diameter * 0.95, diameter * 1.2],
        [diameter * 0.95, diameter * 2.3],
      ],
      [
        [diameter * 0.95, diameter * 2.3],
        [diameter * 1.15, diameter * 2.3],
      ],
      [
        [diameter * 1.15, diameter * 2.3],
        [diameter * 1.15, diameter * 2.55],
      ],
      [
        [diameter * 1.15, diameter * 2.55],
        [diameter * 0.6, diameter * 2.55],
      ],
      [
        [diameter * 0.6, diameter * 2.55],
        [diameter * 0.55, diameter * 4.6],
      ],
      [
        [diameter * 0.55, diameter * 4.6],
        [diameter * 0.3, diameter * 4.75],
        [diameter * 0.28, diameter * 5.5],
        [0, diameter * 5.6],
      ],
    ],
    32,
  );
  addCylinder(mesh, 'paint-red', at, addScaled(at, outlet, diameter * 1.5), diameter * 0.75);
  addFlangePair(mesh, 'paint-red', addScaled(at, outlet, diameter * 1.65), outlet, valve.nps);
  addBolts(mesh, addScaled(at, stem, diameter * 0.93), stem, diameter * 1.05, 8, 0.014, diameter * 0.13);
}

/** Adds a round dial: ring, white face, scale and pointer. */
export function addGaugeFace(mesh: MeshBuilder, at: Point, facing: Vector, radius: number): void {
  addRevolvedSurface(
    mesh,
    'stainless',
    addScaled(at, facing, -radius * 0.55),
    facing,
    [
      [
        [0, 0],
        [radius, 0],
      ],
      [
        [radius, 0],
        [radius, radius * 0.55],
      ],
      [
        [radius, radius * 0.55],
        [radius * 0.88, radius * 0.62],
      ],
      [
        [radius * 0.88, radius * 0.62],
        [radius * 0.88, radius * 0.5],
      ],
    ],
    28,
  );
  addRevolvedSurface(
    mesh,
    'plastic-white',
    addScaled(at, facing, -radius * 0.05),
    facing,
    [
      [
        [radius * 0.9, 0],
        [0, 0],
      ],
    ],
    28,
  );
  const { u, v } = createFrame(facing);
  const needle = normalise(add(scale(u, 0.55), scale(v, 0.8)));
  addBar(
    mesh,
    'black',
    addScaled(at, needle, -radius * 0.2),
    addScaled(at, needle, radius * 0.72),
    radius * 0.05,
    radius * 0.02,
    facing,
  );
  for (let k = 0; k < 9; k++) {
    const angle = ((-225 + k * 33.75) * Math.PI) / -180;
    const direction = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
    addBar(
      mesh,
      'black',
      addScaled(at, direction, radius * 0.68),
      addScaled(at, direction, radius * 0.82),
      radius * 0.045,
      radius * 0.015,
      facing,
    );
  }
}

/** Adds a thin pipe through points, such as an impulse line or a conduit. */
export function addThinPipe(mesh: MeshBuilder, material: Material, points: readonly Point[], radius: number): void {
  for (let k = 1; k < points.length; k++) {
    if (length(subtract(points[k]!, points[k - 1]!)) > 0.002)
      addCylinder(mesh, material, points[k - 1]!, points[k]!, radius, radius, { sides: 10 });
  }
}
