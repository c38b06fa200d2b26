import { describe, expect, it } from 'vitest';
import type { SurfacePick } from '#plugins/tour';
import { toStoredPoint } from './to-stored-point.ts';

const pick: SurfacePick = { point: [0, 5, 0], normal: undefined, source: 'POINT_CLOUD', sigma: 0.003, edge: false };
/** A camera at the origin that looks north. At 5 m, a pixel covers 10 mm. */
const buildSurface = (isTurnedAway: boolean) => ({
  toPixel: ([x, y, z]: readonly [number, number, number]) =>
    isTurnedAway ? undefined : { x: (x / y) * 500, y: (-z / y) * 500 },
});

describe('toStoredPoint', () => {
  it('[TOUR-24] adds the uncertainty of the click and of the direction of the picture', () => {
    expect(toStoredPoint(pick, buildSurface(false)).sigma).toBeCloseTo(Math.hypot(0.003, 0.015), 4);
    const withDirection = toStoredPoint({ ...pick, directionSigmaPx: 2 }, buildSurface(false));
    expect(withDirection.sigma).toBeCloseTo(Math.hypot(0.003, 0.025), 4);
  });

  it('[TOUR-24] shows no uncertainty if the view has left the point, because the size of a pixel is unknown', () => {
    expect(toStoredPoint({ ...pick, directionSigmaPx: 2 }, buildSurface(true)).sigma).toBeNull();
  });
});
