import { measureTargets } from '../measuring/accuracy-run.ts';
import { drawTargets } from '../measuring/plant-targets.ts';
import type { Bench } from './bench.ts';
import { accuracyResults } from './support/accuracy-results.ts';

const size = { width: 1280, height: 720 };
const seed = 20_261_121;
/** 200 in all. */
const bubble = { DISTANCE: 28, ANGLE: 14, DIAMETER: 30 };
const cloud = { DISTANCE: 26, ANGLE: 12, DIAMETER: 28 };
const model = { DISTANCE: 24, ANGLE: 12, DIAMETER: 26 };
const few = { DISTANCE: 4, ANGLE: 2, DIAMETER: 4 };

/** Distances, angles and diameters all over the demo plant, in bubble, cloud and model, by the product's own viewers and measuring, against the plant's description. */
const bench: Bench = async ({ count, chromium, say }) => {
  const quick = count(1, 0) === 1;
  const targets = drawTargets({ seed, size, counts: quick ? { bubble: few, cloud: few, model: few } : { bubble, cloud, model }, ...(quick ? { nodes: ['HB-P04', 'HB-P09'] } : {}) });
  const outcomes = await measureTargets({ targets, size, browser: chromium, noise: 0.003, outliers: 0.1, seed, say });
  return accuracyResults(outcomes, say);
};
export default bench;
