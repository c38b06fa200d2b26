import type {
  Beam,
  Block,
  CableTray,
  Grating,
  Handrail,
  Ladder,
  Lamp,
  Point,
  Post,
  Stair,
  Vector,
} from '../plant/types.ts';
import {
  add,
  addScaled,
  cross,
  toHeadingVector,
  length,
  mix,
  normalise,
  scale,
  createRandom,
  subtract,
} from '../plant/vector.ts';
import type { MeshBuilder } from './mesh-builder.ts';
import { addBar, addBoxBetween, addBox, addCylinder, addTorus } from './primitives.ts';

const up: Vector = [0, 0, 1];

/** Adds two flanges and a web. */
export function addBeam(mesh: MeshBuilder, part: Beam): void {
  mesh.beginObject(part.id);
  const axis = normalise(subtract(part.to, part.from));
  const vertical = Math.abs(axis[2]) > 0.9;
  const top: Vector = vertical ? [0, 1, 0] : normalise(subtract(up, scale(axis, axis[2])));
  const thickness = Math.max(0.008, part.height * 0.055);
  for (const sign of [-1, 1])
    addBar(
      mesh,
      part.material,
      addScaled(part.from, top, sign * (part.height / 2 - thickness / 2)),
      addScaled(part.to, top, sign * (part.height / 2 - thickness / 2)),
      part.width,
      thickness,
      top,
    );
  addBar(mesh, part.material, part.from, part.to, Math.max(0.006, thickness * 0.7), part.height - 2 * thickness, top);
}

export function addPost(mesh: MeshBuilder, part: Post): void {
  mesh.beginObject(part.id);
  addCylinder(mesh, part.material, part.from, part.to, part.radius, part.endRadius ?? part.radius);
}

export function addBlock(mesh: MeshBuilder, part: Block): void {
  mesh.beginObject(part.id);
  const forward = toHeadingVector(part.heading ?? 0);
  addBox(
    mesh,
    part.material,
    part.centre,
    scale(cross(forward, up), part.size[0] / 2),
    scale(forward, part.size[1] / 2),
    [0, 0, part.size[2] / 2],
  );
}

/** Adds bearing bars of 30 x 5 mm every 33 mm, and cross rods every 100 mm. */
export function addGrating(mesh: MeshBuilder, part: Grating): void {
  mesh.beginObject(part.id);
  const [x0, y0] = part.min;
  const [x1, y1] = part.max;
  const top = part.z;
  const low = top - 0.03;
  const alongX = part.bars === 'x';
  const [startAlong, endAlong, startAcross, endAcross] = alongX ? [x0, x1, y0, y1] : [y0, y1, x0, x1];
  const addGratingBar = (
    alongMin: number,
    alongMax: number,
    acrossMin: number,
    acrossMax: number,
    z0: number,
    z1: number,
  ): void =>
    alongX
      ? addBoxBetween(mesh, 'galvanised', [alongMin, acrossMin, z0], [alongMax, acrossMax, z1])
      : addBoxBetween(mesh, 'galvanised', [acrossMin, alongMin, z0], [acrossMax, alongMax, z1]);
  const count = Math.max(1, Math.round((endAcross - startAcross) / 0.0333));
  for (let k = 0; k <= count; k++) {
    const across = startAcross + 0.0025 + (k / count) * (endAcross - startAcross - 0.005);
    addGratingBar(startAlong, endAlong, across - 0.0025, across + 0.0025, low, top);
  }
  const rods = Math.max(1, Math.round((endAlong - startAlong) / 0.1));
  for (let k = 0; k <= rods; k++) {
    const distance = startAlong + 0.004 + (k / rods) * (endAlong - startAlong - 0.008);
    addGratingBar(distance - 0.003, distance + 0.003, startAcross, endAcross, top - 0.008, top - 0.001);
  }
}

