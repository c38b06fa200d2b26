import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';
import { angleAt } from './geometry/angle.ts';
import type { Diameter } from './geometry/diameter.ts';
import { measureChain, measureLeg } from './geometry/distance.ts';
import { measurePolygon } from './geometry/polygon.ts';
import type { MeasuredPoint } from './geometry/propagation.ts';

/** Number of points that a kind needs. A kind with `most` ends by itself at that number. */
export const pointCounts: Readonly<Record<MeasurementKind, { readonly least: number; readonly most: number }>> = {
  DISTANCE: { least: 2, most: 200 },
  ANGLE: { least: 3, most: 3 },
  CORDINATES: { least: 1, most: 1 },
  DIAMETER: { least: 1, most: 1 },
  HEIGHT: { least: 2, most: 2 },
  AREA: { least: 3, most: 200 },
};

/**
 * Computes the result of the points. Undefined if there are too few points or they are degenerate, such as an area in
 * one line. The second point of an angle is its vertex. A diameter needs its fit.
 */
export function computeResult(
  kind: MeasurementKind,
  points: readonly StoredPoint[],
  diameter?: Diameter,
): MeasurementResult | undefined {
  const measured = points.map(({ point, sigma }): MeasuredPoint => ({ point, sigma: sigma ?? undefined }));
  const [first, second, third] = measured;
  if (!first || points.length < pointCounts[kind].least) return undefined;
  switch (kind) {
    case 'CORDINATES':
      return { value: null, sigma: first.sigma ?? null, details: {} };
    case 'DIAMETER':
      return diameter && ofDiameter(diameter);
    case 'DISTANCE': {
      const chain = measureChain(measured);
      if (!chain) return undefined;
      const { direct, legs, total } = chain;
      return {
        value: total.value,
        sigma: total.sigma ?? null,
        details: {
          legs: legs.length,
          direct: direct.length.value,
          horizontal: direct.horizontal.value,
          vertical: direct.vertical.value,
        },
      };
    }
    case 'HEIGHT': {
      if (!second) return undefined;
      const leg = measureLeg(first, second);
      return {
        value: leg.vertical.value,
        sigma: leg.vertical.sigma ?? null,
        details: { horizontal: leg.horizontal.value },
      };
    }
    case 'ANGLE': {
      const angle = second && third && angleAt(second, first, third);
      return angle && { value: angle.value, sigma: angle.sigma ?? null, details: {} };
    }
    case 'AREA': {
      const polygon = measurePolygon(measured);
      return (
        polygon && {
          value: polygon.area,
          sigma: polygon.sigma ?? null,
          details: { perimeter: polygon.perimeter, offPlane: polygon.offPlane, crossing: polygon.crossing },
        }
      );
    }
  }
}

function ofDiameter({ value, sigma, fit, sides, nominal }: Diameter): MeasurementResult {
  return {
    value,
    sigma,
    details: {
      rms: fit.rms,
      arc: fit.arc,
      count: fit.count,
      length: fit.length,
      ...(sides === undefined ? {} : { sides }),
      ...(nominal ? { nps: nominal.nps, dn: nominal.dn, nominal: nominal.outsideDiameter } : {}),
    },
  };
}
