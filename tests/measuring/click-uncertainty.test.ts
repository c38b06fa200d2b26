import { beforeAll, describe, expect, it } from 'vitest';
import { length, subtract } from '../../cli/demo/plant/vector.ts';
import { soakCount } from '../../core/testing/server/soak-count.ts';
import { formatCoverage, computeCoverage } from './accuracy-summary.ts';
import { clickTrials, type ClickTrial } from './click-trials.ts';
import { drawTargets, type TargetSurface } from './plant-targets.ts';

/** Clicks up to three pixels off their target. Only the soak run uses the clouds of all stations. */
const size = { width: 1280, height: 720 };
const seeds = [6, 16, 26].slice(0, soakCount(1, 3));
const none = { DISTANCE: 0, ANGLE: 0, DIAMETER: 0 };
const some = { DISTANCE: 20, ANGLE: soakCount(8, 10), DIAMETER: 0 };
const surfaces: readonly TargetSurface[] = soakCount(0, 1) === 1 ? ['bubble', 'cloud', 'model'] : ['bubble', 'model'];
const trials: ClickTrial[] = [];

beforeAll(async () => {
  for (const seed of seeds) {
    const targets = drawTargets({
      seed,
      size,
      counts: { bubble: some, cloud: surfaces.includes('cloud') ? some : none, model: some },
      ...(surfaces.includes('cloud') ? {} : { nodes: ['HB-P09', 'HB-U03'] }),
    });
    trials.push(...(await clickTrials({ targets, size, noise: 0.003, outliers: 0.1, seed })));
  }
});

describe.each(surfaces)('uncertainty of clicks in the %s', (surface) => {
  const own = (): readonly ClickTrial[] => trials.filter(({ target }) => target.surface === surface);

  it('[TOUR-24] is correct for distances and angles: at most 5 % of errors exceed twice its value', () => {
    const coverage = computeCoverage(
      own().flatMap(({ value, sigma, target }) =>
        value === undefined ? [] : [{ error: Math.abs(value - target.truth), sigma }],
      ),
    );
    expect(coverage.withinTwice, formatCoverage(coverage)).toBeGreaterThanOrEqual(0.95);
    expect(coverage.shownShare, formatCoverage(coverage)).toBeGreaterThanOrEqual(0.7);
  });

  it('[TOUR-24] is correct for single clicks on pipes, on surfaces and near edges', () => {
    const coverage = computeCoverage(
      own().flatMap(({ points }) =>
        points.flatMap(({ truth, stored }) =>
          stored ? [{ error: length(subtract(stored.point, truth)), sigma: stored.sigma ?? undefined }] : [],
        ),
      ),
    );
    expect(coverage.withinTwice, formatCoverage(coverage)).toBeGreaterThanOrEqual(0.95);
    expect(coverage.shownShare, formatCoverage(coverage)).toBeGreaterThanOrEqual(0.85);
  });
});
