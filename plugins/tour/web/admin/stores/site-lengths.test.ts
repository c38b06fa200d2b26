import { describe, expect, it } from 'vitest';
import { createSiteLengths } from './site-lengths.ts';

describe('createSiteLengths', () => {
  it('returns entered feet as they were entered', () => {
    for (const unit of ['ft', 'ftUS'] as const) {
      const { toField, toMetres } = createSiteLengths(unit);
      for (const value of [0, 1.5, 100, -20.0125, 2_345_678.25, 699_999.9999])
        expect(toField(toMetres(value))).toBe(value);
    }
    expect(createSiteLengths('ft').toMetres(20)).toBe(6.096);
    expect(createSiteLengths('ftUS').toMetres(3937)).toBe(1200);
  });

  it('keeps the exact length of an unchanged field', () => {
    const { toField, toMetres } = createSiteLengths('ft');
    const stored = 6_650_000.123456;
    expect(toField(stored)).toBe(21_817_585.7069);
    expect(toMetres(toField(stored))).not.toBe(stored);
    expect(toMetres(toField(stored), [undefined, stored])).toBe(stored);
    expect(toMetres(toField(stored) + 1, [stored])).not.toBe(stored);
  });

  it('changes nothing at a site in metres', () => {
    const { toField, toMetres, symbol } = createSiteLengths('m');
    expect([toField(1 / 3), toMetres(1 / 3), symbol]).toEqual([1 / 3, 1 / 3, 'm']);
  });
});
