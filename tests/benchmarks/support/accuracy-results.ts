import {
  formatCoverage,
  computeCoverage,
  summarizeDistanceFractions,
  summarizeHeightErrors,
  formatErrors,
  summarizePointErrors,
  summarize,
} from '../../measuring/accuracy-summary.ts';
import type { Outcome, ErrorWithUncertainty } from '../../measuring/outcome.ts';
import { targetSurfaces } from '../../measuring/plant-targets.ts';
import type { TessellatedOptions } from '../../measuring/tessellated-shapes.ts';
import { atLeast, atMost, type BenchResult } from '../bench.ts';

const combinedTolerance = '8 mm or 0.15 %, in the model 1 mm';

/** Compares the errors with the limits that they must meet: for each surface, and for all together. Logs the figures. */
export function toAccuracyResults(outcomes: readonly Outcome[], log: (text: string) => void): readonly BenchResult[] {
  for (const { target, value, refusal } of outcomes)
    if (value === undefined)
      log(`    refused in the ${target.surface}: ${target.kind} ${target.line ?? ''} from ${target.node}: ${refusal}`);
  const errorResults = targetSurfaces.flatMap((surface) =>
    toResults(
      `in the ${surface}`,
      outcomes.filter(({ target }) => target.surface === surface),
      surface === 'model' ? '1 mm' : '8 mm or 0.15 %',
      log,
    ),
  );
  const uncertaintyResults = targetSurfaces.flatMap((surface) => {
    const surfaceOutcomes = outcomes.filter(({ target }) => target.surface === surface);
    return [
      toUncertaintyResult(
        `in the ${surface}`,
        surfaceOutcomes.flatMap((outcome) => outcome.valueErrors),
        log,
      ),
      toUncertaintyResult(
        `of single clicks in the ${surface}`,
        surfaceOutcomes.flatMap(({ singlePointErrors }) => singlePointErrors),
        log,
      ),
    ];
  });
  return [...errorResults, ...uncertaintyResults, ...toResults('in all together', outcomes, combinedTolerance, log)];
}

/**
 * Compares the diameters of tessellated pipes with the limits that they must meet. Pipes with corners on the circle
 * must be within 1 % or 2 mm. Of all pipes, 95 % of the errors must be within twice the shown uncertainty.
 */
export function toTessellatedResults(
  pipes: readonly TessellatedOptions[],
  outcomes: readonly Outcome[],
  log: (text: string) => void,
): readonly BenchResult[] {
  for (const { target, refusal } of outcomes)
    if (refusal !== undefined) log(`    refused: ${target.node}, ${target.line}: ${refusal}`);
  const onCircle = outcomes.filter((_, index) => pipes[index]?.corners === 'ON');
  const fractions = onCircle.map(({ value, target: { truth } }) =>
    value === undefined ? 0 : Math.abs(value - truth) / Math.max(0.002, truth * 0.01),
  );
  const { accepted, errors } = summarize(outcomes, 'DIAMETER');
  log(`  on tessellated models: ${outcomes.length} pipes: ${formatErrors(errors, 'mm')}`);
  return [
    atMost(1, {
      name: 'diameter on tessellated models, corners on the circle: worst error relative to the tolerance',
      value: Math.max(...fractions),
      unit: 'x',
      against: `1 % or 2 mm; ${onCircle.length} pipes: ${formatErrors(summarize(onCircle, 'DIAMETER').errors, 'mm')}`,
    }),
    atLeast(95, {
      name: 'diameter on tessellated models: accepted',
      value: accepted * 100,
      unit: '%',
      against: `${outcomes.length} pipes, corners on the circle, outside it, and in between`,
    }),
    atLeast(95, {
      name: 'diameter on tessellated models, corners on the circle: correct nominal size',
      value: summarize(onCircle, 'DIAMETER').rightSize * 100,
      unit: '%',
      against: 'fraction of the accepted pipes without insulation',
    }),
    toUncertaintyResult(
      'on tessellated models',
      outcomes.flatMap(({ valueErrors }) => valueErrors),
      log,
    ),
  ];
}

function toUncertaintyResult(
  scope: string,
  errors: readonly ErrorWithUncertainty[],
  log: (text: string) => void,
): BenchResult {
  const coverage = computeCoverage(errors);
  log(`  shown uncertainty ${scope}: ${formatCoverage(coverage)}`);
  return atLeast(95, {
    name: `shown uncertainty ${scope}: errors within twice its value`,
    value: coverage.withinTwice * 100,
    unit: '%',
    against: formatCoverage(coverage),
  });
}

/** Compares the errors of all surfaces with their limits, for too few targets per surface. Logs each surface's figures. */
export function toCombinedResults(
  outcomes: readonly Outcome[],
  scope: string,
  log: (text: string) => void,
): readonly BenchResult[] {
  for (const surface of targetSurfaces)
    toResults(
      `in the ${surface}`,
      outcomes.filter(({ target }) => target.surface === surface),
      '',
      log,
    );
  return toResults(scope, outcomes, combinedTolerance, log);
}

function toResults(
  scope: string,
  surfaceOutcomes: readonly Outcome[],
  tolerance: string,
  log: (text: string) => void,
): readonly BenchResult[] {
  const [distance, angle, diameter] = [
    summarize(surfaceOutcomes, 'DISTANCE'),
    summarize(surfaceOutcomes, 'ANGLE'),
    summarize(surfaceOutcomes, 'DIAMETER'),
  ];
  const fractions = summarizeDistanceFractions(surfaceOutcomes);
  const distances =
    `${distance.targets} distances: ${formatErrors(distance.errors, 'mm')}; ` +
    `${Math.round(distance.accepted * distance.targets)} measured`;
  const diameters = `${diameter.targets} pipes: ${formatErrors(diameter.errors, 'mm')}`;
  log(
    `  ${scope}: ${distances}; heights: ${formatErrors(summarizeHeightErrors(surfaceOutcomes), 'mm')}; coordinates: ` +
      `${formatErrors(summarizePointErrors(surfaceOutcomes), 'mm')}`,
  );
  log(
    `  ${scope}: ${angle.targets} angles: ${formatErrors(angle.errors, 'degrees')}; ${diameters}, ` +
      `${(diameter.accepted * 100).toFixed(0)} % accepted`,
  );
  return [
    atMost(1, {
      name: `distance ${scope}: 90th percentile of error / tolerance`,
      value: fractions.p90,
      unit: 'x',
      against: `${tolerance}; ${distances}`,
    }),
    atMost(0.3, {
      name: `angle ${scope}: 90th percentile`,
      value: angle.errors.p90,
      unit: 'degrees',
      against: `${angle.targets} angles: ${formatErrors(angle.errors, 'degrees')}`,
    }),
    atMost(2.5, {
      name: `diameter ${scope}: 90th percentile`,
      value: diameter.errors.p90,
      unit: 'mm',
      against: diameters,
    }),
    atMost(10, {
      name: `diameter ${scope}: worst accepted`,
      value: diameter.errors.worst,
      unit: 'mm',
      against: diameters,
    }),
    atLeast(80, {
      name: `diameter ${scope}: accepted`,
      value: diameter.accepted * 100,
      unit: '%',
      against: `${diameter.targets} pipes`,
    }),
    atLeast(95, {
      name: `diameter ${scope}: correct nominal size`,
      value: diameter.rightSize * 100,
      unit: '%',
      against: 'fraction of the accepted pipes without insulation',
    }),
  ];
}
