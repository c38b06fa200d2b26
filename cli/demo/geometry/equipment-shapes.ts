import { getPipeSize } from '../plant/pipe-sizes.ts';
import type { AirCooler, Exchanger, Nozzle, Package, Point, Pump, Tote, Vector, Vessel } from '../plant/types.ts';
import { add, addScaled, cross, toHeadingVector, scale } from '../plant/vector.ts';
import type { MeshBuilder } from './mesh-builder.ts';
import { addBolts, addFlangePair } from './piping-shapes.ts';
import {
  addBar,
  addBoxBetween,
  addBox,
  computeCircumradius,
  countSidesWithinTolerance,
  addRevolvedSurface,
  addCylinder,
  addTorus,
} from './primitives.ts';

const up: Vector = [0, 0, 1];
const axes: Readonly<Record<'x' | 'y' | 'z', Vector>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** Adds a shell with 2:1 heads, cladding bands, saddles or skirt, nozzles and manways. */
export function addVessel(mesh: MeshBuilder, vessel: Vessel): void {
  mesh.beginObject(vessel.id);
  const axis = axes[vessel.axis];
  const outerRadius = vessel.outsideDiameter / 2;
  const sides = countSidesWithinTolerance(outerRadius);
  const radius = computeCircumradius(outerRadius, sides);
  const halfLength = vessel.length / 2;
  const createHeadProfile = (from: number, sign: 1 | -1): [number, number][] =>
    Array.from({ length: 13 }, (_, k) => {
      const angle = (k / 12) * (Math.PI / 2);
      return [radius * Math.cos(angle), from + sign * (radius / 2) * Math.sin(angle)] as [number, number];
    });
  addRevolvedSurface(
    mesh,
    vessel.material,
    vessel.centre,
    axis,
    [
      createHeadProfile(-halfLength, -1).reverse(),
      [
        [radius, -halfLength],
        [radius, halfLength],
      ],
      createHeadProfile(halfLength, 1),
    ],
    sides,
  );
  if (vessel.material === 'cladding') {
    for (let h = -halfLength; h <= halfLength + 0.01; h += vessel.length / Math.round(vessel.length / 0.95)) {
      const at = addScaled(vessel.centre, axis, h);
      addRevolvedSurface(
        mesh,
        'cladding',
        addScaled(at, axis, -0.02),
        axis,
        [
          [
            [radius, 0],
            [radius + 0.004, 0.004],
            [radius + 0.004, 0.036],
            [radius, 0.04],
          ],
        ],
        sides,
      );
    }
  } else {
    for (const h of [-halfLength, -halfLength / 3, halfLength / 3, halfLength])
      addTorus(mesh, vessel.material, addScaled(vessel.centre, axis, h), axis, outerRadius - 0.002, 0.007, sides, 6);
  }
  if (vessel.axis === 'z') addSkirt(mesh, vessel, halfLength);
  else addSaddles(mesh, vessel, halfLength);
  for (const nozzle of vessel.nozzles) addNozzle(mesh, vessel, nozzle);
}

function addSkirt(mesh: MeshBuilder, vessel: Vessel, halfLength: number): void {
  const [x, y, z] = vessel.centre;
  const radius = vessel.outsideDiameter / 2;
  addRevolvedSurface(
    mesh,
    'paint-grey',
    [x, y, vessel.base],
    up,
    [
      [
        [radius + 0.12, 0.0],
        [radius + 0.12, 0.035],
      ],
      [
        [radius + 0.12, 0.035],
        [radius - 0.03, 0.035],
      ],
      [
        [radius - 0.03, 0.035],
        [radius - 0.03, z - halfLength - vessel.base + 0.05],
      ],
    ],
    64,
  );
  addBolts(mesh, [x, y, vessel.base + 0.02], up, radius + 0.06, 16, 0.024, 0.016);
  for (let k = 0; k < 16; k++) {
    const angle = (k / 16) * Math.PI * 2;
    const outward: Vector = [Math.cos(angle), Math.sin(angle), 0];
    addBox(
      mesh,
      'paint-grey',
      add([x, y, vessel.base + 0.12], scale(outward, radius + 0.03)),
      scale(outward, 0.06),
      scale(cross(up, outward), 0.006),
      [0, 0, 0.09],
    );
  }
}

