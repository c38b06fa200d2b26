import { describe, expect, it } from 'vitest';
import { defaultSiteRecord, type LengthUnit, type SiteRecord } from '#core';
import { formatDatum, formatMark, formatResult } from './format-result.ts';

const site = (verticalDatum: string | null, up: number, unit: SiteRecord['frame']['unit'] = 'm'): SiteRecord => {
  const record = defaultSiteRecord('UTC');
  return { ...record, verticalDatum, frame: { ...record.frame, unit, origin: { east: 0, north: 0, up } } };
};
const said = (record: SiteRecord): string =>
  formatDatum(record, { language: 'en', unit: 'm' }, (id, values) => [id, ...Object.values(values)].join(' '));

describe('what heights count from', () => {
  it('is the datum where the zero of the site lies on it', () => {
    expect(said(site('NN2000', 0))).toBe('annotate.detail.datum NN2000');
  });

  it('is the zero of the site where it lies elsewhere, and says how high that is', () => {
    expect(said(site('MSL', 26))).toBe('annotate.detail.datumOfZero MSL 26\u00a0m');
    expect(said(site('MSL', -10, 'ft'))).toBe('annotate.detail.datumOfZero MSL -3.048\u00a0m');
  });

  it('is not said where nobody knows', () => {
    expect(said(site(null, 26))).toBe('');
  });
});

describe('a diameter', () => {
  const said = (value: number, sigma: number | null, unit: LengthUnit = 'm'): string =>
    formatResult('DIAMETER', [], { value, sigma, details: {} }, { language: 'en', unit });

  it('[TOUR-08] is read in millimetres, with as many decimals as its deviation allows', () => {
    expect([said(0.2191, 0.0023), said(0.2191, 0.0004), said(0.21912, 0.00003), said(1.2345, 0.012)]).toEqual([
      '219\u00a0±\u00a02\u00a0mm',
      '219.1\u00a0±\u00a00.4\u00a0mm',
      '219.12\u00a0±\u00a00.03\u00a0mm',
      '1,235\u00a0±\u00a012\u00a0mm',
    ]);
    expect([said(0.2191, null), said(0.2191, 0.0004, 'cm'), said(0.2191, 0.0004, 'in')]).toEqual([
      '219.1\u00a0mm',
      '219.1\u00a0±\u00a00.4\u00a0mm',
      '8.63\u00a0±\u00a00.02\u00a0in',
    ]);
  });

  it('[TOUR-11] stands with its nominal size beside a picture', () => {
    const result = { value: 0.2191, sigma: 0.0004, details: { nps: '8', dn: 200 } };
    const t = (id: string, values: object): string => [id, ...Object.values(values)].join(' ');
    expect(
      formatMark({ kind: 'DIAMETER', points: [], result }, site('MSL', 26), { language: 'en', unit: 'm' }, t),
    ).toBe('219.1\u00a0±\u00a00.4\u00a0mm\nannotate.detail.nominal 8 200');
  });
});

describe('a height', () => {
  it('[TOUR-08] has no sign: up or down is the same', () => {
    const style = { language: 'en', unit: 'm' } as const;
    for (const value of [-1.5, 1.5]) {
      expect(formatResult('HEIGHT', [], { value, sigma: null, details: {} }, style)).toBe('1.5\u00a0m');
      expect(formatResult('HEIGHT', [], { value, sigma: 0.0028, details: {} }, style)).toBe(
        '1.5000\u00a0±\u00a00.0028\u00a0m',
      );
    }
  });
});

describe('coordinates beside a picture', () => {
  it('[TOUR-11] say what their height counts from', () => {
    const points = [{ point: [1, 2, 3] as const, sigma: null, source: 'MODEL' as const, edge: false }];
    const result = { value: null, sigma: null, details: {} };
    const t = (id: string, values: object): string => [id, ...Object.values(values)].join(' ');
    expect(
      formatMark({ kind: 'CORDINATES', points, result }, site('NN2000', 0), { language: 'en', unit: 'm' }, t),
    ).toMatch(/^E\u00a01\.000 .*\nannotate\.detail\.datum NN2000$/);
  });
});