/** Adds a top rail at 1.1 m, a knee rail at 0.55 m, posts every 1.5 m and a toe board of 100 mm. */
export function addHandrail(mesh: MeshBuilder, part: Handrail): void {
  mesh.beginObject(part.id);
  const raise = (p: Point, z: number): Point => [p[0], p[1], p[2] + z];
  for (let k = 1; k < part.points.length; k++) {
    const a = part.points[k - 1]!;
    const b = part.points[k]!;
    for (const [z, radius] of [
      [1.1, 0.0242],
      [0.55, 0.0169],
    ] as const)
      addCylinder(mesh, 'paint-yellow', raise(a, z), raise(b, z), radius, radius, { sides: 14 });
    const span = length(subtract(b, a));
    const bays = Math.max(1, Math.round(span / 1.5));
    for (let s = k === 1 ? 0 : 1; s <= bays; s++) {
      const p = mix(a, b, s / bays);
      addCylinder(mesh, 'paint-yellow', p, raise(p, 1.1), 0.0242, 0.0242, { sides: 14, caps: false });
      addBox(mesh, 'paint-yellow', raise(p, 0.005), [0.05, 0, 0], [0, 0.05, 0], [0, 0, 0.005]);
    }
    if (part.toeBoard) addBar(mesh, 'paint-yellow', raise(a, 0.06), raise(b, 0.06), 0.006, 0.1);
  }
}

/** Adds strings, grating treads with a yellow nosing, and a handrail on either side. */
export function addStair(mesh: MeshBuilder, part: Stair): void {
  mesh.beginObject(part.id);
  const run = subtract(part.to, part.from);
  const level = normalise([run[0], run[1], 0]);
  const side = cross(up, level);
  const steps = Math.round(run[2] / 0.2);
  const half = part.width / 2;
  for (const sign of [-1, 1]) {
    addBar(
      mesh,
      'steel-structure',
      addScaled(addScaled(part.from, side, sign * (half + 0.01)), up, 0.02),
      addScaled(addScaled(part.to, side, sign * (half + 0.01)), up, -0.08),
      0.012,
      0.26,
    );
    for (const [z, radius] of [
      [1.0, 0.0242],
      [0.5, 0.0169],
    ] as const)
      addCylinder(
        mesh,
        'paint-yellow',
        addScaled(addScaled(part.from, side, sign * half), up, z),
        addScaled(addScaled(part.to, side, sign * half), up, z),
        radius,
        radius,
        { sides: 14 },
      );
    for (let k = 0; k <= 6; k++) {
      const p = addScaled(mix(part.from, part.to, k / 6), side, sign * half);
      addCylinder(mesh, 'paint-yellow', p, addScaled(p, up, 1.0), 0.0242, 0.0242, { sides: 14, caps: false });
    }
  }
  const going = Math.hypot(run[0], run[1]) / steps;
  for (let k = 1; k < steps; k++) {
    const centre = addScaled(mix(part.from, part.to, k / steps), level, -going * 0.1);
    const depth = 0.27;
    for (let c = 0; c <= 8; c++) {
      const p = addScaled(centre, level, -depth / 2 + (c / 8) * depth);
      addBar(
        mesh,
        'galvanised',
        addScaled(addScaled(p, side, -half), up, -0.015),
        addScaled(addScaled(p, side, half), up, -0.015),
        0.005,
        0.03,
      );
    }
    for (let c = 0; c <= 10; c++) {
      const p = addScaled(centre, side, -half + (c / 10) * part.width);
      addBar(
        mesh,
        'galvanised',
        addScaled(addScaled(p, level, -depth / 2), up, -0.005),
        addScaled(addScaled(p, level, depth / 2), up, -0.005),
        0.006,
        0.007,
      );
    }
    const nose = addScaled(centre, level, -depth / 2 + 0.02);
    addBar(
      mesh,
      'paint-yellow',
      addScaled(addScaled(nose, side, -half), up, 0.002),
      addScaled(addScaled(nose, side, half), up, 0.002),
      0.04,
      0.006,
    );
  }
}

/** Adds stiles, rungs and wall brackets, and the hoops and straps of a cage. */
export function addLadder(mesh: MeshBuilder, part: Ladder): void {
  mesh.beginObject(part.id);
  const side = cross(up, part.facing);
  const top = part.height + 1.1;
  for (const offset of [-0.225, 0.225]) {
    const foot = addScaled(part.base, side, offset);
    addBar(mesh, 'paint-yellow', foot, addScaled(foot, up, top), 0.012, 0.06, part.facing);
    for (let z = 0.6; z < part.height; z += 2.1)
      addBar(
        mesh,
        'paint-yellow',
        addScaled(foot, up, z),
        addScaled(addScaled(foot, up, z), part.facing, -0.22),
        0.05,
        0.01,
      );
  }
  for (let z = 0.28; z < part.height; z += 0.28)
    addCylinder(
      mesh,
      'paint-yellow',
      addScaled(addScaled(part.base, side, -0.225), up, z),
      addScaled(addScaled(part.base, side, 0.225), up, z),
      0.011,
      0.011,
      { sides: 10 },
    );
  if (!part.cage) return;
  const centre = addScaled(part.base, part.facing, 0.36);
  const toDirection = (angle: number): Point => add(scale(part.facing, Math.cos(angle)), scale(side, Math.sin(angle)));
  for (let z = 2.3; z <= top; z += 0.9) {
    for (let k = -9; k < 9; k++) {
      const [a, b] = [(k / 9) * 2.35, ((k + 1) / 9) * 2.35];
      addBar(
        mesh,
        'paint-yellow',
        addScaled(addScaled(centre, toDirection(a), 0.36), up, z),
        addScaled(addScaled(centre, toDirection(b), 0.36), up, z),
        0.006,
        0.05,
      );
    }
  }
  for (const angle of [-1.7, -0.85, 0, 0.85, 1.7]) {
    const p = addScaled(centre, toDirection(angle), 0.355);
    addBar(mesh, 'paint-yellow', addScaled(p, up, 2.3), addScaled(p, up, top), 0.006, 0.04, toDirection(angle));
  }
}