function addSaddles(mesh: MeshBuilder, vessel: Vessel, halfLength: number): void {
  const axis = axes[vessel.axis];
  const side = cross(up, axis);
  const radius = vessel.outsideDiameter / 2;
  for (const position of [-0.62, 0.62]) {
    const centre = addScaled(vessel.centre, axis, position * halfLength);
    const foot: Point = [centre[0], centre[1], vessel.base];
    const height = centre[2] - radius * 0.62 - vessel.base;
    addBox(
      mesh,
      'paint-grey',
      addScaled(foot, up, 0.015),
      scale(axis, 0.22),
      scale(side, radius * 0.92),
      [0, 0, 0.015],
    );
    addBox(mesh, 'paint-grey', addScaled(foot, up, height / 2), scale(axis, 0.012), scale(side, radius * 0.86), [
      0,
      0,
      height / 2,
    ]);
    for (const t of [-0.8, -0.3, 0.3, 0.8])
      addBox(
        mesh,
        'paint-grey',
        addScaled(addScaled(foot, side, t * radius), up, height / 2),
        scale(axis, 0.16),
        scale(side, 0.01),
        [0, 0, height / 2],
      );
    for (const t of [-0.84, 0.84])
      for (const d of [-0.14, 0.14])
        addCylinder(
          mesh,
          'galvanised',
          addScaled(addScaled(addScaled(foot, side, t * radius), axis, d), up, 0.03),
          addScaled(addScaled(addScaled(foot, side, t * radius), axis, d), up, 0.09),
          0.018,
          0.018,
          { sides: 6 },
        );
    // The wrapper plate between shell and saddle.
    const steps = 24;
    for (let k = 0; k < steps; k++) {
      const [a, b] = [k, k + 1].map((s) => ((s / steps) * 130 - 65 - 90) * (Math.PI / 180)) as [number, number];
      const toRimPoint = (angle: number, rimRadius: number): Point =>
        add(centre, add(scale(side, rimRadius * Math.cos(angle)), scale(up, rimRadius * Math.sin(angle))));
      const middle = (a + b) / 2;
      addBox(
        mesh,
        'paint-grey',
        toRimPoint(middle, radius + 0.008),
        scale(axis, 0.2),
        scale(add(scale(side, -Math.sin(middle)), scale(up, Math.cos(middle))), ((b - a) / 2) * (radius + 0.016)),
        scale(add(scale(side, Math.cos(middle)), scale(up, Math.sin(middle))), 0.012),
      );
    }
  }
}

function addNozzle(mesh: MeshBuilder, vessel: Vessel, nozzle: Nozzle): void {
  const size = getPipeSize(nozzle.nps);
  const material = vessel.material === 'cladding' ? 'paint-grey' : vessel.material;
  const neck = size.outsideDiameter / 2000;
  const face = addScaled(nozzle.at, nozzle.direction, nozzle.projection);
  const t = size.flange.thickness / 1000;
  addCylinder(
    mesh,
    material,
    addScaled(nozzle.at, nozzle.direction, -0.25),
    addScaled(face, nozzle.direction, -t),
    neck,
  );
  addRevolvedSurface(
    mesh,
    material,
    addScaled(nozzle.at, nozzle.direction, -0.2),
    nozzle.direction,
    [
      [
        [neck * 1.6, 0],
        [neck * 1.6, 0.2 + neck * 0.02],
        [neck * 1.02, 0.235],
      ],
    ],
    32,
  );
  addFlangePair(mesh, material, face, nozzle.direction, nozzle.nps);
  if (!nozzle.blind) return;
  const cover = addScaled(face, nozzle.direction, t + 0.002);
  addRevolvedSurface(
    mesh,
    material,
    cover,
    nozzle.direction,
    [
      [
        [size.flange.diameter / 2000, 0],
        [0, 0.001],
      ],
    ],
    40,
  );
  // Handle and davit of the cover.
  addTorus(
    mesh,
    'galvanised',
    addScaled(cover, nozzle.direction, 0.05),
    Math.abs(nozzle.direction[2]) > 0.5 ? [1, 0, 0] : up,
    0.09,
    0.01,
    20,
    8,
  );
  const arm: Vector = Math.abs(nozzle.direction[2]) > 0.5 ? [1, 0, 0] : [nozzle.direction[1], -nozzle.direction[0], 0];
  const root = addScaled(addScaled(face, arm, size.flange.diameter / 2000 + 0.06), nozzle.direction, -0.1);
  const lift: Vector = Math.abs(nozzle.direction[2]) > 0.5 ? nozzle.direction : up;
  const top = addScaled(root, lift, 0.5);
  addCylinder(mesh, material, root, top, 0.022);
  addCylinder(
    mesh,
    material,
    top,
    addScaled(
      addScaled(top, arm, -size.flange.diameter / 2000 - 0.06),
      nozzle.direction,
      Math.abs(nozzle.direction[2]) > 0.5 ? 0 : 0.16,
    ),
    0.022,
  );
}

