import { measureTargets } from '../measuring/accuracy-run.ts';
import type { Bench } from './bench.ts';
import { accuracyResults } from './support/accuracy-results.ts';
import { accuracyTargets, pageSize, seed } from './support/accuracy-targets.ts';

/**
 * Distances, angles and diameters all over the demo plant, in bubble, cloud and model, by the product's own viewers and
 * measuring, against the plant's description.
 */
const bench: Bench = async ({ count, chromium, say }) => {
  const outcomes = await measureTargets({
    targets: accuracyTargets(count(1, 0) === 1),
    size: pageSize,
    browser: chromium,
    noise: 0.003,
    outliers: 0.1,
    seed,
    say,
  });
  return accuracyResults(outcomes, say);
};
export default bench;
