import { describe, expect, it } from 'vitest';
import type { Point3 } from '#core';
import { isBoxVisible, createCloudCamera, distanceToBox, project, type CloudCamera } from './cloud-camera.ts';
import { chooseNodes } from './choose-nodes.ts';
import type { CloudNode } from './cloud-node.ts';
import { findConnectedPoints } from './find-connected-points.ts';
import { pickPoint, findPointsAround } from './pick-point.ts';

/** Builds a node with points as floats, like a COPC node. */
function buildNode(points: readonly Point3[], overrides: Partial<CloudNode> = {}): CloudNode {
  const numbers = Float32Array.from(points.flat());
  const computeMinimum = (axis: number): number =>
    points.reduce((minimum, point) => Math.min(minimum, point[axis]!), Infinity);
  const computeMaximum = (axis: number): number =>
    points.reduce((maximum, point) => Math.max(maximum, point[axis]!), -Infinity);
  const minimum: Point3 = [computeMinimum(0), computeMinimum(1), computeMinimum(2)];
  const maximum: Point3 = [computeMaximum(0), computeMaximum(1), computeMaximum(2)];
  return {
    key: 'n',
    box: { minimum, maximum },
    cube: { minimum, edge: Math.max(...maximum.map((each, axis) => each - minimum[axis]!)) },
    count: points.length,
    spacing: 0.01,
    source: { kind: 'TILE', url: '/n' },
    children: [],
    tile: {
      count: points.length,
      origin: [0, 0, 0],
      scale: 1,
      blocks: [{ bytes: new Uint8Array(numbers.buffer), stride: 12 }],
      position: { block: 0, offset: 0, type: 'FLOAT32' },
      color: undefined,
      intensity: undefined,
    },
    requestedAt: 0,
    ...overrides,
  };
}

/** Builds the points of a wall north of the origin that faces south. */
function buildWall(distance: number, spacing: number, half: number, slope = 0): Point3[] {
  const out: Point3[] = [];
  for (let x = -half; x <= half; x += spacing)
    for (let z = -half; z <= half; z += spacing)
      out.push([x + spacing * 0.37, distance + slope * (x + spacing * 0.37), z + spacing * 0.21]);
  return out;
}

/** Creates generators of reproducible random numbers, which are uniform in [0, 1) or normally distributed. */
function createNoise(seed: number) {
  let state = seed;
  const uniform = (): number => ((state = (state * 48_271) % 2_147_483_647) - 1) / 2_147_483_646;
  return { uniform, normal: (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()) };
}

const camera: CloudCamera = createCloudCamera({ position: [0, 0, 0], pan: 0, tilt: 0, fov: 60 }, 1280, 720);

describe('project', () => {
  it('projects nothing behind the eye, nor onto an image without a size', () => {
    const view = { position: [0, 0, 0], pan: 0, tilt: 0, fov: 60 } as const;
    expect(project(camera, [0, 4, 0])).toEqual({ x: 640, y: 360, depth: 4 });
    expect(project(camera, [0, -4, 0])).toBeUndefined();
    expect(project(createCloudCamera(view, 0, 0), [0, 4, 0])).toBeUndefined();
  });
});

