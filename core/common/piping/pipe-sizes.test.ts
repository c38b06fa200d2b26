import { describe, expect, it } from 'vitest';
import { nearestPipe, nominalPipes } from '#core/piping';

describe('nominal pipe sizes', () => {
  it('rise, and name the size that a measured diameter is nearest to', () => {
    expect(nominalPipes.map((pipe) => pipe.outsideDiameter)).toEqual(
      nominalPipes.map((pipe) => pipe.outsideDiameter).toSorted((a, b) => a - b),
    );
    expect(nearestPipe(0.1677)?.nps).toBe('6');
    expect(nearestPipe(0.1141)).toEqual({ nps: '4', dn: 100, outsideDiameter: 0.1143 });
  });

  it('name none where a diameter stands between two sizes, unless the measurement leaves it open', () => {
    expect(nearestPipe(0.195)).toBeUndefined();
    expect(nearestPipe(2.4)).toBeUndefined();
    expect(nearestPipe(0.063, 0.001)?.nps).toBe('2');
  });
});
