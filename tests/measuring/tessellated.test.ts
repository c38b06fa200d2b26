import { beforeAll, describe, expect, it } from 'vitest';
import { soakCount } from '../../core/testing/server/soak-count.ts';
import {
  measureTessellated,
  listTessellatedPipes,
  tessellatedSides,
  type TessellatedTrial,
} from './tessellated-trials.ts';
import type { CornerPlace } from './tessellated-shapes.ts';

/** A short run of the trials of `tests/benchmarks/accuracy.bench.ts`, with the same engine but without a browser. */
let trials: readonly TessellatedTrial[] = [];

beforeAll(async () => {
  trials = await measureTessellated(listTessellatedPipes(soakCount(1, 10)));
});

const listMeasured = (matchingTrials: readonly TessellatedTrial[]) =>
  matchingTrials.flatMap(({ result, ...pipe }) => (result.diameter ? [{ ...pipe, ...result.diameter }] : []));
const describeTrial = ({ form, sides, corners, diameter, result }: TessellatedTrial): string =>
  `${form} ${sides} ${corners} ${diameter}: ${result.diameter?.value ?? result.problem} ± ${result.diameter?.sigma}`;

describe('diameters on tessellated models', () => {
  it.each(tessellatedSides)('[TOUR-24] are within 1 % or 2 mm with %d sides and corners on the circle', (sides) => {
    const matchingTrials = trials.filter((trial) => trial.sides === sides && trial.corners === 'ON');
    expect(matchingTrials.length).toBeGreaterThanOrEqual(6);
    for (const trial of matchingTrials) {
      const { diameter } = trial.result;
      expect(
        Math.abs((diameter?.value ?? Number.NaN) - trial.diameter) / Math.max(0.002, trial.diameter * 0.01),
        describeTrial(trial),
      ).toBeLessThanOrEqual(1);
    }
  });

  it.each<CornerPlace>(['ON', 'BETWEEN', 'OUTSIDE'])(
    '[TOUR-24] have a correct uncertainty with the corner position %s',
    (corners) => {
      const measuredPipes = listMeasured(trials.filter((trial) => trial.corners === corners));
      expect(measuredPipes.length).toBeGreaterThanOrEqual(20);
      const beyond = measuredPipes.filter(({ value, sigma, diameter }) => Math.abs(value - diameter) > 2 * sigma);
      expect(beyond.length / measuredPipes.length, JSON.stringify(beyond)).toBeLessThanOrEqual(0.05);
    },
  );

  it('[TOUR-24] are exact for standard pipes even with corners outside of the circle', () => {
    const standardPipes = listMeasured(trials).filter(({ nominal, diameter }) => nominal?.outsideDiameter === diameter);
    const outsidePipes = standardPipes.filter(({ corners, sides }) => corners === 'OUTSIDE' && sides <= 16);
    expect(outsidePipes.length).toBeGreaterThanOrEqual(4);
    for (const { value, diameter } of outsidePipes) expect(Math.abs(value - diameter)).toBeLessThanOrEqual(0.001);
  });

  it('[TOUR-24] are measured on at least 95 % of the pipes with shared and with separate vertices', () => {
    for (const shared of [true, false]) {
      const matchingTrials = trials.filter((trial) => trial.shared === shared);
      expect(
        listMeasured(matchingTrials).length / matchingTrials.length,
        matchingTrials
          .filter(({ result }) => result.problem)
          .map(describeTrial)
          .join('\n'),
      ).toBeGreaterThanOrEqual(0.95);
    }
  });

  it('[TOUR-24] are not too small for a nozzle of 8 sides and a vessel of 24', async () => {
    const [nozzle, vessel] = await measureTessellated([
      { form: 'REDUCER', diameter: 0.2191, sides: 8, corners: 'ON', shared: false, seed: 3 },
      { form: 'PIPE', diameter: 2.3, sides: 24, corners: 'ON', shared: true, seed: 4 },
    ]);
    expect(nozzle?.result.diameter?.value).toBeCloseTo(0.2191, 3);
    expect(nozzle?.result.diameter?.nominal?.nps).toBe('8');
    expect(vessel?.result.diameter?.value).toBeCloseTo(2.3, 3);
    expect(vessel?.result.diameter?.sides).toBe(24);
  });
});
