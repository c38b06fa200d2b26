import { pipeSize } from '../plant/pipe-sizes.ts';
import type { Line, Material, Point, Valve } from '../plant/types.ts';
import { add, along, cross, dot, frame, length, normalise, scale, subtract } from '../plant/vector.ts';
import { cellUv, type TextAtlas } from './atlas.ts';
import type { MeshBuilder } from './mesh-builder.ts';
import { bar, box, cornerRadius, elbow, measuredSides, revolve, round, torus } from './primitives.ts';

/** A pipe with its elbows, flange pairs and printed markers. */
export function drawLine(mesh: MeshBuilder, atlas: TextAtlas, line: Line): void {
  mesh.begin(line.id);
  const outer = line.outsideDiameter / 2 + line.insulation;
  const sides = measuredSides(outer);
  const radius = cornerRadius(outer, sides);
  const bend = 1.5 * line.outsideDiameter + line.insulation;
  const points = line.points;
  let from = points[0]!;
  for (let k = 1; k < points.length; k++) {
    const corner = points[k]!;
    const arriving = normalise(subtract(corner, points[k - 1]!));
    const next = points[k + 1];
    if (!next) {
      round(mesh, line.material, from, corner, radius, radius, { sides });
      break;
    }
    const leaving = normalise(subtract(next, corner));
    const back = bend * Math.tan(Math.acos(Math.max(-1, Math.min(1, dot(arriving, leaving)))) / 2);
    const to = along(corner, arriving, -back);
    if (dot(subtract(to, from), arriving) < -1e-6)
      throw new Error(
        `Line ${line.number}: its corner ${k} leaves no room for an elbow of ${bend.toFixed(3)} m. Move the ` +
          'corners apart.',
      );
    round(mesh, line.material, from, to, radius, radius, { sides, caps: k === 1 });
    elbow(mesh, line.material, corner, arriving, leaving, radius, bend, sides);
    from = along(corner, leaving, back);
    // Weld beads where the elbow meets the pipe.
    if (line.outsideDiameter > 0.08) {
      for (const [at, way] of [
        [to, arriving],
        [from, leaving],
      ] as const)
        torus(mesh, line.material, at, way, outer - 0.001, 0.0035, sides, 6);
    }
  }
  for (const { at, direction } of line.flanges) flangePair(mesh, line.material, at, direction, line.nps);
  line.markers.forEach((marker) => drawMarker(mesh, atlas, line, outer, marker));
}

/** Two flanges, a gasket between them and the bolts; the gasket's middle is at `at`. */
export function flangePair(mesh: MeshBuilder, material: Material, at: Point, direction: Point, nps: string): void {
  const { flange, outsideDiameter } = pipeSize(nps);
  const r = flange.diameter / 2000;
  const t = flange.thickness / 1000;
  const neck = outsideDiameter / 2000;
  const sides = r > 0.12 ? 40 : 28;
  for (const way of [1, -1]) {
    const axis = scale(direction, way);
    revolve(
      mesh,
      material,
      at,
      axis,
      [
        [
          [0, 0.0015],
          [r, 0.0015],
        ],
        [
          [r, 0.0015],
          [r, 0.0015 + t],
        ],
        [
          [r, 0.0015 + t],
          [neck * 1.35, 0.0015 + t],
        ],
        [
          [neck * 1.3, 0.0015 + t],
          [neck * 1.08, t * 2.6],
          [neck, t * 3],
        ],
      ],
      sides,
    );
  }
  round(mesh, 'black', along(at, direction, -0.0015), along(at, direction, 0.0015), r * 0.8, r * 0.8, {
    caps: false,
    sides,
  });
  bolts(mesh, at, direction, flange.boltCircle / 2000, flange.bolts, flange.boltDiameter / 1000, t + 0.0015);
}

/** Studs with a nut at each end around a joint whose halves are `half` thick. */
export function bolts(
  mesh: MeshBuilder,
  at: Point,
  direction: Point,
  circle: number,
  count: number,
  diameter: number,
  half: number,
): void {
  const { u, v } = frame(direction);
  for (let k = 0; k < count; k++) {
    const angle = ((k + 0.5) / count) * Math.PI * 2;
    const centre = along(along(at, u, circle * Math.cos(angle)), v, circle * Math.sin(angle));
    const reach = half + diameter * 1.25;
    round(
      mesh,
      'galvanised',
      along(centre, direction, -reach),
      along(centre, direction, reach),
      diameter / 2,
      diameter / 2,
      { sides: 6 },
    );
    for (const way of [-1, 1])
      round(
        mesh,
        'galvanised',
        along(centre, direction, way * half),
        along(centre, direction, way * (half + diameter * 0.9)),
        diameter * 0.92,
        diameter * 0.92,
        { sides: 6 },
      );
  }
}

