import { describe, expect, it } from 'vitest';
import { diameterTrials, summarize } from './diameter-trials.ts';

describe('diameters in range images of the demo plant', () => {
  it.each([
    [0.002, 0.5, 1.5],
    [0.003, 0.8, 2.5],
  ])(
    '[TOUR-08] are right for noise of %d m: median error within %d mm, nine of ten within %d mm',
    async (sigma, median, p90) => {
      const found = summarize(await diameterTrials(['HB-P01', 'HB-P04', 'HB-P07', 'HB-P10'], { sigma, perNode: 15 }));
      expect(found.trials).toBe(60);
      expect(found.median).toBeLessThanOrEqual(median);
      expect(found.p90).toBeLessThanOrEqual(p90);
      expect(found.worst).toBeLessThanOrEqual(10);
      expect(found.accepted).toBeGreaterThanOrEqual(0.8);
      expect(found.rightSize).toBeGreaterThanOrEqual(0.95);
    },
  );
});