describe('pickPoint', () => {
  it('returns the front surface even if a denser one is behind it', () => {
    const pick = pickPoint([buildNode([...buildWall(4, 0.01, 1), ...buildWall(8, 0.01, 2)])], camera, 640, 360);
    expect(pick?.depth).toBeCloseTo(4, 5);
  });

  it('returns the point nearest to the pixel', () => {
    const { x, y } = project(camera, [0.2, 4, 0.1])!;
    const pick = pickPoint([buildNode([...buildWall(4, 0.01, 1)])], camera, x, y)!;
    expect(Math.hypot(pick.point[0] - 0.2, pick.point[2] - 0.1)).toBeLessThan(0.0071);
    expect(pick.edge).toBe(false);
  });

  it('interpolates between the points of a surface with a wide spacing on screen', () => {
    const pick = pickPoint(
      [buildNode([...buildWall(1, 0.03, 0.5, 0.5), ...buildWall(6, 0.005, 0.5)])],
      camera,
      640,
      360,
    )!;
    expect(pick.point[0]).toBeCloseTo(0, 6);
    expect(pick.point[1]).toBeCloseTo(1, 4);
  });

  it('ignores a stray point unless there are no other points', () => {
    expect(pickPoint([buildNode([[0, 2, 0], ...buildWall(4, 0.01, 1)])], camera, 640, 360)?.depth).toBeCloseTo(4, 5);
    expect(pickPoint([buildNode([[0, 2, 0]])], camera, 640, 360)?.depth).toBeCloseTo(2, 5);
  });

  it('detects an edge and returns the surface behind an opening', () => {
    const edge = pickPoint(
      [buildNode([...buildWall(4, 0.01, 1).filter(([x]) => x < 0), ...buildWall(8, 0.01, 2)])],
      camera,
      639,
      360,
    )!;
    expect([edge.depth.toFixed(3), edge.edge]).toEqual(['4.000', true]);
    const open = pickPoint(
      [buildNode([...buildWall(4, 0.01, 1).filter(([x, , z]) => Math.hypot(x, z) > 0.15), ...buildWall(8, 0.01, 2)])],
      camera,
      640,
      360,
    )!;
    expect(open.depth).toBeCloseTo(8, 5);
  });

  it('[TOUR-08] returns the surface behind a hole that is wider than the spacing of the first surface', () => {
    const pointsBehind = buildWall(4.1, 0.03, 0.6);
    const depthThrough = (radius: number) =>
      pickPoint(
        [buildNode([...buildWall(4, 0.03, 0.6).filter(([x, , z]) => Math.hypot(x, z) > radius), ...pointsBehind])],
        camera,
        640,
        360,
      )?.depth;
    expect(depthThrough(0.05)).toBeCloseTo(4, 5);
    expect(depthThrough(0.07)).toBeCloseTo(4.1, 5);
  });

  it('[TOUR-24] has no uncertainty if the ray may hit a thin object between two of its points', () => {
    const wall = buildWall(8, 0.02, 1);
    // A handrail that is scanned with a spacing of 24 mm, once next to the ray and once far from it.
    const buildRail = (offset: number): Point3[] =>
      Array.from({ length: 12 }, (_, k): Point3 => [(k - 5.5) * 0.024, 2.3 + (k % 2) * 0.01, offset]);
    const pickWith = (offset: number) => pickPoint([buildNode([...wall, ...buildRail(offset)])], camera, 640, 360);
    expect([pickWith(0.025)?.depth.toFixed(2), pickWith(0.025)?.sigma]).toEqual(['8.00', undefined]);
    expect(pickWith(0.09)?.sigma).toBeLessThan(0.01);
  });

  it('[TOUR-08] returns the surface of a pipe and the visible face of a convex edge', () => {
    const nextNoise = createNoise(3);
    const errors = Array.from({ length: 9 }, (_, trial) => {
      const pipe = Array.from({ length: 200 }, (): Point3 => {
        const [angle, along] = [(nextNoise.uniform() - 0.5) * Math.PI, (nextNoise.uniform() - 0.5) * 0.8];
        const radius = 0.05 + 0.003 * nextNoise.normal();
        return [Math.sin(angle) * radius, 4 + trial / 10 - Math.cos(angle) * radius, along];
      });
      return pickPoint([buildNode(pipe)], camera, 640, 360)!.depth - (3.95 + trial / 10);
    });
    expect(Math.abs(errors.toSorted((a, b) => a - b)[4]!)).toBeLessThan(0.0015);
    // Two walls meet at a right angle in front of the eye. Each is at 45 degrees to the line of sight.
    const corner = Array.from({ length: 1200 }, (): Point3 => {
      const [x, z] = [nextNoise.uniform() - 0.5, nextNoise.uniform() - 0.5];
      return [x, 3 + Math.abs(x) + 0.003 * nextNoise.normal(), z];
    });
    for (const x of [-0.03, -0.01, 0.01, 0.03]) {
      const pixel = project(camera, [x, 3 + Math.abs(x), 0])!;
      expect(
        Math.abs(pickPoint([buildNode(corner)], camera, pixel.x, pixel.y)!.point[1] - 3 - Math.abs(x)),
        `${x} m from the edge`,
      ).toBeLessThan(0.008);
    }
  });

  it('[TOUR-08] returns the visible face next to a convex edge with few points', () => {
    const nextNoise = createNoise(7);
    // One face is nearly perpendicular to the line of sight and the other is steep, with 600 points per square metre.
    const computeY = (x: number): number => 3 + (x < 0 ? -x * 0.5 : x * 2);
    const errors: number[] = [];
    for (let trial = 0; trial < 60; trial++) {
      const corner = [
        buildNode(
          Array.from({ length: 600 }, (): Point3 => {
            const [x, z] = [nextNoise.uniform() - 0.5, nextNoise.uniform() - 0.5];
            return [x, computeY(x) + 0.003 * nextNoise.normal(), z];
          }),
        ),
      ];
      for (const x of [-0.04, -0.02, -0.008, 0.003, 0.008, 0.02, 0.04]) {
        const pixel = project(camera, [x, computeY(x), 0])!;
        errors.push(Math.abs((pickPoint(corner, camera, pixel.x, pixel.y)?.depth ?? Infinity) - computeY(x)));
      }
    }
    errors.sort((a, b) => a - b);
    expect(errors[errors.length >> 1]).toBeLessThan(0.003);
    // Without the rule for convex edges the error is 20 mm.
    expect(errors[Math.floor(errors.length * 0.9)]).toBeLessThan(0.014);
  });

  it('[TOUR-08] returns the surface behind an edge only after the pointer has passed the edge', () => {
    const nextNoise = createNoise(5);
    const buildSheet = (distance: number, from: number, to: number, count: number): Point3[] =>
      Array.from({ length: count }, () => [
        from + (to - from) * nextNoise.uniform(),
        distance + 0.003 * nextNoise.normal(),
        nextNoise.uniform() - 0.5,
      ]);
    const scene = [buildNode([...buildSheet(3, -0.5, 0, 900), ...buildSheet(3.6, -0.1, 0.6, 1300)])];
    const pickDepth = (x: number): number => pickPoint(scene, camera, project(camera, [x, 3, 0])!.x, 360)!.depth;
    expect([-0.03, -0.01].map(pickDepth).every((depth) => Math.abs(depth - 3) < 0.01)).toBe(true);
    expect([0.03, 0.05].map(pickDepth).every((depth) => Math.abs(depth - 3.6) < 0.01)).toBe(true);
  });

  describe('uncertainty', () => {
    /** Builds a wall of random points with scanner noise and a mean spacing of 3.3 cm. */
    const buildRandomWall = (next: ReturnType<typeof createNoise>, distance: number): Point3[] =>
      Array.from({ length: 1000 }, () => [
        next.uniform() - 0.5,
        distance + 0.003 * next.normal(),
        next.uniform() - 0.5,
      ]);
    const computeSigmas = (
      build: (next: ReturnType<typeof createNoise>) => readonly Point3[],
    ): readonly (number | undefined)[] => {
      const nextNoise = createNoise(11);
      return Array.from({ length: 25 }, () => pickPoint([buildNode(build(nextNoise))], camera, 640, 360)?.sigma);
    };
    const computeMedian = (values: readonly (number | undefined)[]): number =>
      values.map((value) => value ?? Infinity).toSorted((a, b) => a - b)[values.length >> 1]!;

    it('[TOUR-24] is defined even if most points under the pointer belong to a surface behind the picked one', () => {
      const pointsBehind = buildWall(8, 0.01, 0.3);
      const sigmas = computeSigmas((next) => [...buildRandomWall(next, 4), ...pointsBehind]);
      expect(sigmas.filter((sigma) => sigma !== undefined).length).toBeGreaterThanOrEqual(22);
      expect(computeMedian(sigmas)).toBeLessThan(0.004);
    });

    it('[TOUR-24] is undefined with a cluster of stray points in front of a surface but not with single ones', () => {
      const withStrays = (depths: readonly number[]) =>
        computeSigmas((next) => [
          ...buildRandomWall(next, 4),
          ...depths.map((y, k): Point3 => [0.004 * k - 0.01, y, 0.005]),
        ]);
      const strays = withStrays([2.9, 3.1, 3.3, 3.5, 3.7]);
      expect(strays.filter((sigma) => sigma !== undefined).length).toBeGreaterThanOrEqual(20);
      const cluster = withStrays([3.49, 3.5, 3.495, 3.505, 3.5]);
      expect(cluster.filter((sigma) => sigma !== undefined).length).toBeLessThanOrEqual(2);
    });

    it('[TOUR-24] is larger if the points next to the line of sight are not on the surrounding surface', () => {
      const removeCentre = (points: readonly Point3[]): Point3[] =>
        points.filter(([x, , z]) => Math.hypot(x, z) > 0.02);
      const plainSigma = computeMedian(computeSigmas((next) => buildRandomWall(next, 4)));
      const missedSigma = computeMedian(
        computeSigmas((next) => [
          ...removeCentre(buildRandomWall(next, 4)),
          [0.01, 3.98, 0],
          [-0.01, 3.98, 0.005],
          [0, 3.98, -0.01],
        ]),
      );
      expect(plainSigma).toBeLessThan(0.0035);
      expect(missedSigma).toBeGreaterThan(0.005);
    });
  });

  it('finds nothing outside of the cloud, behind the eye and outside of the clipping box', () => {
    const node = buildNode(buildWall(4, 0.01, 0.5));
    expect(pickPoint([node], camera, 10, 10)).toBeUndefined();
    expect(
      pickPoint([node], createCloudCamera({ position: [0, 0, 0], pan: 180, tilt: 0, fov: 60 }, 1280, 720), 640, 360),
    ).toBeUndefined();
    expect(pickPoint([node], camera, 640, 360, { centre: [0, 8, 0], half: [1, 1, 1], pan: 0 })).toBeUndefined();
    expect(pickPoint([node], camera, 640, 360, { centre: [0, 4, 0], half: [1, 1, 1], pan: 45 })?.depth).toBeCloseTo(4);
  });
});

