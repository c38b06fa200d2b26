import type { Cabinet, Extinguisher, HoseReel, Lifebuoy, Point, Sign, Vector } from '../plant/types.ts';
import { add, addScaled, cross, scale } from '../plant/vector.ts';
import { computeCellUv, type TextAtlas } from './atlas.ts';
import type { MeshBuilder } from './mesh-builder.ts';
import { addBar, addBoxBetween, addBox, addRevolvedSurface, addCylinder, addTorus } from './primitives.ts';

const up: Vector = [0, 0, 1];

export function addExtinguisher(mesh: MeshBuilder, part: Extinguisher): void {
  mesh.beginObject(part.id);
  const foot = addScaled(addScaled(part.base, part.facing, 0.13), up, 0.12);
  addRevolvedSurface(
    mesh,
    'paint-red',
    foot,
    up,
    [
      [
        [0, 0],
        [0.08, 0],
      ],
      [
        [0.088, 0.01],
        [0.09, 0.05],
        [0.09, 0.42],
        [0.07, 0.5],
        [0.025, 0.53],
      ],
      [
        [0.025, 0.53],
        [0.022, 0.57],
        [0, 0.57],
      ],
    ],
    32,
  );
  addBox(
    mesh,
    'plastic-white',
    addScaled(addScaled(foot, up, 0.28), part.facing, 0.088),
    scale(cross(up, part.facing), 0.045),
    scale(part.facing, 0.003),
    [0, 0, 0.06],
  );
  addBox(
    mesh,
    'black',
    addScaled(addScaled(foot, up, 0.6), part.facing, 0.03),
    scale(part.facing, 0.07),
    scale(cross(up, part.facing), 0.014),
    [0, 0, 0.018],
  );
  const side = cross(up, part.facing);
  const hose = [
    addScaled(foot, up, 0.56),
    addScaled(addScaled(foot, up, 0.52), side, 0.12),
    addScaled(addScaled(foot, up, 0.3), side, 0.125),
    addScaled(addScaled(foot, up, 0.12), side, 0.105),
  ];
  for (let k = 1; k < hose.length; k++) addCylinder(mesh, 'rubber', hose[k - 1]!, hose[k]!, 0.012);
  addBox(
    mesh,
    'galvanised',
    addScaled(addScaled(part.base, part.facing, 0.02), up, 0.45),
    scale(side, 0.05),
    scale(part.facing, 0.015),
    [0, 0, 0.25],
  );
  addBox(
    mesh,
    'galvanised',
    addScaled(addScaled(part.base, part.facing, 0.1), up, 0.11),
    scale(side, 0.08),
    scale(part.facing, 0.1),
    [0, 0, 0.006],
  );
}

export function addLifebuoy(mesh: MeshBuilder, part: Lifebuoy): void {
  mesh.beginObject(part.id);
  const centre = addScaled(part.at, part.facing, 0.12);
  addTorus(mesh, 'paint-orange', centre, part.facing, 0.3, 0.072, 48, 18);
  const side = cross(up, part.facing);
  for (let k = 0; k < 4; k++) {
    const angle = Math.PI / 4 + (k * Math.PI) / 2;
    const outward = add(scale(side, Math.cos(angle)), scale(up, Math.sin(angle)));
    const tangent = cross(part.facing, outward);
    addRevolvedSurface(
      mesh,
      'plastic-white',
      addScaled(addScaled(centre, outward, 0.3), tangent, -0.045),
      tangent,
      [
        [
          [0.075, 0],
          [0.076, 0.045],
          [0.075, 0.09],
        ],
      ],
      18,
    );
    const nextAngle = Math.PI / 4 + ((k + 1) * Math.PI) / 2;
    const outwardNext = add(scale(side, Math.cos(nextAngle)), scale(up, Math.sin(nextAngle)));
    const middle = add(scale(side, Math.cos((angle + nextAngle) / 2)), scale(up, Math.sin((angle + nextAngle) / 2)));
    addCylinder(mesh, 'rubber', addScaled(centre, outward, 0.38), addScaled(centre, middle, 0.42), 0.008);
    addCylinder(mesh, 'rubber', addScaled(centre, middle, 0.42), addScaled(centre, outwardNext, 0.38), 0.008);
  }
  addBox(
    mesh,
    'paint-yellow',
    addScaled(addScaled(part.at, part.facing, 0.02), up, 0.05),
    scale(side, 0.28),
    scale(part.facing, 0.012),
    [0, 0, 0.02],
  );
}