/** Adds a cable tray with its cables, each with a slight offset. */
export function addCableTray(mesh: MeshBuilder, part: CableTray): void {
  mesh.beginObject(part.id);
  const axis = normalise(subtract(part.to, part.from));
  const vertical = Math.abs(axis[2]) > 0.9;
  const side: Vector = vertical ? [1, 0, 0] : cross(up, axis);
  const normal: Vector = vertical ? [0, Math.sign(part.from[1]) || 1, 0] : up;
  const span = length(subtract(part.to, part.from));
  for (const offset of [-0.5, 0.5])
    addBar(
      mesh,
      'galvanised',
      addScaled(addScaled(part.from, side, offset * part.width), normal, 0.05),
      addScaled(addScaled(part.to, side, offset * part.width), normal, 0.05),
      0.004,
      0.1,
      normal,
    );
  for (let d = 0.15; d < span; d += 0.3) {
    const p = addScaled(addScaled(part.from, axis, d), normal, 0.015);
    addBar(
      mesh,
      'galvanised',
      addScaled(p, side, -part.width / 2),
      addScaled(p, side, part.width / 2),
      0.03,
      0.02,
      normal,
    );
  }
  const random = createRandom(Math.round(part.from[0] * 31 + part.from[1] * 17 + span * 7));
  for (let c = 0; c < part.cables; c++) {
    const radius = 0.008 + random() * 0.013;
    const lane = (-0.5 + (c + 0.5) / part.cables) * part.width * 0.9;
    let lastPoint: Point | undefined;
    for (let d = 0; d <= span + 0.001; d += span / Math.ceil(span / 1.8)) {
      const p = addScaled(
        addScaled(addScaled(part.from, axis, d), side, lane + (random() - 0.5) * 0.018),
        normal,
        0.026 + radius + random() * 0.006,
      );
      if (lastPoint)
        addCylinder(mesh, c % 5 === 3 ? 'galvanised' : 'cable', lastPoint, p, radius, radius, {
          sides: 8,
          caps: false,
        });
      lastPoint = p;
    }
  }
}

export function addLamp(mesh: MeshBuilder, part: Lamp): void {
  mesh.beginObject(part.id);
  const side = normalise(cross(part.along, part.facing));
  if (part.type === 'linear') {
    addBox(
      mesh,
      'paint-white',
      addScaled(part.at, part.facing, -0.04),
      scale(part.along, 0.65),
      scale(side, 0.1),
      scale(part.facing, 0.04),
    );
    addCylinder(
      mesh,
      'lamp',
      addScaled(addScaled(part.at, part.facing, 0.02), part.along, -0.6),
      addScaled(addScaled(part.at, part.facing, 0.02), part.along, 0.6),
      0.045,
    );
    for (const d of [-0.45, 0.45])
      addCylinder(
        mesh,
        'galvanised',
        addScaled(addScaled(part.at, part.along, d), part.facing, -0.08),
        addScaled(addScaled(part.at, part.along, d), part.facing, -0.3),
        0.012,
      );
    return;
  }
  const face = addScaled(part.at, part.facing, 0.2);
  addBox(
    mesh,
    'paint-grey',
    addScaled(part.at, part.facing, 0.1),
    scale(part.along, 0.22),
    scale(side, 0.16),
    scale(part.facing, 0.09),
  );
  addBox(mesh, 'lamp', face, scale(part.along, 0.19), scale(side, 0.13), scale(part.facing, 0.006));
  addTorus(mesh, 'galvanised', part.at, part.along, 0.16, 0.012, 20, 6);
}
