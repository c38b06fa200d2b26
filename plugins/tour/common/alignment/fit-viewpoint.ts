import { crossProduct, minus, vectorLength, type Point3 } from '#core';
import { computeAngle, computeResiduals, toPictureDirection, type CameraPose, type TiePoint } from './camera-pose.ts';
import { solveHeading, solveOrientation } from './solve-orientation.ts';
import { solveResection } from './solve-resection.ts';

/**
 * The unknowns of a fit. `heading`: a level picture at a known position. `orientation`: also pitch and roll.
 * `pose`: position and heading of a level picture. `freePose`: everything.
 */
export type FitMode = 'heading' | 'orientation' | 'pose' | 'freePose';

export interface ViewpointFit {
  readonly pose: CameraPose;
  /** Residuals of all ties, including rejected ties, degrees. */
  readonly residuals: readonly number[];
  readonly outliers: readonly boolean[];
  /** Largest residual of the ties that are not rejected, degrees. */
  readonly residual: number;
  /** One standard deviation of the position, metres. Undefined if the ties do not determine it, or it was known. */
  readonly positionSigma: number | undefined;
}

/**
 * Why ties determine no pose. `fewTies`: fewer than `minTies`. `sameDirection`: all in one direction or at one
 * position. `collinear`: all on one line. `undetermined`: they contradict each other, or several positions fit.
 */
export const fitProblems = ['fewTies', 'sameDirection', 'collinear', 'undetermined'] as const;
export type FitProblem = (typeof fitProblems)[number];
export type ViewpointFitResult =
  | { readonly fit: ViewpointFit; readonly problem?: undefined }
  | { readonly fit?: undefined; readonly problem: FitProblem };

export const minTies: Readonly<Record<FitMode, number>> = { heading: 1, orientation: 2, pose: 3, freePose: 3 };
/** Ties with a residual above this multiple of the median residual are rejected. */
const rejectedMultiple = 3;
/** Ties below this residual are never rejected, because clicks and as-built deviations explain it. Degrees. */
const minRejectedDegrees = 0.25;
/** Ties that are closer together count as one direction, degrees. */
const minSpreadDegrees = 1;
/** Points whose distance from a line is below this fraction of its length are collinear. */
const minBreadth = 0.02;
const maxRounds = 5;
/** The maximum number of triples that are tried to find ties that agree. */
const maxTriples = 300;

/**
 * Fits the pose of a viewpoint to ties. Ties that contradict most of the others are rejected: the iteration begins with
 * the fit to those three ties for which the median residual of all ties is smallest (least median of squares).
 *
 * @see Rousseeuw, "Least median of squares regression", Journal of the American Statistical Association 79 (1984)
 */
export function fitViewpoint(start: CameraPose, ties: readonly TiePoint[], mode: FitMode): ViewpointFitResult {
  const problem = findProblem(start.position, ties, mode);
  if (problem) return { problem };
  const solutionOfAllTies = solve(start, ties, mode);
  if (
    solutionOfAllTies &&
    computeResiduals(solutionOfAllTies.pose, ties).every((residual) => residual <= minRejectedDegrees)
  )
    return { fit: toFit(solutionOfAllTies, ties, ties) };
  const consensus = findConsensus(start, ties, mode) ?? solutionOfAllTies;
  if (!consensus) return { problem: 'undetermined' };
  let best: Solution = consensus;
  let usedTies = ties;
  for (let round = 0; round < maxRounds; round += 1) {
    const agreeing = listAgreeing(best.pose, ties);
    if (agreeing.length < minTies[mode]) break;
    const next = findProblem(best.pose.position, agreeing, mode) ? undefined : solve(best.pose, agreeing, mode);
    if (!next) break;
    best = next;
    const isStable = agreeing.length === usedTies.length && agreeing.every((tie, index) => tie === usedTies[index]);
    usedTies = agreeing;
    if (isStable) break;
  }
  return { fit: toFit(best, ties, usedTies) };
}

interface Solution {
  readonly pose: CameraPose;
  readonly positionSigma: number | undefined;
}

