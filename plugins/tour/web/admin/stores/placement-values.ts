import { mandatory, max, min, normalizePan, number, type BodyOf, type Rule } from '#core';
import {
  computeScale,
  findSuspectPoints,
  fitPlan,
  maxResidualMetres,
  placeByScale,
  type PlanFit,
  type PlanFitProblem,
  type PlanPlacement,
} from '../../../common/fit-plan.ts';
import type { PlacedPlan, placeDeckPlan, PlanPoint } from '../../../contract/api/tour-content.ts';
import type { PlanMark } from './find-mark-step.ts';
import type { SiteLengths } from './site-lengths.ts';

/** The method that places a plan: by points, or by scale and north. */
export type PlacementMethod = 'points' | 'scale';

/** An entered point. A coordinate is undefined if empty, and NaN if invalid. */
export interface EnteredPoint extends PlanMark {
  readonly east: number | undefined;
  readonly north: number | undefined;
}

/**
 * Form values. All except `points` belong to the method `scale`. Lengths are in the unit of the site, or in metres
 * after `toMetreValues`.
 */
export interface PlacementValues {
  readonly points: readonly EnteredPoint[];
  /** At most two marks. The coordinates belong to the first mark. */
  readonly marks: readonly PlanMark[];
  /** Distance between the marks. */
  readonly distance: number | undefined;
  readonly heading: number | undefined;
  readonly east: number | undefined;
  readonly north: number | undefined;
}

export type PlacementProblem = PlanFitProblem | 'fewMarks' | 'distance';

export interface EnteredPlacement {
  /** Undefined while the input determines no placement. */
  readonly placement?: PlanPlacement;
  /** Only with the method `points`. */
  readonly fit?: PlanFit;
  /** Undefined if there is a placement, or if fields are empty. */
  readonly problem?: PlacementProblem;
  /** Metres, by the index of the point. Undefined for points without coordinates. */
  readonly residuals: readonly (number | undefined)[];
}

/** Points that disagree so much that the placement is probably wrong. */
export interface Disagreement {
  /** Index of the point with the largest residual. */
  readonly worstIndex: number;
  /** The largest residual, metres. */
  readonly residual: number;
  /** Indexes of probably wrong points, the most probable one first. Without any one of them, all others agree. */
  readonly suspectIndexes: readonly number[];
}

export const maxPlanPoints = 100;
const maxCoordinate = 1e8;
const coordinateRules: readonly Rule<number | undefined>[] = [
  mandatory,
  number,
  min(-maxCoordinate),
  max(maxCoordinate),
];

/** Form rules by field, in the order on screen. */
export const placementRules = {
  points: { 'points.*.east': coordinateRules, 'points.*.north': coordinateRules },
  scale: {
    distance: [mandatory, number, min(0.001), max(1e6)] as readonly Rule<number | undefined>[],
    heading: [mandatory, number, min(-360), max(360)] as readonly Rule<number | undefined>[],
    east: coordinateRules,
    north: coordinateRules,
  },
};

/** Converts the current placement to form values. */
export function toPlacementValues(plan: PlacedPlan, { toField }: SiteLengths): PlacementValues {
  return convertLengths(readPlacement(plan), { distance: toField, east: toField, north: toField });
}

/** Converts the lengths of form values to metres. Coordinates of the plan that are unchanged stay exactly as they are. */
export function toMetreValues(values: PlacementValues, plan: PlacedPlan, { toMetres }: SiteLengths): PlacementValues {
  const { distance, east, north } = readPlacement(plan);
  return convertLengths(values, {
    distance: (value) => toMetres(value, [distance]),
    east: (value) => toMetres(value, [east, ...plan.points.map((point) => point.east)]),
    north: (value) => toMetres(value, [north, ...plan.points.map((point) => point.north)]),
  });
}

