import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeShortestTurn } from '#core';
import type { PlanPoint } from '../contract/api/tour-content.ts';
import { fromPlan } from '../contract/values/deck-plan.ts';
import { computeScale, findSuspectPoints, fitPlan, placeByScale, type PlanPlacement } from './fit-plan.ts';

const size = { width: 8192, height: 5120 };
const marks = [
  { x: 0.1, y: 0.15 },
  { x: 0.9, y: 0.2 },
  { x: 0.45, y: 0.85 },
];
const oslo = { centre: [598_412.5, 6_650_121.25], scale: 0.0101, heading: 23.4 } as const;

type ToGround = (mark: { readonly x: number; readonly y: number }) => readonly [east: number, north: number];
const placedBy =
  (placement: PlanPlacement): ToGround =>
  (mark) =>
    fromPlan({ ...size, ...placement }, mark);
const buildPoints = (toGround: ToGround, markedPoints = marks): PlanPoint[] =>
  markedPoints.map((mark) => {
    const [east, north] = toGround(mark);
    return { ...mark, east, north };
  });
const fit = (points: readonly PlanPoint[]) => {
  const result = fitPlan(size, points);
  if (!result.fit) throw new Error(`No fit: ${result.problem}`);
  return result.fit;
};

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
const createNoise = (random: () => number, deviation: number) => (): number =>
  deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

describe('fitPlan', () => {
  it('finds a known placement, also in projected coordinates', () => {
    const mark = fc.record({
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      y: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.double({ min: -7e6, max: 7e6, noNaN: true }),
        fc.double({ min: -7e6, max: 7e6, noNaN: true }),
        // Metres per pixel of drawings in millimetres, inches and feet, and of maps.
        fc.constantFrom(0.0003048, 0.001, 0.01, 0.03048, 0.3048, 5),
        fc.double({ min: 0, max: 359.9, noNaN: true }),
        fc.array(mark, { minLength: 2, maxLength: 12 }),
        (east, north, scale, heading, markedPoints) => {
          const spread = Math.max(
            ...markedPoints.map(({ x, y }) => Math.hypot(x - markedPoints[0]!.x, y - markedPoints[0]!.y)),
          );
          fc.pre(spread > 0.05);
          const planFit = fit(buildPoints(placedBy({ centre: [east, north], scale, heading }), markedPoints));
          expect(Math.hypot(planFit.centre[0] - east, planFit.centre[1] - north)).toBeLessThan(1e-6);
          expect(Math.abs(planFit.scale / scale - 1)).toBeLessThan(1e-7);
          expect(Math.abs(computeShortestTurn(heading, planFit.heading))).toBeLessThan(1e-5);
          expect(planFit.rms).toBeLessThan(1e-7);
          expect(planFit.mirrored).toBe(false);
        },
      ),
    );
  });

  it('is accurate to 0.15 m in 95 of 100 plans with three points and 0.05 m noise per axis', () => {
    const random = createRandom(20261126);
    const noise = createNoise(random, 0.05);
    let accurateCount = 0;
    for (let trial = 0; trial < 1000; trial += 1) {
      const truth = placedBy({
        centre: [random() * 1e6, 6e6 + random() * 1e6],
        scale: 0.002 + random() * 0.02,
        heading: random() * 360,
      });
      const planFit = fit(
        buildPoints((mark) => {
          const [east, north] = truth(mark);
          return [east + noise(), north + noise()];
        }),
      );
      const errors = marks.map((mark) => {
        const [[east, north], [trueEast, trueNorth]] = [placedBy(planFit)(mark), truth(mark)];
        return Math.hypot(east - trueEast, north - trueNorth);
      });
      if (Math.max(...errors) <= 0.15) accurateCount += 1;
    }
    expect(accurateCount).toBeGreaterThanOrEqual(950);
  });

  it('finds a minimum of the root mean square error', () => {
    const noise = createNoise(createRandom(7), 0.4);
    const points = buildPoints(placedBy(oslo)).map((point) => ({ ...point, east: point.east + noise() }));
    const planFit = fit(points);
    const computeRms = (placement: PlanPlacement): number =>
      Math.sqrt(
        points.reduce((total, { x, y, east, north }) => {
          const [fitEast, fitNorth] = placedBy(placement)({ x, y });
          return total + (east - fitEast) ** 2 + (north - fitNorth) ** 2;
        }, 0) / points.length,
      );
    expect(computeRms(planFit)).toBeCloseTo(planFit.rms, 6);
    for (const step of [-1, 1]) {
      const { centre, scale, heading } = planFit;
      expect(computeRms({ centre: [centre[0] + step * 0.01, centre[1]], scale, heading })).toBeGreaterThan(planFit.rms);
      expect(computeRms({ centre: [centre[0], centre[1] + step * 0.01], scale, heading })).toBeGreaterThan(planFit.rms);
      expect(computeRms({ centre, scale: scale * (1 + step * 1e-3), heading })).toBeGreaterThan(planFit.rms);
      expect(computeRms({ centre, scale, heading: heading + step * 0.1 })).toBeGreaterThan(planFit.rms);
    }
  });

  it('reports the residual of the point with a wrong coordinate as the largest', () => {
    const markedPoints = [...marks, { x: 0.1, y: 0.9 }, { x: 0.9, y: 0.9 }];
    const points = buildPoints(placedBy(oslo), markedPoints);
    points[3] = { ...points[3]!, north: points[3]!.north + 10 };
    const { residuals, mirrored } = fit(points);
    expect(residuals.indexOf(Math.max(...residuals))).toBe(3);
    expect(Math.max(...residuals)).toBeGreaterThan(5);
    expect(mirrored).toBe(false);
  });

  it('marks the fit of only two points as not redundant', () => {
    const [first, second, third] = buildPoints(placedBy(oslo)) as [PlanPoint, PlanPoint, PlanPoint];
    expect(fit([first, second])).toMatchObject({ redundant: false });
    expect(fit([first, second, first])).toMatchObject({ redundant: false });
    expect(fit([first, second, third])).toMatchObject({ redundant: true });
  });

  it('recognizes a mirrored plan', () => {
    const placeMirrored = (mark: { x: number; y: number }) => placedBy(oslo)({ x: 1 - mark.x, y: mark.y });
    expect(fit(buildPoints(placeMirrored))).toMatchObject({ mirrored: true });
    // The scale of the best fit without mirroring is zero.
    const square = [
      [0, 0],
      [5120 / 8192, 0],
      [5120 / 8192, 1],
      [0, 1],
    ].map(([x, y]) => ({ x: x!, y: y! }));
    expect(fitPlan(size, buildPoints(placeMirrored, square))).toEqual({ problem: 'mirrored' });
    // Collinear points, and two points, do not reveal that a plan is mirrored.
    const line = [0.1, 0.5, 0.8].map((x) => ({ x, y: 0.3 }));
    expect(fit(buildPoints(placeMirrored, line))).toMatchObject({ mirrored: false });
  });

  it('refuses points that determine no placement', () => {
    const [first, second] = buildPoints(placedBy(oslo)) as [PlanPoint, PlanPoint];
    const findProblem = (points: readonly PlanPoint[]) => fitPlan(size, points).problem;
    expect(findProblem([])).toBe('fewPoints');
    expect(findProblem([first])).toBe('fewPoints');
    expect(findProblem([first, first, first])).toBe('samePlace');
    expect(findProblem([first, { ...second, x: first.x + 1e-7, y: first.y }])).toBe('samePlace');
    expect(findProblem([first, { ...second, east: first.east, north: first.north + 1e-7 }])).toBe('sameCoordinates');
    expect(findProblem([{ ...first, east: NaN }, second])).toBe('sameCoordinates');
    expect(findProblem([{ ...first, x: NaN }, second])).toBe('samePlace');
    expect(findProblem([first, { ...second, x: first.x + 0.001, y: first.y, east: 9e7 }])).toBe('scale');
    const { east, north } = first;
    const swappedPoints = [first, second, { ...first, ...second, x: first.x, y: first.y }, { ...second, east, north }];
    expect(findProblem(swappedPoints)).toBe('contradictory');
  });
});

