import { describe, expect, it } from 'vitest';
import { runDiameterTrials, summarize } from './diameter-trials.ts';

describe('diameters in range images of the demo plant', () => {
  it.each([
    [0.002, 0.5, 1.5],
    [0.003, 0.8, 2.5],
  ])(
    '[TOUR-08] have for noise of %d m a median error of at most %d mm and a 90th percentile of at most %d mm',
    async (sigma, median, p90) => {
      const summary = summarize(
        await runDiameterTrials(['HB-P01', 'HB-P04', 'HB-P07', 'HB-P10'], { sigma, perNode: 15 }),
      );
      expect(summary.trials).toBe(60);
      expect(summary.median).toBeLessThanOrEqual(median);
      expect(summary.p90).toBeLessThanOrEqual(p90);
      expect(summary.worst).toBeLessThanOrEqual(10);
      expect(summary.accepted).toBeGreaterThanOrEqual(0.8);
      expect(summary.rightSize).toBeGreaterThanOrEqual(0.95);
    },
  );
});