/** Adds shell, channel, flanges and saddles of a shell-and-tube exchanger along x. */
export function addExchanger(mesh: MeshBuilder, part: Exchanger): void {
  mesh.beginObject(part.id);
  const radius = part.outsideDiameter / 2;
  const sides = countSidesWithinTolerance(radius);
  const circumradius = computeCircumradius(radius, sides);
  const [x, y, z] = part.centre;
  const h = part.length / 2;
  const x0: Point = [x - h, y, z];
  addRevolvedSurface(
    mesh,
    'cladding',
    x0,
    [1, 0, 0],
    [
      Array.from({ length: 9 }, (_, k) => {
        const t = Math.PI / 2 - (k / 8) * (Math.PI / 2);
        return [circumradius * Math.cos(t), -(radius / 2) * Math.sin(t)] as [number, number];
      }),
      [
        [circumradius, 0],
        [circumradius, part.length - 0.9],
      ],
    ],
    sides,
  );
  for (let d = 0; d < part.length - 0.9; d += 0.9)
    addRevolvedSurface(
      mesh,
      'cladding',
      [x - h + d, y, z],
      [1, 0, 0],
      [
        [
          [circumradius, 0],
          [circumradius + 0.004, 0.004],
          [circumradius + 0.004, 0.036],
          [circumradius, 0.04],
        ],
      ],
      sides,
    );
  for (const d of [part.length - 0.86, part.length - 0.06]) {
    const at: Point = [x - h + d, y, z];
    for (const sign of [-1, 1])
      addRevolvedSurface(
        mesh,
        'paint-grey',
        at,
        [sign, 0, 0],
        [
          [
            [0, 0.002],
            [radius + 0.1, 0.002],
          ],
          [
            [radius + 0.1, 0.002],
            [radius + 0.1, 0.05],
          ],
          [
            [radius + 0.1, 0.05],
            [radius * 0.9, 0.05],
          ],
        ],
        64,
      );
    addBolts(mesh, at, [1, 0, 0], radius + 0.055, 28, 0.02, 0.052);
  }
  addCylinder(
    mesh,
    'paint-grey',
    [x - h + part.length - 0.86, y, z],
    [x - h + part.length - 0.06, y, z],
    radius * 0.97,
  );
  for (const d of [-0.55, 0.35]) {
    const saddleX = x + d * h;
    addBoxBetween(
      mesh,
      'paint-grey',
      [saddleX - 0.1, y - radius * 0.8, part.base],
      [saddleX + 0.1, y + radius * 0.8, part.base + 0.02],
    );
    addBoxBetween(
      mesh,
      'paint-grey',
      [saddleX - 0.01, y - radius * 0.75, part.base],
      [saddleX + 0.01, y + radius * 0.75, z - radius * 0.5],
    );
    for (const t of [-0.7, 0, 0.7])
      addBoxBetween(
        mesh,
        'paint-grey',
        [saddleX - 0.09, y + t * radius - 0.01, part.base],
        [saddleX + 0.09, y + t * radius + 0.01, z - radius * 0.5],
      );
  }
  for (const d of [0.4, part.length - 1.3]) {
    const at: Point = [x - h + d, y, z + radius];
    addCylinder(mesh, 'paint-grey', [at[0], y, z + radius - 0.1], addScaled(at, up, 0.1), 0.057);
    addFlangePair(mesh, 'paint-grey', addScaled(at, up, 0.1), up, '4');
  }
}