function drawMarker(
  mesh: MeshBuilder,
  atlas: TextAtlas,
  line: Line,
  outer: number,
  marker: Line['markers'][number],
): void {
  const height = Math.min(0.3, Math.max(0.07, outer * 1.5));
  const width = Math.min(1.6, height * (0.9 + line.number.length * 0.62));
  const { u0, v0, u1, v1 } = cellUv(atlas.cell('marker', [line.number, line.service], width, height));
  const up = cross(marker.facing, marker.along);
  const r = outer + 0.0012;
  const steps = 10;
  const half = height / 2 / r;
  const rows = Array.from({ length: steps + 1 }, (_, k) => {
    const angle = -half + (k / steps) * half * 2;
    const out = add(scale(marker.facing, Math.cos(angle)), scale(up, Math.sin(angle)));
    const v = v0 + (v1 - v0) * (k / steps);
    return [-1, 1].map((way) =>
      mesh.vertex(along(along(marker.at, out, r), marker.along, (way * width) / 2), out, way < 0 ? u0 : u1, v),
    ) as [number, number];
  });
  for (let k = 1; k < rows.length; k++) {
    const [a, b] = rows[k - 1]!;
    const [d, c] = rows[k]!;
    mesh.triangle('sign', a, b, c);
    mesh.triangle('sign', a, c, d);
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

/** A flanged valve with bonnet and its wheel, lever, actuator or spring housing. */
export function drawValve(mesh: MeshBuilder, valve: Valve): void {
  mesh.begin(valve.id);
  const od = pipeSize(valve.nps).outsideDiameter / 1000;
  const material = valve.paint ?? bodyMaterial[valve.type];
  const { at, direction, stem } = valve;
  if (valve.type === 'relief') return drawRelief(mesh, valve, od);
  const half =
    (valve.type === 'globe' || valve.type === 'control' || valve.type === 'choke' ? 0.12 + 1.6 * od : 0.17 + 0.8 * od) /
    2;
  const t = pipeSize(valve.nps).flange.thickness / 1000;
  for (const way of [-1, 1]) flangePair(mesh, material, along(at, direction, way * (half - t)), direction, valve.nps);
  const belly = od * (valve.type === 'gate' ? 0.62 : 0.78);
  revolve(
    mesh,
    material,
    along(at, direction, -half + t),
    direction,
    [
      [
        [od * 0.52, 0],
        [od * 0.56, (half - t) * 0.25],
        [belly, (half - t) * 0.6],
        [belly * 1.04, half - t],
        [belly, (half - t) * 1.4],
        [od * 0.56, (half - t) * 1.75],
        [od * 0.52, (half - t) * 2],
      ],
    ],
    32,
  );
  const bonnet = od * 0.55 + 0.05;
  const joint = od * 0.75 + 0.04;
  revolve(
    mesh,
    material,
    at,
    stem,
    [
      [
        [od * 0.48, 0],
        [od * 0.45, joint],
      ],
      [
        [od * 0.45, joint],
        [bonnet, joint],
      ],
      [
        [bonnet, joint],
        [bonnet, joint + 0.05],
      ],
      [
        [bonnet, joint + 0.05],
        [od * 0.3 + 0.02, joint + 0.05],
      ],
      [
        [od * 0.3 + 0.02, joint + 0.05],
        [od * 0.16 + 0.018, joint + 0.1 + od * 0.4],
      ],
      [
        [od * 0.16 + 0.018, joint + 0.1 + od * 0.4],
        [0, joint + 0.1 + od * 0.4],
      ],
    ],
    28,
  );
  bolts(mesh, along(at, stem, joint + 0.025), stem, bonnet - 0.022, od > 0.15 ? 8 : 6, 0.012, 0.025);
  const top = joint + 0.1 + od * 0.4;
  if (valve.type === 'control') drawDiaphragm(mesh, at, stem, direction, od, top, material);
  else if (valve.type === 'shutdown') drawPistonActuator(mesh, at, stem, direction, od, top);
  else if (valve.type === 'ball') drawLever(mesh, at, stem, direction, od, top);
  else if (valve.type !== 'check')
    drawWheel(mesh, at, stem, od, top, valve.type === 'choke' ? 'paint-yellow' : 'paint-red');
}

function drawWheel(mesh: MeshBuilder, at: Point, stem: Point, od: number, top: number, material: Material): void {
  const { u, v } = frame(stem);
  const yoke = top + 0.1 + od * 0.5;
  for (const way of [-1, 1])
    bar(
      mesh,
      'paint-grey',
      along(along(at, stem, top - 0.02), u, way * (0.02 + od * 0.14)),
      along(along(at, stem, yoke), u, way * (0.02 + od * 0.11)),
      0.018 + od * 0.05,
      0.012 + od * 0.04,
      v,
    );
  round(mesh, 'paint-grey', along(at, stem, yoke - 0.015), along(at, stem, yoke + 0.025), 0.03 + od * 0.15);
  round(mesh, 'stainless', along(at, stem, top - 0.02), along(at, stem, yoke + 0.09 + od * 0.6), 0.009 + od * 0.035);
  const r = 0.06 + od * 0.72;
  const centre = along(at, stem, yoke + 0.04);
  torus(mesh, material, centre, stem, r, 0.008 + od * 0.035, 36, 10);
  round(mesh, material, along(centre, stem, -0.02), along(centre, stem, 0.02), 0.02 + od * 0.09);
  for (let k = 0; k < 5; k++) {
    const angle = (k / 5) * Math.PI * 2;
    const out = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
    round(
      mesh,
      material,
      along(centre, out, 0.015 + od * 0.08),
      along(centre, out, r),
      0.006 + od * 0.022,
      0.006 + od * 0.022,
      { sides: 8 },
    );
  }
}

function drawLever(mesh: MeshBuilder, at: Point, stem: Point, direction: Point, od: number, top: number): void {
  round(mesh, 'stainless', along(at, stem, top - 0.02), along(at, stem, top + 0.06), 0.012 + od * 0.06);
  const reach = 0.18 + od * 1.5;
  bar(
    mesh,
    'paint-yellow',
    along(along(at, stem, top + 0.05), direction, -0.03),
    along(along(at, stem, top + 0.08), direction, reach),
    0.035,
    0.008,
    stem,
  );
  round(
    mesh,
    'rubber',
    along(along(at, stem, top + 0.071), direction, reach * 0.7),
    along(along(at, stem, top + 0.081), direction, reach + 0.01),
    0.02,
  );
}

function drawDiaphragm(
  mesh: MeshBuilder,
  at: Point,
  stem: Point,
  direction: Point,
  od: number,
  top: number,
  paint: Material,
): void {
  const { u, v } = frame(stem);
  const yoke = top + 0.26 + od * 0.5;
  for (const way of [-1, 1])
    bar(
      mesh,
      paint,
      along(along(at, stem, top - 0.02), u, way * (0.045 + od * 0.2)),
      along(along(at, stem, yoke), u, way * (0.045 + od * 0.2)),
      0.03,
      0.025 + od * 0.05,
      v,
    );
  round(mesh, 'stainless', along(at, stem, top - 0.02), along(at, stem, yoke + 0.02), 0.012 + od * 0.03);
  round(
    mesh,
    'stainless',
    along(at, stem, (top + yoke) / 2 - 0.03),
    along(at, stem, (top + yoke) / 2 + 0.03),
    0.028 + od * 0.05,
  );
  const r = 0.12 + od * 0.65;
  const c = 0.06 + od * 0.2;
  revolve(
    mesh,
    paint,
    along(at, stem, yoke),
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
        [r * 0.85, 0.05],
        [r * 0.97, c],
      ],
      [
        [r * 0.97, c],
        [r * 1.08, c],
      ],
      [
        [r * 1.08, c],
        [r * 1.08, c + 0.022],
      ],
      [
        [r * 1.08, c + 0.022],
        [r * 0.97, c + 0.022],
      ],
      [
        [r * 0.97, c + 0.022],
        [r * 0.9, c * 1.7 + 0.02],
        [r * 0.45, c * 2 + 0.02],
        [0.05, c * 2.05 + 0.02],
      ],
      [
        [0.05, c * 2.05 + 0.02],
        [0.03, c * 2.05 + 0.06],
        [0, c * 2.05 + 0.065],
      ],
    ],
    40,
  );
  bolts(mesh, along(at, stem, yoke + c + 0.011), stem, r * 1.03, 14, 0.009, 0.011);
  // Positioner with its two gauges, and the air tube.
  const side = cross(stem, direction);
  const face = dot(side, [0, -1, 0]) > 0.5 || dot(side, [0, 1, 0]) > 0.5 ? side : normalise(cross(stem, u));
  const place = along(along(at, stem, (top + yoke) / 2 + 0.04), face, 0.13 + od * 0.22);
  box(mesh, 'paint-grey', place, scale(face, 0.055), scale(cross(stem, face), 0.075), scale(stem, 0.1));
  for (const way of [-1, 1])
    gaugeFace(mesh, along(along(place, face, 0.075), cross(stem, face), way * 0.038), face, 0.03);
  round(mesh, 'stainless', along(place, stem, 0.1), along(along(at, stem, yoke + c), face, r * 0.99), 0.005);
}

