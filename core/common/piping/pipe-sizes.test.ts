import { describe, expect, it } from 'vitest';
import { findNearestPipe, nominalPipes } from '#core/piping';

describe('pipe sizes', () => {
  it('lists pipes by diameter and finds the nearest one', () => {
    expect(nominalPipes.map((pipe) => pipe.outsideDiameter)).toEqual(
      nominalPipes.map((pipe) => pipe.outsideDiameter).toSorted((a, b) => a - b),
    );
    expect(findNearestPipe(0.1677)?.nps).toBe('6');
    expect(findNearestPipe(0.1141)).toEqual({ nps: '4', dn: 100, outsideDiameter: 0.1143 });
  });

  it('finds no pipe between two sizes, except within the uncertainty', () => {
    expect(findNearestPipe(0.195)).toBeUndefined();
    expect(findNearestPipe(2.4)).toBeUndefined();
    expect(findNearestPipe(0.063, 0.001)?.nps).toBe('2');
  });
});