function convertLengths(
  values: PlacementValues,
  convert: Readonly<Record<'distance' | 'east' | 'north', (value: number) => number>>,
): PlacementValues {
  const apply = (key: keyof typeof convert, value: number | undefined): number | undefined =>
    value === undefined ? undefined : convert[key](value);
  return {
    ...values,
    points: values.points.map(({ x, y, east, north }) => ({
      x,
      y,
      east: apply('east', east),
      north: apply('north', north),
    })),
    distance: apply('distance', values.distance),
    east: apply('east', values.east),
    north: apply('north', values.north),
  };
}

/** Form values of the current placement, in metres. */
function readPlacement({ points, placement, width }: PlacedPlan): PlacementValues {
  return {
    points,
    marks: placement
      ? [
          { x: 0.5, y: 0.5 },
          { x: 1, y: 0.5 },
        ]
      : [],
    distance: placement ? Number(((placement.scale * width) / 2).toPrecision(10)) : undefined,
    heading: placement ? Number(normalizePan(placement.heading).toFixed(6)) : undefined,
    east: placement ? Number(placement.centre[0].toFixed(4)) : undefined,
    north: placement ? Number(placement.centre[1].toFixed(4)) : undefined,
  };
}

/** Computes the placement of form values in metres. */
export function computePlacement(
  method: PlacementMethod,
  plan: Pick<PlacedPlan, 'width' | 'height'>,
  values: PlacementValues,
): EnteredPlacement {
  return method === 'points' ? computeByPoints(plan, values.points) : computeByScale(plan, values);
}

function computeByPoints(
  plan: Pick<PlacedPlan, 'width' | 'height'>,
  points: readonly EnteredPoint[],
): EnteredPlacement {
  const { fit, problem } = fitPlan(plan, points.filter(isComplete));
  if (!fit) return { problem, residuals: points.map(() => undefined) };
  const remainingResiduals = [...fit.residuals];
  return {
    placement: fit,
    fit,
    residuals: points.map((point) => (isComplete(point) ? remainingResiduals.shift() : undefined)),
  };
}

function computeByScale(
  plan: Pick<PlacedPlan, 'width' | 'height'>,
  { marks: [first, second], distance, heading, east, north }: PlacementValues,
): EnteredPlacement {
  const residuals: readonly undefined[] = [];
  if (!first || !second) return { problem: 'fewMarks', residuals };
  if (!isNumber(distance) || !isNumber(heading)) return { residuals };
  const scale = computeScale(plan, first, second, distance);
  if (scale === undefined) return { problem: 'distance', residuals };
  const point = { ...first, east, north };
  return isComplete(point) ? { placement: placeByScale(plan, point, scale, heading), residuals } : { residuals };
}

/** Describes the disagreement of points (metres). Undefined if no residual exceeds `maxResidualMetres`. */
export function findDisagreement(
  plan: Pick<PlacedPlan, 'width' | 'height'>,
  points: readonly EnteredPoint[],
  { fit, residuals }: EnteredPlacement,
): Disagreement | undefined {
  const residual = fit?.redundant === true ? Math.max(...fit.residuals) : 0;
  if (residual <= maxResidualMetres) return undefined;
  const completeIndexes = points.flatMap((point, index) => (isComplete(point) ? [index] : []));
  const suspects = findSuspectPoints(plan, points.filter(isComplete));
  return {
    worstIndex: residuals.indexOf(residual),
    residual,
    suspectIndexes: suspects.map((index) => completeIndexes[index]!),
  };
}

/** Converts form values in metres to the body of the request that saves a placement. */
export function toPlacementBody(
  { points }: PlacementValues,
  { fit, placement }: EnteredPlacement,
  version: number,
): BodyOf<typeof placeDeckPlan> | undefined {
  if (fit)
    return { version, points: points.filter(isComplete).map(({ x, y, east, north }) => ({ x, y, east, north })) };
  return placement && { version, ...placement };
}

const isNumber = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);
const isComplete = (point: EnteredPoint): point is PlanPoint => isNumber(point.east) && isNumber(point.north);
