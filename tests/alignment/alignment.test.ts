import { beforeAll, describe, expect, it } from 'vitest';
import { soakCount } from '../../core/testing/server/soak-count.ts';
import { PlantCorners, runAlignmentTrials, type AlignmentTrial } from './alignment-trials.ts';

const count = soakCount(20, 1000);
const seed = 20_261;

const countRight = (trials: readonly AlignmentTrial[]): number =>
  trials.filter(({ headingDegrees, positionMm }) => headingDegrees <= 0.1 && positionMm <= 20).length;
const formatTrials = (trials: readonly AlignmentTrial[]): string =>
  [`seed ${seed}`, ...trials.map((trial) => JSON.stringify(trial))].join('\n');

describe('the alignment of viewpoints of the demo plant', () => {
  let corners: PlantCorners;
  beforeAll(() => {
    corners = new PlantCorners();
  });

  it('is within 0.1 degrees and 20 mm in 95 of 100 trials with four tie points and one pixel of noise', () => {
    const trials = runAlignmentTrials(corners, { count, seed, mode: 'pose', tiePointCount: 4 });
    expect(countRight(trials) / count, formatTrials(trials)).toBeGreaterThanOrEqual(0.95);
    expect(trials.filter(({ rejectedCount }) => rejectedCount > 0)).toEqual([]);
    // The stated uncertainty is one standard deviation.
    const isCovered = ({ positionMm, sigmaMm }: AlignmentTrial): boolean => positionMm <= 2 * sigmaMm;
    expect(trials.filter(isCovered).length / count, formatTrials(trials)).toBeGreaterThanOrEqual(0.85);
  });

  it('is as exact if one of six tie points is wrong', () => {
    const trials = runAlignmentTrials(corners, {
      count: Math.ceil(count / 4),
      seed,
      mode: 'pose',
      tiePointCount: 6,
      outliers: 1,
    });
    expect(countRight(trials) / trials.length, formatTrials(trials)).toBeGreaterThanOrEqual(0.95);
  });

  it('is as exact in heading, pitch, roll and position for a tilted picture', () => {
    const trials = runAlignmentTrials(corners, { count, seed, mode: 'freePose', tiePointCount: 4, tilt: 5 });
    expect(countRight(trials) / count, formatTrials(trials)).toBeGreaterThanOrEqual(0.95);
    expect(trials.filter(({ tiltDegrees }) => tiltDegrees <= 0.1).length / count).toBeGreaterThanOrEqual(0.95);
  });
});
