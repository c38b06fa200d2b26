import type { Outcome } from '../../measuring/accuracy-run.ts';
import { distanceShares, heightErrors, inWords, pointErrors, summaryOf } from '../../measuring/accuracy-summary.ts';
import { atLeast, atMost, type BenchResult } from '../bench.ts';

/** What was measured in bubble, cloud and model against what it may be off; the figures are said too. */
export function accuracyResults(outcomes: readonly Outcome[], say: (text: string) => void): readonly BenchResult[] {
  return (['bubble', 'cloud', 'model'] as const).flatMap((surface) => {
    const own = outcomes.filter(({ target }) => target.surface === surface);
    const [distance, angle, diameter] = [summaryOf(own, 'DISTANCE'), summaryOf(own, 'ANGLE'), summaryOf(own, 'DIAMETER')];
    const shares = distanceShares(own);
    const distances = `${distance.targets} distances: ${inWords(distance.errors, 'mm')}; ${Math.round(distance.accepted * distance.targets)} measured`;
    const diameters = `${diameter.targets} pipes: ${inWords(diameter.errors, 'mm')}`;
    const [heights, points] = [heightErrors(own), pointErrors(own)];
    say(`  ${surface}: ${distances}${heights.count > 0 ? `; heights: ${inWords(heights, 'mm')}` : ''}${points.count > 0 ? `; coordinates: ${inWords(points, 'mm')}` : ''}`);
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
}
