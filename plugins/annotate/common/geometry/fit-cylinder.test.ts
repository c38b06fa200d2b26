import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { perpendicularAxes, dotProduct, plus, times, unitVector, type Point3 } from '#core';
import { assessFit, measureDiameter } from './diameter.ts';
import { fitCylinder } from './fit-cylinder.ts';
import { createRandom } from './random.ts';
import { createGaussianNoise } from '../../testing/common/gaussian.ts';

interface Pipe {
  readonly axis: Point3;
  readonly centre: Point3;
  readonly radius: number;
  /** Degrees of the circumference. */
  readonly arc: number;
  readonly length: number;
  readonly count: number;
  readonly sigma: number;
}
const usual: Pipe = {
  axis: [0, 0, 1],
  centre: [0, 0, 0],
  radius: 0.08415,
  arc: 150,
  length: 0.3,
  count: 900,
  sigma: 0.002,
};

/** Builds points on a pipe. The points face south if the axis is upright. */
function buildPipe({ axis, centre, radius, arc, length, count, sigma }: Pipe, seed = 1): Float64Array {
  const random = createRandom(seed);
  const noise = createGaussianNoise(random);
  const [u, v] = perpendicularAxes(axis);
  const points: number[] = [];
  for (let k = 0; k < count; k += 1) {
    const angle = (random() - 0.5) * ((arc * Math.PI) / 180);
    const distance = radius + noise() * sigma;
    points.push(
      ...plus(
        centre,
        plus(
          plus(times(u, Math.cos(angle) * distance), times(v, Math.sin(angle) * distance)),
          times(axis, (random() - 0.5) * length),
        ),
      ),
    );
  }
  return Float64Array.from(points);
}

const concatenate = (...lists: readonly Float64Array[]): Float64Array =>
  Float64Array.from(lists.flatMap((list) => [...list]));

/** Random points in a box around the origin. */
function buildLoosePoints(count: number, size: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: count * 3 }, () => (random() - 0.5) * size);
}

const computeQuantile = (values: readonly number[], fraction: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(fraction * values.length)]!;

