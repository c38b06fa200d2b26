import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';
import { angleAt } from './geometry/angle.ts';
import type { Diameter } from './geometry/diameter.ts';
import { measureChain, measureLeg } from './geometry/distance.ts';
import { measurePolygon } from './geometry/polygon.ts';
import type { MeasuredPoint } from './geometry/propagation.ts';

/** The number of points of each kind. A measurement is finished automatically at `max` points. */
export const pointCounts: Readonly<Record<MeasurementKind, { readonly min: number; readonly max: number }>> = {
  DISTANCE: { min: 2, max: 200 },
  ANGLE: { min: 3, max: 3 },
  CORDINATES: { min: 1, max: 1 },
  DIAMETER: { min: 1, max: 1 },
  HEIGHT: { min: 2, max: 2 },
  AREA: { min: 3, max: 200 },
};

/**
 * Computes the result of the points. Undefined if there are too few points or they are degenerate, such as an area in
 * one line. The second point of an angle is its vertex. The kind `DIAMETER` needs the argument `diameter`.
 */
export function computeResult(
  kind: MeasurementKind,
  points: readonly StoredPoint[],
  diameter?: Diameter,
): MeasurementResult | undefined {
  const measuredPoints = points.map(({ point, sigma }): MeasuredPoint => ({ point, sigma: sigma ?? undefined }));
  const [first, second, third] = measuredPoints;
  if (!first || points.length < pointCounts[kind].min) return undefined;
  switch (kind) {
    case 'CORDINATES':
      return { value: null, sigma: first.sigma ?? null, details: {} };
    case 'DIAMETER':
      return diameter && toDiameterResult(diameter);
    case 'DISTANCE': {
      const chain = measureChain(measuredPoints);
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
      const polygon = measurePolygon(measuredPoints);
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

function toDiameterResult({ value, sigma, fit, sides, nominal }: Diameter): MeasurementResult {
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
