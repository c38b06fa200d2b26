import { beforeAll, describe, expect, it } from 'vitest';
import { length, subtract } from '../../cli/demo/plant/vector.ts';
import { soakCount } from '../../core/testing/server/soak-count.ts';
import { formatCoverage, computeCoverage } from './accuracy-summary.ts';
import { runClickTrials, type ClickTrial } from './click-trials.ts';
import { chooseTargets, type TargetSurface } from './plant-targets.ts';

/** The clicks are up to three pixels off their target. Only the soak run uses the clouds of all stations. */
const size = { width: 1280, height: 720 };
const seeds = [6, 16, 26].slice(0, soakCount(1, 3));
const noTargets = { DISTANCE: 0, ANGLE: 0, DIAMETER: 0 };
const someTargets = { DISTANCE: 20, ANGLE: soakCount(8, 10), DIAMETER: 0 };
const surfaces: readonly TargetSurface[] = soakCount(0, 1) === 1 ? ['bubble', 'cloud', 'model'] : ['bubble', 'model'];
const trials: ClickTrial[] = [];

beforeAll(async () => {
  for (const seed of seeds) {
    const targets = chooseTargets({
      seed,
      size,
      counts: {
        bubble: someTargets,
        cloud: surfaces.includes('cloud') ? someTargets : noTargets,
        model: someTargets,
        panorama: noTargets,
      },
      ...(surfaces.includes('cloud') ? {} : { nodes: ['HB-P09', 'HB-U03'] }),
    });
    trials.push(...(await runClickTrials({ targets, size, noise: 0.003, outliers: 0.1, seed })));
  }
});

describe.each(surfaces)('uncertainty of clicks in the %s', (surface) => {
  const listTrials = (): readonly ClickTrial[] => trials.filter(({ target }) => target.surface === surface);

  it('[TOUR-24] covers at least 95 % of the errors of distances and angles with two standard deviations', () => {
    const coverage = computeCoverage(
      listTrials().flatMap(({ value, sigma, target }) =>
        value === undefined ? [] : [{ error: Math.abs(value - target.truth), sigma }],
      ),
    );
    expect(coverage.withinTwice, formatCoverage(coverage)).toBeGreaterThanOrEqual(0.95);
    expect(coverage.shownFraction, formatCoverage(coverage)).toBeGreaterThanOrEqual(0.7);
  });

  it('[TOUR-24] covers at least 95 % of the errors of single clicks with two standard deviations', () => {
    const coverage = computeCoverage(
      listTrials().flatMap(({ points }) =>
        points.flatMap(({ truth, stored }) =>
          stored ? [{ error: length(subtract(stored.point, truth)), sigma: stored.sigma ?? undefined }] : [],
        ),
      ),
    );
    expect(coverage.withinTwice, formatCoverage(coverage)).toBeGreaterThanOrEqual(0.95);
    expect(coverage.shownFraction, formatCoverage(coverage)).toBeGreaterThanOrEqual(0.85);
  });
});