function drawPistonActuator(
  mesh: MeshBuilder,
  at: Point,
  stem: Point,
  direction: Point,
  od: number,
  top: number,
): void {
  const side = cross(stem, direction);
  const centre = along(at, stem, top + 0.08 + od * 0.35);
  const r = 0.07 + od * 0.42;
  box(mesh, 'paint-red', centre, scale(direction, r * 0.8), scale(side, r * 1.0), scale(stem, r * 0.75));
  round(mesh, 'paint-red', along(centre, side, r), along(centre, side, r + 0.25 + od * 1.3), r * 0.86);
  round(mesh, 'paint-red', along(centre, side, -r), along(centre, side, -r - 0.14 - od * 0.7), r * 0.78);
  for (const reach of [r + 0.012, r + 0.24 + od * 1.3])
    round(mesh, 'paint-red', along(centre, side, reach), along(centre, side, reach + 0.025), r * 1.02);
  round(mesh, 'paint-grey', along(at, stem, top - 0.02), along(centre, stem, -r * 0.7), 0.05 + od * 0.25);
  box(
    mesh,
    'black',
    along(centre, stem, r * 0.75 + 0.05),
    scale(direction, 0.05),
    scale(side, 0.07),
    scale(stem, 0.05),
  );
  round(mesh, 'paint-yellow', along(centre, stem, r * 0.75 + 0.1), along(centre, stem, r * 0.75 + 0.13), 0.04);
  torus(mesh, 'stainless', along(centre, side, r * 0.9), direction, r * 0.5, 0.005, 20, 6);
}

