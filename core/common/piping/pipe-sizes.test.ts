import { describe, expect, it } from 'vitest';
import { nearestPipe, nominalPipes } from '#core/piping';

describe('pipe sizes', () => {
  it('ascend, and are found by the nearest diameter', () => {
    expect(nominalPipes.map((pipe) => pipe.outsideDiameter)).toEqual(
      nominalPipes.map((pipe) => pipe.outsideDiameter).toSorted((a, b) => a - b),
    );
    expect(nearestPipe(0.1677)?.nps).toBe('6');
    expect(nearestPipe(0.1141)).toEqual({ nps: '4', dn: 100, outsideDiameter: 0.1143 });
  });

  it('have no match between two sizes, except within the uncertainty', () => {
    expect(nearestPipe(0.195)).toBeUndefined();
    expect(nearestPipe(2.4)).toBeUndefined();
    expect(nearestPipe(0.063, 0.001)?.nps).toBe('2');
  });
});
