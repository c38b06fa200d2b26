import { nearestPipe, type NominalPipe, type Point3 } from '#core';
import { fitCylinder, type CylinderFit } from './fit-cylinder.ts';

/** Why a diameter is not given. */
export type DiameterRefusal =
  /** No round surface there. */
  | 'flat'
  /** Too few points: too far away, or too little of the pipe is free. */
  | 'sparse'
  /** Points scatter too far around the best cylinder: an elbow, a valve, a flange. */
  | 'rough'
  /** Too little of the circumference is seen to tell the diameter to some millimetres. */
  | 'narrow';

export interface Diameter {
  readonly fit: CylinderFit;
  /** Metres. */
  readonly value: number;
  /** One standard deviation, metres. */
  readonly sigma: number;
  readonly nominal: NominalPipe | undefined;
}

export type DiameterAnswer =
  | { readonly diameter: Diameter; readonly refusal?: never }
  | { readonly refusal: DiameterRefusal; readonly diameter?: never };

/** What a fit must be to be believed. */
const gate = { rms: 0.004, sigmas: 3, arc: 70, count: 80, share: 0.6, diameterSigma: 0.003 } as const;
/**
 * What no fit sees, metres: rounding of the ranges, the shape of a real pipe, a plate or a nozzle's weld on it. The
 * less of the circumference is seen, the more it turns the curve.
 */
const systematic = 0.0001;
const curveOf = (arc: number): number => 2 / (1 - Math.cos(Math.min(Math.PI, (arc * Math.PI) / 360)));
const firstRadius = 0.25;
const radiusLimits = { least: 0.12, most: 1.6 } as const;
const mostFits = 4;
/** One standard deviation that is worth a longer piece of the pipe, metres. */
const unsure = 0.0008;

/**
 * The outside diameter of what was hit: a cylinder through the connected surface around the pick, taken again as far
 * around as the cylinder asks for. `patch` answers points within a radius in metres; `sigma` is the noise of one point
 * where it is known, `eye` the place that all points were scanned from, if it is one.
 */
export async function measureDiameter(
  pick: Point3,
  patch: (radius: number) => Promise<Float64Array>,
  { sigma = 0, eye }: { readonly sigma?: number | undefined; readonly eye?: Point3 | undefined } = {},
): Promise<DiameterAnswer> {
  let radius = firstRadius;
  let best: DiameterAnswer = { refusal: 'flat' };
  const tried = new Set<number>();
  for (let round = 0; round < mostFits; round += 1) {
    tried.add(radius);
    const points = await patch(radius);
    const fit = fitCylinder(points, { pick, eye });
    const answer = judge(fit, points.length / 3, sigma);
    if (answer.diameter ? !best.diameter || answer.diameter.sigma < best.diameter.sigma : !best.diameter) best = answer;
    // A flat patch may be the side of something large; of a pipe as much is taken as it is thick, on either side. A
    // thin one far away, one that is seen narrowly, or one that is still unsure needs a longer piece.
    const wanted =
      answer.refusal === 'sparse' || answer.refusal === 'narrow' || (answer.diameter && answer.diameter.sigma > unsure)
        ? radius * 2
        : fit && fit.arc >= 20
          ? fit.radius * 2 + 0.05
          : radius * 2.5;
    const next = Math.min(radiusLimits.most, Math.max(radiusLimits.least, wanted));
    if ([...tried].some((before) => Math.abs(next / before - 1) < 0.25)) break;
    radius = next;
  }
  return best;
}

/** Whether a fit is believed. */
export function judge(fit: CylinderFit | undefined, points: number, sigma: number): DiameterAnswer {
  if (!fit) return { refusal: points < gate.count ? 'sparse' : 'flat' };
  if (fit.count < gate.count) return { refusal: 'sparse' };
  if (fit.rms >= Math.max(gate.rms, gate.sigmas * sigma) || fit.share < gate.share) return { refusal: 'rough' };
  if (fit.arc < gate.arc || fit.diameterSigma > gate.diameterSigma) return { refusal: 'narrow' };
  const spread = Math.hypot(fit.diameterSigma, systematic * curveOf(fit.arc));
  const value = fit.radius * 2;
  return { diameter: { fit, value, sigma: spread, nominal: nearestPipe(value, spread) } };
}