it('finds only the points that are connected to the picked surface', () => {
  const all = findPointsAround([buildNode([...buildWall(4, 0.02, 1), ...buildWall(4.2, 0.02, 1)])], [0, 4, 0], 0.3);
  const nearPoints = findConnectedPoints(all, [0, 4, 0], 0.3);
  expect(nearPoints.length).toBeGreaterThan(600);
  expect(nearPoints.length).toBeLessThan(all.length);
  for (let k = 1; k < nearPoints.length; k += 3) expect(nearPoints[k]).toBeCloseTo(4, 5);
});

describe('chooseNodes', () => {
  /** Builds a square floor of 16 m around the eye, with four children per node. */
  function buildFloor(level: number, x: number, y: number, edge: number): CloudNode {
    const children =
      level === 4
        ? []
        : [0, 1, 2, 3].map((k) => buildFloor(level + 1, x + (k & 1) * (edge / 2), y + (k >> 1) * (edge / 2), edge / 2));
    return {
      key: `${level}/${x}/${y}`,
      box: { minimum: [x, y, -2], maximum: [x + edge, y + edge, -1.9] },
      cube: { minimum: [x, y, -2], edge },
      count: 1000,
      spacing: edge / 32,
      source: { kind: 'TILE', url: '' },
      children,
      tile: undefined,
      requestedAt: 0,
    };
  }
  const root = buildFloor(0, -8, -8, 16);

  it('chooses coarse nodes first and stays within the budget', () => {
    const { nodes, points } = chooseNodes(root, camera, 20_000);
    expect(points).toBeLessThanOrEqual(20_000);
    expect(points).toBeGreaterThan(15_000);
    expect(nodes[0]).toBe(root);
    for (const node of nodes)
      for (const child of node.children)
        if (nodes.includes(child)) expect(nodes.indexOf(child)).toBeGreaterThan(nodes.indexOf(node));
  });

  it('skips nodes out of sight and refines near ones first', () => {
    const { nodes } = chooseNodes(root, camera, 20_000);
    for (const { box } of nodes) expect(isBoxVisible(camera, box)).toBe(true);
    const finestNodes = nodes.filter(({ key }) => key.startsWith('4/'));
    const distances = finestNodes.map(({ box }) => distanceToBox(camera.position, box));
    expect(Math.max(0, ...distances)).toBeLessThan(8);
  });
});
