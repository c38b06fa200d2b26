import { describe, expect, it } from 'vitest';
import { formatArea } from './areas.ts';

describe('formatArea', () => {
  it('[TOUR-10] squares the unit of an area', () => {
    expect(formatArea(1.5, 'm', { language: 'en' })).toBe('1.5\u00a0m²');
    expect(formatArea(1, 'ftUS', { language: 'en', decimals: 6 })).toBe('10.763867\u00a0US survey ft²');
    expect(formatArea(0.09290304, 'ft', { language: 'en', decimals: 9 })).toBe('1\u00a0ft²');
  });
});