export function addHoseReel(mesh: MeshBuilder, part: HoseReel): void {
  mesh.beginObject(part.id);
  const side = cross(up, part.facing);
  const centre = addScaled(addScaled(part.base, part.facing, 0.2), up, 1.05);
  for (const offset of [-0.36, 0.36])
    addBar(
      mesh,
      'paint-red',
      addScaled(part.base, side, offset),
      addScaled(addScaled(part.base, side, offset), up, 1.2),
      0.06,
      0.06,
    );
  addBar(
    mesh,
    'paint-red',
    addScaled(addScaled(part.base, side, -0.4), up, 1.05),
    addScaled(addScaled(part.base, side, 0.4), up, 1.05),
    0.06,
    0.06,
  );
  for (const offset of [-0.13, 0.13]) {
    addRevolvedSurface(
      mesh,
      'paint-red',
      addScaled(centre, part.facing, offset),
      part.facing,
      [
        [
          [0.08, 0],
          [0.4, 0],
        ],
        [
          [0.4, 0],
          [0.4, 0.012],
        ],
        [
          [0.4, 0.012],
          [0.08, 0.012],
        ],
      ],
      48,
    );
    addTorus(mesh, 'paint-red', addScaled(centre, part.facing, offset), part.facing, 0.4, 0.014, 48, 8);
  }
  for (const [r, count] of [
    [0.2, 5],
    [0.245, 5],
    [0.29, 5],
    [0.335, 4],
  ] as const)
    for (let k = 0; k < count; k++)
      addTorus(
        mesh,
        'rubber',
        addScaled(centre, part.facing, -0.1 + k * 0.045 + (r > 0.3 ? 0.02 : 0)),
        part.facing,
        r,
        0.022,
        40,
        10,
      );
  addCylinder(
    mesh,
    'brass',
    addScaled(addScaled(centre, side, 0.42), up, -0.35),
    addScaled(addScaled(centre, side, 0.42), up, -0.1),
    0.025,
    0.012,
  );
}

export function addCabinet(mesh: MeshBuilder, part: Cabinet): void {
  mesh.beginObject(part.id);
  const side = cross(up, part.facing);
  const [width, depth, height] = part.size;
  const centre = addScaled(part.base, up, height / 2);
  addBox(mesh, part.material, centre, scale(side, width / 2), scale(part.facing, depth / 2), [0, 0, height / 2]);
  addBox(
    mesh,
    part.material,
    addScaled(centre, part.facing, depth / 2 + 0.012),
    scale(side, width / 2 - 0.02),
    scale(part.facing, 0.012),
    [0, 0, height / 2 - 0.03],
  );
  const front = addScaled(centre, part.facing, depth / 2 + 0.03);
  addBar(
    mesh,
    'black',
    addScaled(addScaled(front, side, width * 0.4), up, -0.08),
    addScaled(addScaled(front, side, width * 0.4), up, 0.1),
    0.025,
    0.03,
    part.facing,
  );
  if (height > 1.5) {
    addBoxBetween(
      mesh,
      'steel-structure',
      [part.base[0] - width / 2, part.base[1] - depth / 2, part.base[2] - 0.1],
      [part.base[0] + width / 2, part.base[1] + depth / 2, part.base[2]],
    );
    for (let z = -0.85; z < -0.5; z += 0.05)
      addBox(
        mesh,
        'black',
        addScaled(addScaled(front, up, z), part.facing, -0.004),
        scale(side, width * 0.3),
        scale(part.facing, 0.003),
        [0, 0, 0.012],
      );
    addBox(
      mesh,
      'glass',
      addScaled(addScaled(front, up, 0.45), part.facing, -0.004),
      scale(side, width * 0.2),
      scale(part.facing, 0.004),
      [0, 0, 0.07],
    );
  } else {
    for (const [k, material] of [
      [-1, 'plastic-red'],
      [0, 'paint-green'],
      [1, 'paint-yellow'],
    ] as const)
      addCylinder(
        mesh,
        material,
        addScaled(addScaled(addScaled(front, side, k * 0.1), up, -0.1), part.facing, -0.01),
        addScaled(addScaled(addScaled(front, side, k * 0.1), up, -0.1), part.facing, 0.02),
        0.022,
      );
    addBox(
      mesh,
      'glass',
      addScaled(addScaled(front, up, 0.12), part.facing, -0.004),
      scale(side, width * 0.32),
      scale(part.facing, 0.004),
      [0, 0, 0.09],
    );
  }
}

/** Adds a plate of 4 mm with its text on the front. */
export function addSign(mesh: MeshBuilder, atlas: TextAtlas, part: Sign): void {
  mesh.beginObject(part.id);
  const side = cross(up, part.facing);
  const half = part.height / 2;
  addBox(
    mesh,
    part.style === 'tag' || part.style === 'name' ? 'stainless' : 'galvanised',
    part.at,
    scale(side, part.width / 2),
    scale(part.facing, 0.002),
    [0, 0, half],
  );
  const { u0, v0, u1, v1 } = computeCellUv(atlas.ensureCell(part.style, part.text, part.width, part.height));
  const front = addScaled(part.at, part.facing, 0.003);
  const corner = (x: number, z: number): Point => add(addScaled(front, side, (x * part.width) / 2), [0, 0, z * half]);
  mesh.addQuad('sign', [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], part.facing, [
    [u0, v0],
    [u1, v0],
    [u1, v1],
    [u0, v1],
  ]);
  if (part.style !== 'tag') {
    for (const [x, z] of [
      [-0.93, -0.86],
      [0.93, -0.86],
      [0.93, 0.86],
      [-0.93, 0.86],
    ] as const)
      addCylinder(mesh, 'galvanised', corner(x, z), addScaled(corner(x, z), part.facing, 0.005), 0.008, 0.008, {
        sides: 6,
      });
  }
}