/** Adds baseplate, casing, bearing bracket, coupling guard and finned motor. */
export function addPump(mesh: MeshBuilder, pump: Pump): void {
  mesh.beginObject(pump.id);
  const s = pump.scale;
  const forward = toHeadingVector(pump.heading);
  const side = cross(up, forward);
  const toPoint = (forwardOffset: number, height: number, sideOffset = 0): Point =>
    addScaled(addScaled(addScaled(pump.base, forward, forwardOffset * s), up, height * s), side, sideOffset * s);
  addBox(mesh, 'steel-structure', toPoint(0.25, 0.1), scale(forward, 1.2 * s), scale(side, 0.45 * s), [0, 0, 0.1 * s]);
  for (const d of [-0.85, 0.25, 1.35])
    for (const w of [-0.4, 0.4])
      addCylinder(mesh, 'galvanised', toPoint(d, 0.2, w), toPoint(d, 0.25, w), 0.018 * s, 0.018 * s, { sides: 6 });
  // Volute with the suction neck towards the aisle and the discharge neck on top.
  addRevolvedSurface(
    mesh,
    'paint-blue',
    toPoint(-0.82, 0.62),
    forward,
    [
      [
        [0.14 * s, 0],
        [0.2 * s, 0.06 * s],
        [0.33 * s, 0.14 * s],
        [0.36 * s, 0.24 * s],
        [0.33 * s, 0.36 * s],
        [0.24 * s, 0.42 * s],
      ],
      [
        [0.24 * s, 0.42 * s],
        [0.3 * s, 0.42 * s],
      ],
      [
        [0.3 * s, 0.42 * s],
        [0.3 * s, 0.48 * s],
      ],
      [
        [0.3 * s, 0.48 * s],
        [0.14 * s, 0.48 * s],
      ],
    ],
    44,
  );
  addBolts(mesh, toPoint(-0.37, 0.62), forward, 0.27 * s, 12, 0.016, 0.03 * s);
  addCylinder(mesh, 'paint-blue', toPoint(-0.92, 0.62), toPoint(-0.7, 0.62), 0.11 * s);
  addFlangePair(mesh, 'paint-blue', toPoint(-0.93, 0.62), forward, '8');
  addCylinder(mesh, 'paint-blue', toPoint(-0.58, 0.7), toPoint(-0.58, 1.04), 0.09 * s);
  addFlangePair(mesh, 'paint-blue', toPoint(-0.58, 1.05), up, '6');
  for (const w of [-0.2, 0.2])
    addBox(mesh, 'paint-blue', toPoint(-0.58, 0.3, w), scale(forward, 0.1 * s), scale(side, 0.04 * s), [
      0,
      0,
      0.12 * s,
    ]);
  addRevolvedSurface(
    mesh,
    'paint-blue',
    toPoint(-0.34, 0.62),
    forward,
    [
      [
        [0.14 * s, 0],
        [0.12 * s, 0.12 * s],
        [0.14 * s, 0.3 * s],
      ],
      [
        [0.14 * s, 0.3 * s],
        [0.05 * s, 0.31 * s],
      ],
    ],
    32,
  );
  // Coupling guard.
  const guard = toPoint(0.14, 0.62);
  addRevolvedSurface(
    mesh,
    'paint-yellow',
    addScaled(guard, forward, -0.16 * s),
    forward,
    [
      [
        [0.0, 0],
        [0.16 * s, 0],
      ],
      [
        [0.16 * s, 0],
        [0.16 * s, 0.34 * s],
      ],
      [
        [0.16 * s, 0.34 * s],
        [0, 0.34 * s],
      ],
    ],
    32,
  );
  addBox(mesh, 'paint-yellow', toPoint(0.15, 0.36), scale(forward, 0.14 * s), scale(side, 0.1 * s), [0, 0, 0.16 * s]);
  // Motor with cooling fins, fan cowl, terminal box and lifting eye.
  const motor = toPoint(0.34, 0.62);
  addCylinder(mesh, 'paint-green', motor, addScaled(motor, forward, 0.86 * s), 0.26 * s);
  for (let k = 0; k < 30; k++) {
    const angle = (k / 30) * Math.PI * 2;
    const outward = add(scale(side, Math.cos(angle)), scale(up, Math.sin(angle)));
    addBox(
      mesh,
      'paint-green',
      add(addScaled(motor, forward, 0.42 * s), scale(outward, 0.275 * s)),
      scale(forward, 0.34 * s),
      scale(outward, 0.025 * s),
      scale(cross(forward, outward), 0.005 * s),
    );
  }
  for (const d of [0.02, 0.8])
    addCylinder(
      mesh,
      'paint-green',
      addScaled(motor, forward, d * s),
      addScaled(motor, forward, (d + 0.05) * s),
      0.3 * s,
    );
  addRevolvedSurface(
    mesh,
    'paint-green',
    addScaled(motor, forward, 0.86 * s),
    forward,
    [
      [
        [0.29 * s, 0],
        [0.3 * s, 0.14 * s],
        [0.24 * s, 0.2 * s],
      ],
      [
        [0.24 * s, 0.2 * s],
        [0, 0.2 * s],
      ],
    ],
    36,
  );
  for (let k = 1; k < 6; k++)
    addTorus(mesh, 'black', addScaled(motor, forward, 1.062 * s), forward, 0.04 * k * s, 0.004 * s, 28, 5);
  addBox(
    mesh,
    'paint-green',
    addScaled(addScaled(motor, forward, 0.4 * s), side, 0.33 * s),
    scale(forward, 0.13 * s),
    scale(side, 0.09 * s),
    [0, 0, 0.11 * s],
  );
  addTorus(
    mesh,
    'galvanised',
    addScaled(addScaled(motor, forward, 0.4 * s), up, 0.32 * s),
    forward,
    0.05 * s,
    0.012 * s,
    20,
    8,
  );
  for (const d of [0.14, 0.68])
    for (const sign of [-1, 1])
      addBox(
        mesh,
        'paint-green',
        addScaled(addScaled(addScaled(motor, forward, d * s), side, sign * 0.2 * s), up, -0.33 * s),
        scale(forward, 0.07 * s),
        scale(side, 0.06 * s),
        [0, 0, 0.1 * s],
      );
  addHoses(mesh, toPoint);
}