describe('fitCylinder', () => {
  it('[TOUR-08] is exact without noise at any position, direction and size', () => {
    fc.assert(
      fc.property(
        fc.tuple(
          fc.integer({ min: -1000, max: 1000 }),
          fc.integer({ min: -1000, max: 1000 }),
          fc.integer({ min: -50, max: 50 }),
        ),
        fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 })),
        fc.integer({ min: 15, max: 600 }),
        fc.integer({ min: 75, max: 360 }),
        (centre, direction, millimetres, arc) => {
          const radius = millimetres / 1000;
          const axis = unitVector(direction);
          const fit = fitCylinder(
            buildPipe({ ...usual, centre, axis, radius, arc, length: Math.max(0.2, radius), sigma: 0 }),
          )!;
          expect(Math.abs(fit.radius - radius)).toBeLessThan(2e-5);
          expect(Math.abs(dotProduct(fit.axis, axis))).toBeGreaterThan(0.99999);
          expect(fit.arc).toBeGreaterThan(arc - 15);
          expect(fit.arc).toBeLessThanOrEqual(Math.min(360, arc + 10));
        },
      ),
      { numRuns: 40, seed: 8 },
    );
  });

  it.each([
    [0.002, 0.5, 1.5],
    [0.003, 0.75, 2.5],
  ])('[TOUR-08] is accurate despite noise of %d m and 10 %% loose points', (sigma, median, p90) => {
    const errors: number[] = [];
    let acceptedCount = 0;
    const errorsInSigmas: number[] = [];
    for (let k = 0; k < 40; k += 1) {
      const radius = [0.0302, 0.05715, 0.08415, 0.1619, 0.305][k % 5]!;
      const points = concatenate(
        buildPipe(
          {
            ...usual,
            axis: unitVector([1, k / 20, 0.3]),
            radius,
            arc: 110 + (k % 4) * 20,
            length: Math.max(0.25, radius * 3),
            sigma,
          },
          k + 1,
        ),
        buildLoosePoints(90, 0.3 + 2 * radius, k + 100),
      );
      const { diameter } = assessFit(fitCylinder(points), points.length / 3, sigma);
      if (!diameter) continue;
      acceptedCount += 1;
      errors.push(Math.abs(diameter.value - 2 * radius) * 1000);
      errorsInSigmas.push(Math.abs(diameter.value - 2 * radius) / diameter.sigma);
    }
    expect(acceptedCount).toBeGreaterThanOrEqual(36);
    expect(computeQuantile(errors, 0.5)).toBeLessThan(median);
    expect(computeQuantile(errors, 0.9)).toBeLessThan(p90);
    // The uncertainty covers about two thirds of the errors.
    expect(computeQuantile(errorsInSigmas, 0.67)).toBeLessThan(1.6);
    expect(computeQuantile(errorsInSigmas, 0.95)).toBeGreaterThan(0.8);
  });

  it('[TOUR-08] finds the clicked pipe in front of a wall and next to another pipe', () => {
    const wall = buildPipe({ ...usual, radius: 60, arc: 0.6, length: 0.4, centre: [0, 60.15, 0], count: 500 }, 3);
    const neighbour = buildPipe({ ...usual, radius: 0.03, centre: [0.16, 0, 0], count: 250 }, 4);
    const fit = fitCylinder(concatenate(buildPipe(usual), wall, neighbour), { pick: [0, -usual.radius, 0] })!;
    expect(Math.abs(fit.radius - usual.radius)).toBeLessThan(0.002);
  });

  it('[TOUR-08] refuses a wall, an elbow, a sliver and too few points with the reason', () => {
    const findProblem = (points: Float64Array) => assessFit(fitCylinder(points), points.length / 3, 0.002).problem;
    const random = createRandom(5);
    const noise = createGaussianNoise(random);
    const wall = Float64Array.from(
      Array.from({ length: 900 }, () => [random() - 0.5, random() - 0.5, noise() * 0.002]).flat(),
    );
    expect(['flat', 'narrow']).toContain(findProblem(wall));
    expect(findProblem(buildPipe({ ...usual, arc: 40 }))).toBe('narrow');
    expect(findProblem(buildPipe({ ...usual, count: 40 }))).toBe('sparse');
    const elbow = Float64Array.from(
      Array.from({ length: 900 }, () => {
        const [bend, angle] = [random() * Math.PI * 0.5, random() * 2 * Math.PI];
        const distance = 0.17 + 0.084 * Math.cos(angle) + noise() * 0.002;
        return [distance * Math.cos(bend), distance * Math.sin(bend), 0.084 * Math.sin(angle)];
      }).flat(),
    );
    expect(findProblem(elbow)).toBe('rough');
  });

  it('[TOUR-08] uses a larger patch for a large pipe and finds its nominal size', async () => {
    const allPoints = buildPipe({ ...usual, radius: 0.305, length: 3, count: 6000, arc: 170 });
    const radii: number[] = [];
    const pick: Point3 = [0, -0.305, 0];
    const { diameter } = await measureDiameter(pick, (radius) => {
      radii.push(radius);
      const nearPoints: number[] = [];
      for (let i = 0; i < allPoints.length; i += 3) {
        if (Math.hypot(allPoints[i]! - pick[0], allPoints[i + 1]! - pick[1], allPoints[i + 2]! - pick[2]) < radius)
          nearPoints.push(allPoints[i]!, allPoints[i + 1]!, allPoints[i + 2]!);
      }
      return Promise.resolve(Float64Array.from(nearPoints));
    });
    expect(diameter?.nominal?.nps).toBe('24');
    expect(radii.at(-1)).toBeGreaterThan(0.5);
  });
});