function solve(start: CameraPose, ties: readonly TiePoint[], mode: FitMode): Solution | undefined {
  const { position } = start;
  const level = { position, heading: solveHeading(position, ties), pitch: 0, roll: 0 };
  if (mode === 'heading') return { pose: level, positionSigma: undefined };
  if (mode === 'pose') return solveResection(level, ties, 'level');
  const turnedPose = { position, ...solveOrientation(position, ties) };
  return mode === 'orientation'
    ? { pose: turnedPose, positionSigma: undefined }
    : solveResection(turnedPose, ties, 'free');
}

/** Finds the solution by three ties that most of the ties agree with. Undefined for three ties or fewer. */
function findConsensus(start: CameraPose, ties: readonly TiePoint[], mode: FitMode): Solution | undefined {
  if (ties.length <= 3) return undefined;
  let best: Solution | undefined;
  let leastMedian = Infinity;
  for (const triple of listTriples(ties)) {
    if (findProblem(start.position, triple, mode)) continue;
    const solution = solve(start, triple, mode);
    const median = solution && computeMedian(computeResiduals(solution.pose, ties));
    if (median !== undefined && median < leastMedian) [best, leastMedian] = [solution, median];
  }
  return best;
}

/** Lists all triples of few ties, or an even selection of the triples of many ties. */
function listTriples(ties: readonly TiePoint[]): readonly (readonly TiePoint[])[] {
  const count = (ties.length * (ties.length - 1) * (ties.length - 2)) / 6;
  const stride = Math.max(1, Math.ceil(count / maxTriples));
  const triples: TiePoint[][] = [];
  let index = 0;
  for (let a = 0; a < ties.length; a += 1)
    for (let b = a + 1; b < ties.length; b += 1)
      for (let c = b + 1; c < ties.length; c += 1) {
        if (index % stride === 0) triples.push([ties[a]!, ties[b]!, ties[c]!]);
        index += 1;
      }
  return triples;
}

function listAgreeing(pose: CameraPose, ties: readonly TiePoint[]): readonly TiePoint[] {
  const residuals = computeResiduals(pose, ties);
  const limit = Math.max(minRejectedDegrees, rejectedMultiple * computeMedian(residuals));
  return ties.filter((_, index) => residuals[index]! <= limit);
}

function toFit(
  { pose, positionSigma }: Solution,
  ties: readonly TiePoint[],
  usedTies: readonly TiePoint[],
): ViewpointFit {
  const residuals = computeResiduals(pose, ties);
  const outliers = ties.map((tie) => !usedTies.includes(tie));
  return {
    pose,
    residuals,
    outliers,
    residual: Math.max(...residuals.filter((_, index) => !outliers[index])),
    positionSigma,
  };
}

function findProblem(position: Point3, ties: readonly TiePoint[], mode: FitMode): FitProblem | undefined {
  if (ties.length < minTies[mode]) return 'fewTies';
  if (mode === 'heading') return ties.some(hasBearing) ? undefined : 'sameDirection';
  if (!isSpread(ties.map(toPictureDirection)) || !isSpread(ties.map(({ point }) => minus(point, position))))
    return 'sameDirection';
  return mode !== 'orientation' && isCollinear(ties.map(({ point }) => point)) ? 'collinear' : undefined;
}

/** A direction straight up or down has no bearing. */
const hasBearing = ({ tilt }: TiePoint): boolean => Math.abs(tilt) <= 90 - minSpreadDegrees;

function isSpread([first, ...otherVectors]: readonly Point3[]): boolean {
  return (
    first !== undefined &&
    otherVectors.some((other) => {
      const angle = computeAngle(first, other);
      return angle >= minSpreadDegrees && angle <= 180 - minSpreadDegrees;
    })
  );
}

function isCollinear(points: readonly Point3[]): boolean {
  const [first, ...otherPoints] = points;
  if (!first) return true;
  const farthest = otherPoints.map((point) => minus(point, first)).sort((a, b) => vectorLength(b) - vectorLength(a))[0];
  const length = farthest ? vectorLength(farthest) : 0;
  if (!farthest || length < 1e-6) return true;
  return otherPoints.every(
    (point) => vectorLength(crossProduct(farthest, minus(point, first))) < minBreadth * length ** 2,
  );
}

/** Returns the upper median, so that more than half of an even number of ties must agree. */
const computeMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