function addHoses(
  mesh: MeshBuilder,
  toPoint: (forwardOffset: number, height: number, sideOffset?: number) => Point,
): void {
  const path = [
    toPoint(-0.1, 0.5, 0.16),
    toPoint(-0.1, 0.95, 0.3),
    toPoint(-0.3, 1.15, 0.34),
    toPoint(-0.45, 1.15, 0.3),
  ];
  for (let k = 1; k < path.length; k++) addCylinder(mesh, 'stainless', path[k - 1]!, path[k]!, 0.01);
  addCylinder(mesh, 'stainless', toPoint(-0.45, 1.0, 0.3), toPoint(-0.45, 1.4, 0.3), 0.08);
  addCylinder(mesh, 'stainless', toPoint(-0.45, 1.4, 0.3), toPoint(-0.45, 1.44, 0.3), 0.08, 0.03);
  addCylinder(mesh, 'galvanised', toPoint(-0.45, 0.2, 0.3), toPoint(-0.45, 1.0, 0.3), 0.02);
}

/** Adds legs, a tube bundle with header boxes, and fan rings with blades. */
export function addAirCooler(mesh: MeshBuilder, part: AirCooler): void {
  mesh.beginObject(part.id);
  const [x0, y0, z0] = part.min;
  const [x1, y1, z1] = part.max;
  const low = z0 + (z1 - z0) * 0.62;
  for (const x of [x0 + 0.15, (x0 + x1) / 2, x1 - 0.15])
    for (const y of [y0 + 0.15, y1 - 0.15]) {
      addBar(mesh, 'galvanised', [x, y, z0], [x, y, low], 0.18, 0.18);
      addBox(mesh, 'galvanised', [x, y, z0 + 0.01], [0.16, 0, 0], [0, 0.16, 0], [0, 0, 0.01]);
    }
  for (const y of [y0 + 0.15, y1 - 0.15]) {
    addBar(mesh, 'galvanised', [x0 + 0.15, y, z0 + 0.3], [(x0 + x1) / 2, y, low - 0.1], 0.07, 0.07);
    addBar(mesh, 'galvanised', [x1 - 0.15, y, z0 + 0.3], [(x0 + x1) / 2, y, low - 0.1], 0.07, 0.07);
  }
  addBoxBetween(mesh, 'galvanised', [x0, y0, low], [x1, y0 + 0.06, low + 0.75]);
  addBoxBetween(mesh, 'galvanised', [x0, y1 - 0.06, low], [x1, y1, low + 0.75]);
  for (const x of [x0, x1 - 0.34]) {
    addBoxBetween(mesh, 'paint-grey', [x, y0 + 0.06, low + 0.15], [x + 0.34, y1 - 0.06, low + 0.62]);
    for (let y = y0 + 0.25; y < y1 - 0.2; y += 0.16)
      for (const z of [0.25, 0.38, 0.51])
        addCylinder(mesh, 'galvanised', [x - 0.02, y, low + z], [x + 0.36, y, low + z], 0.022, 0.022, { sides: 6 });
  }
  for (let y = y0 + 0.14; y < y1 - 0.1; y += 0.07)
    for (const z of [0.2, 0.34])
      addCylinder(
        mesh,
        'stainless',
        [x0 + 0.3, y + (z > 0.3 ? 0.035 : 0), low + z],
        [x1 - 0.3, y + (z > 0.3 ? 0.035 : 0), low + z],
        0.026,
        0.026,
        { sides: 8, caps: false },
      );
  addBoxBetween(mesh, 'galvanised', [x0 + 0.34, y0 + 0.06, low + 0.72], [x1 - 0.34, y1 - 0.06, low + 0.78]);
  const pitch = (x1 - x0) / part.fans;
  for (let k = 0; k < part.fans; k++) {
    const centre: Point = [x0 + pitch * (k + 0.5), (y0 + y1) / 2, low + 0.78];
    const radius = pitch * 0.42;
    addRevolvedSurface(
      mesh,
      'galvanised',
      centre,
      up,
      [
        [
          [radius + 0.12, 0],
          [radius + 0.02, 0.14],
          [radius, 0.3],
          [radius, z1 - low - 0.78],
        ],
        [
          [radius, z1 - low - 0.78],
          [radius - 0.03, z1 - low - 0.78],
        ],
        [
          [radius - 0.03, z1 - low - 0.78],
          [radius - 0.03, 0],
        ],
      ],
      56,
    );
    addCylinder(mesh, 'paint-grey', centre, addScaled(centre, up, z1 - low - 0.9), 0.14);
    for (let b = 0; b < 6; b++) {
      const angle = (b / 6) * Math.PI * 2 + k;
      const outward: Vector = [Math.cos(angle), Math.sin(angle), 0];
      const across = add(scale(cross(up, outward), 0.94), scale(up, 0.34));
      addBox(
        mesh,
        'paint-yellow',
        addScaled(addScaled(centre, up, 0.3), outward, radius * 0.55),
        scale(outward, radius * 0.42),
        scale(across, 0.12),
        scale(cross(outward, across), 0.008),
      );
    }
    for (const ring of [0.3, 0.55, 0.8])
      addTorus(mesh, 'galvanised', addScaled(centre, up, z1 - low - 0.78), up, radius * ring, 0.008, 40, 5);
    for (let b = 0; b < 12; b++) {
      const outward: Vector = [Math.cos((b / 12) * Math.PI * 2), Math.sin((b / 12) * Math.PI * 2), 0];
      addCylinder(
        mesh,
        'galvanised',
        addScaled(centre, up, z1 - low - 0.78),
        addScaled(addScaled(centre, up, z1 - low - 0.78), outward, radius),
        0.008,
      );
    }
    addBoxBetween(
      mesh,
      'paint-green',
      [centre[0] - 0.2, centre[1] - 0.2, low - 0.55],
      [centre[0] + 0.2, centre[1] + 0.2, low - 0.05],
    );
  }
}

