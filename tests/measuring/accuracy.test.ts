import { beforeAll, describe, expect, it } from 'vitest';
import { browserPath, formatBrowserTestTitle, noBrowser } from '../browser/browser.ts';
import { soakCount } from '../../core/testing/server/soak-count.ts';
import { measureTargets } from './accuracy-run.ts';
import {
  formatCoverage,
  computeCoverage,
  summarizeDistanceFractions,
  formatErrors,
  summarizePointErrors,
  summarize,
} from './accuracy-summary.ts';
import type { Outcome } from './outcome.ts';
import { chooseTargets, targetSurfaces } from './plant-targets.ts';

/**
 * A short run of `tests/benchmarks/accuracy.bench.ts` with the same limits but fewer targets and nodes. The soak run
 * measures 200 targets from all nodes.
 */
const size = { width: 1280, height: 720 };
const seed = 7;
const counts = { DISTANCE: soakCount(7, 20), ANGLE: soakCount(5, 12), DIAMETER: soakCount(12, 18) };
const nodes = soakCount(0, 1) === 1 ? undefined : ['HB-P09', 'HB-U03'];
let outcomes: readonly Outcome[] = [];

beforeAll(async () => {
  const targets = chooseTargets({
    seed,
    size,
    counts: { bubble: counts, cloud: counts, model: counts, panorama: counts },
    ...(nodes ? { nodes } : {}),
  });
  outcomes = await measureTargets({ targets, size, browser: browserPath, noise: 0.003, outliers: 0.1, seed });
}, 600_000);

describe.skipIf(noBrowser).each(targetSurfaces)(formatBrowserTestTitle('measuring in the %s'), (surface) => {
  const listOutcomes = (): readonly Outcome[] => outcomes.filter(({ target }) => target.surface === surface);

  it('[TOUR-08] measures distances and angles of the description as medians of three clicks', () => {
    const [distance, angle] = [summarize(listOutcomes(), 'DISTANCE'), summarize(listOutcomes(), 'ANGLE')];
    expect([distance.targets, distance.accepted, angle.targets, angle.accepted]).toEqual([
      counts.DISTANCE,
      1,
      counts.ANGLE,
      1,
    ]);
    expect(summarizeDistanceFractions(listOutcomes()).median, formatErrors(distance.errors, 'mm')).toBeLessThanOrEqual(
      surface === 'model' ? 1 : 0.7,
    );
    expect(angle.errors.median, formatErrors(angle.errors, 'degrees')).toBeLessThanOrEqual(0.3);
    expect(summarizePointErrors(listOutcomes()).median).toBeLessThanOrEqual(surface === 'model' ? 1 : 6);
  });

  it('[TOUR-24] shows a correct uncertainty for each value and each click', () => {
    const [figures, clicks] = [
      computeCoverage(listOutcomes().flatMap(({ valueErrors }) => valueErrors)),
      computeCoverage(listOutcomes().flatMap(({ singlePointErrors }) => singlePointErrors)),
    ];
    expect(figures.withinTwice, formatCoverage(figures)).toBeGreaterThanOrEqual(0.95);
    expect(clicks.withinTwice, formatCoverage(clicks)).toBeGreaterThanOrEqual(0.95);
    // Near a deep edge no uncertainty is shown.
    expect(figures.shownFraction, formatCoverage(figures)).toBeGreaterThanOrEqual(0.8);
    expect(clicks.shownFraction, formatCoverage(clicks)).toBeGreaterThanOrEqual(0.85);
  });

  it('[TOUR-08] measures diameters of pipes or explains why it cannot', () => {
    const { accepted, errors, rightSize } = summarize(listOutcomes(), 'DIAMETER');
    expect(
      accepted,
      listOutcomes()
        .map(({ target, refusal }) => refusal && `${target.line} from ${target.node}: ${refusal}`)
        .join(),
    ).toBeGreaterThanOrEqual(0.6);
    expect(errors.p90, formatErrors(errors, 'mm')).toBeLessThanOrEqual(2.5);
    expect(errors.worst).toBeLessThanOrEqual(10);
    expect(
      rightSize,
      listOutcomes()
        .map(({ target, value, nps }) => `${target.line} NPS ${target.nps} ${target.truth}: ${nps} ${value}`)
        .join('\n'),
    ).toBe(1);
  });
});
