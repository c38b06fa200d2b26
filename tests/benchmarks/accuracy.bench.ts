import { measureTargets } from '../measuring/accuracy-run.ts';
import { measureTessellatedModel } from '../measuring/tessellated-run.ts';
import { tessellatedPipes } from '../measuring/tessellated-trials.ts';
import type { Bench } from './bench.ts';
import { accuracyResults, tessellatedResults } from './support/accuracy-results.ts';
import { accuracyTargets, pageSize, seed } from './support/accuracy-targets.ts';

/**
 * Errors of distances, angles and diameters against the description of the demo plant. The product's viewers measure
 * them in panoramas, point cloud and model, and on pipes tessellated as exporters do.
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
  say('  tessellated pipes');
  const pipes = tessellatedPipes(1).filter((_, at) => count(at % 7, 0) === 0);
  const tessellated = await measureTessellatedModel(pipes, { size: pageSize, browser: chromium });
  return [...accuracyResults(outcomes, say), ...tessellatedResults(pipes, tessellated, say)];
};
export default bench;