function drawRelief(mesh: MeshBuilder, valve: Valve, od: number): void {
  const { at, stem } = valve;
  const out: Point = [0, 1, 0];
  flangePair(mesh, 'paint-red', along(at, stem, -od * 1.5), stem, valve.nps);
  revolve(
    mesh,
    'paint-red',
    along(at, stem, -od * 1.5),
    stem,
    [
      [
        [od * 0.55, 0],
        [od * 0.7, od * 0.6],
        [od * 0.95, od * 1.2],
        [od * 0.95, od * 2.3],
      ],
      [
        [od * 0.95, od * 2.3],
        [od * 1.15, od * 2.3],
      ],
      [
        [od * 1.15, od * 2.3],
        [od * 1.15, od * 2.55],
      ],
      [
        [od * 1.15, od * 2.55],
        [od * 0.6, od * 2.55],
      ],
      [
        [od * 0.6, od * 2.55],
        [od * 0.55, od * 4.6],
      ],
      [
        [od * 0.55, od * 4.6],
        [od * 0.3, od * 4.75],
        [od * 0.28, od * 5.5],
        [0, od * 5.6],
      ],
    ],
    32,
  );
  round(mesh, 'paint-red', at, along(at, out, od * 1.5), od * 0.75);
  flangePair(mesh, 'paint-red', along(at, out, od * 1.65), out, valve.nps);
  bolts(mesh, along(at, stem, od * 0.93), stem, od * 1.05, 8, 0.014, od * 0.13);
}

/** A round dial: ring, glass and white face with a pointer. */
export function gaugeFace(mesh: MeshBuilder, at: Point, facing: Point, radius: number): void {
  revolve(
    mesh,
    'stainless',
    along(at, facing, -radius * 0.55),
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
  revolve(
    mesh,
    'plastic-white',
    along(at, facing, -radius * 0.05),
    facing,
    [
      [
        [radius * 0.9, 0],
        [0, 0],
      ],
    ],
    28,
  );
  const { u, v } = frame(facing);
  const needle = normalise(add(scale(u, 0.55), scale(v, 0.8)));
  bar(
    mesh,
    'black',
    along(at, needle, -radius * 0.2),
    along(at, needle, radius * 0.72),
    radius * 0.05,
    radius * 0.02,
    facing,
  );
  for (let k = 0; k < 9; k++) {
    const angle = ((-225 + k * 33.75) * Math.PI) / -180;
    const way = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
    bar(
      mesh,
      'black',
      along(at, way, radius * 0.68),
      along(at, way, radius * 0.82),
      radius * 0.045,
      radius * 0.015,
      facing,
    );
  }
}

/** A small-bore pipe through points, mitred: impulse lines and conduits. */
export function smallBore(mesh: MeshBuilder, material: Material, points: readonly Point[], radius: number): void {
  for (let k = 1; k < points.length; k++) {
    if (length(subtract(points[k]!, points[k - 1]!)) > 0.002)
      round(mesh, material, points[k - 1]!, points[k]!, radius, radius, { sides: 10 });
  }
}
