import {
  formatCoverage,
  computeCoverage,
  distanceShares,
  heightErrors,
  formatErrors,
  pointErrors,
  summarize,
} from '../../measuring/accuracy-summary.ts';
import type { Outcome, ShownError } from '../../measuring/outcome.ts';
import type { TargetSurface } from '../../measuring/plant-targets.ts';
import type { TessellatedOptions } from '../../measuring/tessellated-shapes.ts';
import { atLeast, atMost, type BenchResult } from '../bench.ts';

const surfaces: readonly TargetSurface[] = ['bubble', 'cloud', 'model'];
const allAllowed = '8 mm or 0.15 %, in the model 1 mm';

/**
 * Compares the errors in panorama, cloud and model, separately and together, with their bars. Also logs the figures.
 */
export function accuracyResults(outcomes: readonly Outcome[], say: (text: string) => void): readonly BenchResult[] {
  for (const { target, value, refusal } of outcomes)
    if (value === undefined)
      say(`    refused in the ${target.surface}: ${target.kind} ${target.line ?? ''} from ${target.node}: ${refusal}`);
  const each = surfaces.flatMap((surface) =>
    toResults(
      `in the ${surface}`,
      outcomes.filter(({ target }) => target.surface === surface),
      surface === 'model' ? '1 mm' : '8 mm or 0.15 %',
      say,
    ),
  );
  const shown = surfaces.flatMap((surface) => {
    const own = outcomes.filter(({ target }) => target.surface === surface);
    return [
      shownResult(
        `in the ${surface}`,
        own.flatMap((outcome) => outcome.shown),
        say,
      ),
      shownResult(
        `of single clicks in the ${surface}`,
        own.flatMap(({ shownPoints }) => shownPoints),
        say,
      ),
    ];
  });
  return [...each, ...shown, ...toResults('in all together', outcomes, allAllowed, say)];
}

/**
 * Diameters of tessellated pipes. With corners on the circle, each is within 1 % or 2 mm; in all other forms, within
 * the shown uncertainty.
 */
export function tessellatedResults(
  pipes: readonly TessellatedOptions[],
  outcomes: readonly Outcome[],
  say: (text: string) => void,
): readonly BenchResult[] {
  for (const { target, refusal } of outcomes)
    if (refusal !== undefined) say(`    refused: ${target.node}, ${target.line}: ${refusal}`);
  const usual = outcomes.filter((_, at) => pipes[at]?.corners === 'ON');
  const shares = usual.map(({ value, target: { truth } }) =>
    value === undefined ? 0 : Math.abs(value - truth) / Math.max(0.002, truth * 0.01),
  );
  const { accepted, errors } = summarize(outcomes, 'DIAMETER');
  say(`  on tessellated models: ${outcomes.length} pipes: ${formatErrors(errors, 'mm')}`);
  return [
    atMost(1, {
      name: 'diameter on tessellated models, corners on the circle: worst, of what it may be off',
      value: Math.max(...shares),
      unit: 'x',
      against: `1 % or 2 mm; ${usual.length} pipes: ${formatErrors(summarize(usual, 'DIAMETER').errors, 'mm')}`,
    }),
    atLeast(95, {
      name: 'diameter on tessellated models: accepted',
      value: accepted * 100,
      unit: '%',
      against: `${outcomes.length} pipes, corners on, between and outside the circle`,
    }),
    atLeast(95, {
      name: 'diameter on tessellated models, corners on the circle: right nominal size',
      value: summarize(usual, 'DIAMETER').rightSize * 100,
      unit: '%',
      against: 'of the accepted bare pipes',
    }),
    shownResult(
      'on tessellated models',
      outcomes.flatMap(({ shown }) => shown),
      say,
    ),
  ];
}

function shownResult(where: string, errors: readonly ShownError[], say: (text: string) => void): BenchResult {
  const coverage = computeCoverage(errors);
  say(`  shown uncertainty ${where}: ${formatCoverage(coverage)}`);
  return atLeast(95, {
    name: `shown uncertainty ${where}: errors within twice its value`,
    value: coverage.withinTwice * 100,
    unit: '%',
    against: formatCoverage(coverage),
  });
}

/** The same for few targets: compares each kind with its bar in all surfaces together. */
export function accuracyTogether(
  outcomes: readonly Outcome[],
  way: string,
  say: (text: string) => void,
): readonly BenchResult[] {
  for (const surface of surfaces)
    toResults(
      `in the ${surface}`,
      outcomes.filter(({ target }) => target.surface === surface),
      '',
      say,
    );
  return toResults(way, outcomes, allAllowed, say);
}

function toResults(
  where: string,
  own: readonly Outcome[],
  allowed: string,
  say: (text: string) => void,
): readonly BenchResult[] {
  const [distance, angle, diameter] = [summarize(own, 'DISTANCE'), summarize(own, 'ANGLE'), summarize(own, 'DIAMETER')];
  const shares = distanceShares(own);
  const distances =
    `${distance.targets} distances: ${formatErrors(distance.errors, 'mm')}; ` +
    `${Math.round(distance.accepted * distance.targets)} measured`;
  const diameters = `${diameter.targets} pipes: ${formatErrors(diameter.errors, 'mm')}`;
  say(
    `  ${where}: ${distances}; heights: ${formatErrors(heightErrors(own), 'mm')}; coordinates: ` +
      `${formatErrors(pointErrors(own), 'mm')}`,
  );
  say(
    `  ${where}: ${angle.targets} angles: ${formatErrors(angle.errors, 'degrees')}; ${diameters}, ` +
      `${(diameter.accepted * 100).toFixed(0)} % accepted`,
  );
  return [
    atMost(1, {
      name: `distance ${where}: 90th of a hundred, of what it may be off`,
      value: shares.p90,
      unit: 'x',
      against: `${allowed}; ${distances}`,
    }),
    atMost(0.3, {
      name: `angle ${where}: 90th of a hundred`,
      value: angle.errors.p90,
      unit: 'degrees',
      against: `${angle.targets} angles: ${formatErrors(angle.errors, 'degrees')}`,
    }),
    atMost(2.5, {
      name: `diameter ${where}: 90th of a hundred`,
      value: diameter.errors.p90,
      unit: 'mm',
      against: diameters,
    }),
    atMost(10, {
      name: `diameter ${where}: worst that was accepted`,
      value: diameter.errors.worst,
      unit: 'mm',
      against: diameters,
    }),
    atLeast(80, {
      name: `diameter ${where}: accepted`,
      value: diameter.accepted * 100,
      unit: '%',
      against: `${diameter.targets} pipes`,
    }),
    atLeast(95, {
      name: `diameter ${where}: right nominal size`,
      value: diameter.rightSize * 100,
      unit: '%',
      against: 'of the accepted bare pipes',
    }),
  ];
}