describe('placement by scale and north', () => {
  it('returns the same placement as a fit to points', () => {
    const [first, second] = buildPoints(placedBy(oslo)) as [PlanPoint, PlanPoint];
    const scale = computeScale(size, first, second, Math.hypot(second.east - first.east, second.north - first.north))!;
    const placement = placeByScale(size, first, scale, oslo.heading);
    expect(scale).toBeCloseTo(oslo.scale, 9);
    expect(Math.hypot(placement.centre[0] - oslo.centre[0], placement.centre[1] - oslo.centre[1])).toBeLessThan(1e-6);
  });

  it('returns no scale for equal points and for invalid distances', () => {
    const [a, b] = marks as [(typeof marks)[0], (typeof marks)[0]];
    expect(computeScale(size, a, a, 5)).toBeUndefined();
    for (const metres of [0, -1, NaN, 1e9]) expect(computeScale(size, a, b, metres)).toBeUndefined();
  });
});

describe('findSuspectPoints', () => {
  const five = [...marks, { x: 0.15, y: 0.8 }, { x: 0.85, y: 0.9 }];
  const shift = (points: readonly PlanPoint[], wrong: readonly number[], metres: number): PlanPoint[] =>
    points.map((point, index) => (wrong.includes(index) ? { ...point, east: point.east + metres } : point));

  it('names the point without which all others agree', () => {
    for (const count of [4, 5])
      for (let wrong = 0; wrong < count; wrong += 1)
        for (const metres of [3, 10, 1000]) {
          const noise = createNoise(createRandom(count), 0.02);
          const points = shift(buildPoints(placedBy(oslo), five.slice(0, count)), [wrong], metres);
          const noisy = points.map((point) => ({ ...point, east: point.east + noise(), north: point.north + noise() }));
          expect(findSuspectPoints(size, noisy)[0]).toBe(wrong);
          if (metres > 4) expect(findSuspectPoints(size, noisy)).toEqual([wrong]);
        }
  });

  it('names no point if there are only three, if all agree, or if two are wrong', () => {
    const points = buildPoints(placedBy(oslo), five);
    expect(findSuspectPoints(size, shift(points.slice(0, 3), [1], 20))).toEqual([]);
    expect(findSuspectPoints(size, points)).toEqual([]);
    expect(findSuspectPoints(size, shift(points, [1], 0.2))).toEqual([]);
    expect(findSuspectPoints(size, shift(shift(points, [1], 30), [3], -70))).toEqual([]);
  });
});