/** Adds an enclosure with doors, louvres, lifting lugs and a skid. */
export function addPackage(mesh: MeshBuilder, part: Package): void {
  mesh.beginObject(part.id);
  const [x0, y0, z0] = part.min;
  const [x1, y1, z1] = part.max;
  addBoxBetween(mesh, 'steel-structure', [x0 - 0.12, y0 - 0.12, z0], [x1 + 0.12, y1 + 0.12, z0 + 0.22]);
  addBoxBetween(mesh, part.material, [x0, y0, z0 + 0.22], [x1, y1, z1 - 0.03]);
  addBoxBetween(mesh, part.material, [x0 - 0.05, y0 - 0.05, z1 - 0.06], [x1 + 0.05, y1 + 0.05, z1]);
  const pitch = (x1 - x0) / part.doors;
  for (let k = 0; k < part.doors; k++) {
    const a = x0 + pitch * k + 0.08;
    const b = x0 + pitch * (k + 1) - 0.08;
    const top = Math.min(z1 - 0.3, z0 + 2.25);
    addBoxBetween(mesh, part.material, [a, y0 - 0.03, z0 + 0.32], [b, y0, top]);
    for (let z = z0 + 0.45; z < z0 + (top - z0) * 0.42; z += 0.055)
      addBox(
        mesh,
        'galvanised',
        [(a + b) / 2, y0 - 0.04, z],
        [(b - a) / 2 - 0.12, 0, 0],
        [0, 0.022, -0.012],
        [0, 0.0015, 0.004],
      );
    for (const z of [z0 + 0.55, top - 0.25])
      addCylinder(mesh, 'stainless', [a + 0.02, y0 - 0.05, z - 0.06], [a + 0.02, y0 - 0.05, z + 0.06], 0.018);
    addBar(
      mesh,
      'black',
      [b - 0.09, y0 - 0.05, (z0 + top) / 2 + 0.05],
      [b - 0.09, y0 - 0.05, (z0 + top) / 2 + 0.23],
      0.025,
      0.03,
      [0, 1, 0],
    );
    addBoxBetween(mesh, part.material, [a, y1, z0 + 0.32], [b, y1 + 0.03, top]);
  }
  for (const x of [x0 + 0.3, x1 - 0.3])
    for (const y of [y0 + 0.3, y1 - 0.3])
      addTorus(mesh, 'paint-yellow', [x, y, z1 + 0.05], [1, 0, 0], 0.06, 0.015, 20, 8);
  if (z1 - z0 > 2.5) {
    const cx = (x0 + x1) / 2;
    addBoxBetween(mesh, 'galvanised', [cx - 0.9, (y0 + y1) / 2 - 0.7, z1], [cx + 0.9, (y0 + y1) / 2 + 0.7, z1 + 0.6]);
    for (let z = z1 + 0.08; z < z1 + 0.56; z += 0.08)
      addBoxBetween(
        mesh,
        'paint-grey',
        [cx - 0.85, (y0 + y1) / 2 - 0.74, z],
        [cx + 0.85, (y0 + y1) / 2 - 0.7, z + 0.03],
      );
  }
}

