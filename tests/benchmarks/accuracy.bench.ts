import { measureTargets } from '../measuring/accuracy-run.ts';
import { distanceShares, heightErrors, inWords, pointErrors, summaryOf } from '../measuring/accuracy-summary.ts';
import { drawTargets } from '../measuring/plant-targets.ts';
import { atLeast, atMost, type Bench } from './bench.ts';

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
  return (['bubble', 'cloud', 'model'] as const).flatMap((surface) => {
    const own = outcomes.filter(({ target }) => target.surface === surface);
    const [distance, angle, diameter] = [summaryOf(own, 'DISTANCE'), summaryOf(own, 'ANGLE'), summaryOf(own, 'DIAMETER')];
    const shares = distanceShares(own);
    const distances = `${distance.targets} distances: ${inWords(distance.errors, 'mm')}; ${Math.round(distance.accepted * distance.targets)} measured`;
    const diameters = `${diameter.targets} pipes: ${inWords(diameter.errors, 'mm')}`;
    say(`  ${surface}: ${distances}; heights: ${inWords(heightErrors(own), 'mm')}; coordinates: ${inWords(pointErrors(own), 'mm')}`);
    say(`  ${surface}: ${angle.targets} angles: ${inWords(angle.errors, 'degrees')}; ${diameters}, ${(diameter.accepted * 100).toFixed(0)} % accepted`);
    for (const { target, value, refusal } of own) if (value === undefined) say(`    refused: ${target.kind} ${target.line ?? ''} from ${target.node}: ${refusal}`);
    return [
      atMost(1, { name: `distance in the ${surface}: 90th of a hundred, of what it may be off`, value: shares.p90, unit: 'x', against: `${surface === 'model' ? '1 mm' : '8 mm or 0.15 %'}; ${distances}` }),
      atMost(0.3, { name: `angle in the ${surface}: 90th of a hundred`, value: angle.errors.p90, unit: 'degrees', against: `${angle.targets} angles: ${inWords(angle.errors, 'degrees')}` }),
      atMost(2.5, { name: `diameter in the ${surface}: 90th of a hundred`, value: diameter.errors.p90, unit: 'mm', against: diameters }),
      atMost(10, { name: `diameter in the ${surface}: worst that was accepted`, value: diameter.errors.worst, unit: 'mm', against: diameters }),
      atLeast(80, { name: `diameter in the ${surface}: accepted`, value: diameter.accepted * 100, unit: '%', against: `${diameter.targets} pipes` }),
      atLeast(95, { name: `diameter in the ${surface}: right nominal size`, value: diameter.rightSize * 100, unit: '%', against: 'of the accepted bare pipes' }),
    ];
  });
};
export default bench;
