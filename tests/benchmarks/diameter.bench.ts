import { plant } from '../../cli/demo/plant/plant.ts';
import { runDiameterTrials, summarize } from '../measuring/diameter-trials.ts';
import { atLeast, atMost, type Bench } from './bench.ts';

/**
 * Measures diameters by one click on each pipe in all range images of the demo plant, at 1 to 8 m and with scanner
 * noise. Compares the diameters with the description of the plant.
 */
const bench: Bench = async ({ chooseCount, log }) => {
  const nodes = plant.nodes.map((node) => node.code);
  const results = [];
  for (const [sigma, median, p90] of [
    [0.002, 0.5, 1.5],
    [0.003, 0.8, 2.5],
  ] as const) {
    const summary = summarize(await runDiameterTrials(nodes, { sigma, perNode: chooseCount(5, 25) }));
    const name = `diameter, noise ${sigma * 1000} mm`;
    const against =
      `${summary.trials} clicks: median ${summary.median.toFixed(2)}, 90th percentile ${summary.p90.toFixed(2)}, 99th ` +
      `percentile ${summary.p99.toFixed(2)}, worst ${summary.worst.toFixed(2)} mm`;
    log(
      `  ${name}: ${against}; ${(summary.withinTwoSigma * 100).toFixed(0)} % within two sigma; ` +
        `${summary.fitsPerClick.toFixed(1)} fits per click; median ${summary.millisecondsPerClick.median.toFixed(0)} ms ` +
        `and 95th percentile ${summary.millisecondsPerClick.p95.toFixed(0)} ms per click`,
    );
    results.push(
      atMost(median, { name: `${name}: median error`, value: summary.median, unit: 'mm', against }),
      atMost(p90, { name: `${name}: 90th percentile`, value: summary.p90, unit: 'mm', against }),
      atMost(10, { name: `${name}: worst accepted`, value: summary.worst, unit: 'mm', against }),
      atLeast(80, {
        name: `${name}: accepted`,
        value: summary.accepted * 100,
        unit: '%',
        against: 'of the clicks on straight, unobstructed lengths',
      }),
      atLeast(95, {
        name: `${name}: correct nominal size`,
        value: summary.rightSize * 100,
        unit: '%',
        against: 'of the accepted clicks on bare pipes',
      }),
      atMost(60, {
        name: `${name}: time for a fit`,
        value: summary.millisecondsPerFit,
        unit: 'ms',
        against: `mean; the patch takes ${summary.millisecondsPerPatch.toFixed(1)} ms more`,
      }),
    );
  }
  return results;
};
export default bench;