/** Adds a white bottle in a cage on a pallet. */
export function addTote(mesh: MeshBuilder, part: Tote): void {
  mesh.beginObject(part.id);
  const [x, y, z] = part.base;
  for (const dx of [-0.5, 0, 0.5])
    addBoxBetween(mesh, 'galvanised', [x + dx - 0.06, y - 0.5, z], [x + dx + 0.06, y + 0.5, z + 0.12]);
  addBoxBetween(mesh, 'galvanised', [x - 0.6, y - 0.5, z + 0.12], [x + 0.6, y + 0.5, z + 0.15]);
  addBoxBetween(mesh, 'plastic-white', [x - 0.56, y - 0.46, z + 0.16], [x + 0.56, y + 0.46, z + 1.1]);
  addCylinder(mesh, 'plastic-red', [x, y, z + 1.1], [x, y, z + 1.15], 0.11);
  addCylinder(mesh, 'plastic-white', [x, y - 0.46, z + 0.24], [x, y - 0.58, z + 0.24], 0.045);
  addCylinder(mesh, 'plastic-red', [x, y - 0.58, z + 0.24], [x, y - 0.62, z + 0.24], 0.05);
  for (const h of [0.25, 0.47, 0.69, 0.91, 1.12])
    for (const [a, b] of [
      [
        [-0.59, -0.49],
        [0.59, -0.49],
      ],
      [
        [0.59, -0.49],
        [0.59, 0.49],
      ],
      [
        [0.59, 0.49],
        [-0.59, 0.49],
      ],
      [
        [-0.59, 0.49],
        [-0.59, -0.49],
      ],
    ] as const)
      addCylinder(mesh, 'galvanised', [x + a[0], y + a[1], z + h], [x + b[0], y + b[1], z + h], 0.009, 0.009, {
        sides: 6,
      });
  for (let k = 0; k <= 6; k++)
    for (const w of [-0.49, 0.49])
      addCylinder(
        mesh,
        'galvanised',
        [x - 0.59 + k * 0.1966, y + w, z + 0.14],
        [x - 0.59 + k * 0.1966, y + w, z + 1.12],
        0.009,
        0.009,
        { sides: 6 },
      );
  for (let k = 1; k <= 4; k++)
    for (const w of [-0.59, 0.59])
      addCylinder(
        mesh,
        'galvanised',
        [x + w, y - 0.49 + k * 0.196, z + 0.14],
        [x + w, y - 0.49 + k * 0.196, z + 1.12],
        0.009,
        0.009,
        { sides: 6 },
      );
}
