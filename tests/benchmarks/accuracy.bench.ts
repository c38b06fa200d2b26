import { measureTargets } from '../measuring/accuracy-run.ts';
import { measureTessellatedModel } from '../measuring/tessellated-run.ts';
import { listTessellatedPipes } from '../measuring/tessellated-trials.ts';
import type { Bench } from './bench.ts';
import { toAccuracyResults, toTessellatedResults } from './support/accuracy-results.ts';
import { chooseAccuracyTargets, pageSize, seed } from './support/accuracy-targets.ts';

/**
 * Compares measured distances, angles and diameters with the description of the demo plant. The product's viewers
 * measure in panoramas, in the point cloud, in the model, and on pipes that are tessellated like exported models.
 */
const bench: Bench = async ({ chooseCount, chromium, log }) => {
  const outcomes = await measureTargets({
    targets: chooseAccuracyTargets(chooseCount(1, 0) === 1),
    size: pageSize,
    browser: chromium,
    noise: 0.003,
    outliers: 0.1,
    seed,
    log,
  });
  log('  tessellated pipes');
  const pipes = listTessellatedPipes(1).filter((_, index) => chooseCount(index % 7, 0) === 0);
  const tessellatedOutcomes = await measureTessellatedModel(pipes, { size: pageSize, browser: chromium });
  return [...toAccuracyResults(outcomes, log), ...toTessellatedResults(pipes, tessellatedOutcomes, log)];
};
export default bench;
