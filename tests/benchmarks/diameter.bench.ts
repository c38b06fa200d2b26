import { plant } from '../../cli/demo/plant/plant.ts';
import { diameterTrials, summarize } from '../measuring/diameter-trials.ts';
import { atLeast, atMost, type Bench } from './bench.ts';

/**
 * Measures pipes by one click each in all range images of the demo plant, at 1 to 8 m and with scanner noise, and
 * compares them with the description.
 */
const bench: Bench = async ({ count, say }) => {
  const nodes = plant.nodes.map((node) => node.code);
  const results = [];
  for (const [sigma, median, p90] of [
    [0.002, 0.5, 1.5],
    [0.003, 0.8, 2.5],
  ] as const) {
    const found = summarize(await diameterTrials(nodes, { sigma, perNode: count(5, 25) }));
    const name = `diameter, noise ${sigma * 1000} mm`;
    const against =
      `${found.trials} clicks: median ${found.median.toFixed(2)}, 90th ${found.p90.toFixed(2)}, 99th ` +
      `${found.p99.toFixed(2)}, worst ${found.worst.toFixed(2)} mm`;
    say(
      `  ${name}: ${against}; ${(found.withinTwoSigma * 100).toFixed(0)} % within two sigma; ` +
        `${found.fitsPerClick.toFixed(1)} fits a click, ${found.millisecondsPerClick.median.toFixed(0)} ms a click ` +
        'in the ' +
        `middle, ${found.millisecondsPerClick.p95.toFixed(0)} ms at the 95th`,
    );
    results.push(
      atMost(median, { name: `${name}: median error`, value: found.median, unit: 'mm', against }),
      atMost(p90, { name: `${name}: 90th of a hundred`, value: found.p90, unit: 'mm', against }),
      atMost(10, { name: `${name}: worst that was accepted`, value: found.worst, unit: 'mm', against }),
      atLeast(80, {
        name: `${name}: accepted`,
        value: found.accepted * 100,
        unit: '%',
        against: 'clicks on straight, free lengths',
      }),
      atLeast(95, {
        name: `${name}: right nominal size`,
        value: found.rightSize * 100,
        unit: '%',
        against: 'of the accepted clicks on bare pipes',
      }),
      atMost(60, {
        name: `${name}: time for a fit`,
        value: found.millisecondsPerFit,
        unit: 'ms',
        against: `mean; the patch takes ${found.millisecondsPerPatch.toFixed(1)} ms more`,
      }),
    );
  }
  return results;
};
export default bench;
