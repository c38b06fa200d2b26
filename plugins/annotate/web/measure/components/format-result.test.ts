import { describe, expect, it } from 'vitest';
import { defaultSiteRecord, lengthUnits, type Language, type LengthUnit, type SiteRecord } from '#core';
import type { MeasurementKind } from '#plugins/annotate';
import { formatDatum, formatMark, formatPartialLength, formatResult } from './format-result.ts';

const site = (verticalDatum: string | null, up: number, unit: SiteRecord['frame']['unit'] = 'm'): SiteRecord => {
  const record = defaultSiteRecord('UTC');
  return { ...record, verticalDatum, frame: { ...record.frame, unit, origin: { east: 0, north: 0, up } } };
};
const format = (record: SiteRecord): string =>
  formatDatum(record, { language: 'en', unit: 'm' }, (id, values) => [id, ...Object.values(values)].join(' '));

describe('formatDatum', () => {
  it('shows only the datum if the site origin has height zero', () => {
    expect(format(site('NN2000', 0))).toBe('annotate.detail.datum NN2000');
  });

  it('shows the height of the site origin above or below the datum', () => {
    expect(format(site('MSL', 26))).toBe('annotate.detail.datumOfZero MSL 26\u00a0m');
    expect(format(site('MSL', -10, 'ft'))).toBe('annotate.detail.datumOfZero MSL -3.048\u00a0m');
  });

  it('is empty if the datum is unknown', () => {
    expect(format(site(null, 26))).toBe('');
  });
});

describe('a value with its uncertainty', () => {
  const formatValue = (
    kind: MeasurementKind,
    value: number,
    sigma: number,
    unit: LengthUnit = 'm',
    language: Language = 'en',
  ): string =>
    formatResult(kind, [], { value, sigma, details: {} }, { language, unit }).replaceAll(/[\u00a0\u202f]/g, ' ');

  it('[TOUR-08] [TOUR-10] shows two significant digits of the uncertainty and rounds the value to the same digit', () => {
    expect(lengthUnits.map((unit) => formatValue('DISTANCE', 1.0747, 0.0212, unit))).toEqual([
      '1.075 ± 0.021 m',
      '107.5 ± 2.1 cm',
      '1,075 ± 21 mm',
      '3.526 ± 0.070 ft',
      '42.31 ± 0.83 in',
      '1.175 ± 0.023 yd',
      '3.526 ± 0.070 US survey ft',
    ]);
    expect([formatValue('DISTANCE', 1.0747, 0.0212, 'm', 'fr'), formatValue('HEIGHT', -7.1234, 0.1234)]).toEqual([
      '1,075 ± 0,021 m',
      '7.12 ± 0.12 m',
    ]);
    expect([formatValue('ANGLE', 45.4567, 1.234), formatValue('ANGLE', 45.4567, 0.234)]).toEqual([
      '45.5 ± 1.2°',
      '45.46 ± 0.23°',
    ]);
    expect([formatValue('AREA', 12.3456, 0.0345), formatValue('AREA', 12.3456, 0.0345, 'ft')]).toEqual([
      '12.346 ± 0.035 m²',
      '132.89 ± 0.37 ft²',
    ]);
    expect([formatValue('DIAMETER', 0.2191, 0.0023, 'm'), formatValue('DIAMETER', 0.2191, 0.0023, 'ft')]).toEqual([
      '219.1 ± 2.3 mm',
      '8.626 ± 0.091 in',
    ]);
  });

  it('[TOUR-08] rounds to tens for a large uncertainty, and never rounds the uncertainty to zero', () => {
    expect([formatValue('DISTANCE', 1.2345, 0.1234, 'mm'), formatValue('AREA', 12.3456, 0.0345, 'mm')]).toEqual([
      '1,230 ± 120 mm',
      '1,23,46,000 ± 35,000 mm²',
    ]);
    expect([
      formatValue('DISTANCE', 1.2345, 0.0996),
      formatValue('DISTANCE', 1.2345, 0.000_01),
      formatValue('ANGLE', 45.5, 0),
    ]).toEqual(['1.23 ± 0.10 m', '1.2345 ± 0.0001 m', '45.50 ± 0.01°']);
  });

  it('[TOUR-08] shows no part with more decimals than its uncertainty allows', () => {
    const style = { language: 'en', unit: 'm' } as const;
    expect([
      formatPartialLength(1.0747, style),
      formatPartialLength(1.0747, style, 0.0021),
      formatPartialLength(1.0747, style, 0.123),
    ]).toEqual(['1.075\u00a0m', '1.075\u00a0m', '1.07\u00a0m']);
  });
});

describe('a diameter', () => {
  const formatDiameter = (value: number, sigma: number | null, unit: LengthUnit = 'm'): string =>
    formatResult('DIAMETER', [], { value, sigma, details: {} }, { language: 'en', unit });

  it('[TOUR-08] is in millimetres, with as many decimals as its deviation allows', () => {
    expect([
      formatDiameter(0.2191, 0.0023),
      formatDiameter(0.2191, 0.0004),
      formatDiameter(0.21912, 0.00003),
      formatDiameter(1.2345, 0.012),
    ]).toEqual([
      '219.1\u00a0±\u00a02.3\u00a0mm',
      '219.10\u00a0±\u00a00.40\u00a0mm',
      '219.12\u00a0±\u00a00.03\u00a0mm',
      '1,235\u00a0±\u00a012\u00a0mm',
    ]);
    expect([
      formatDiameter(0.2191, null),
      formatDiameter(0.2191, 0.0004, 'cm'),
      formatDiameter(0.2191, 0.0004, 'in'),
    ]).toEqual(['219.1\u00a0mm', '219.10\u00a0±\u00a00.40\u00a0mm', '8.626\u00a0±\u00a00.016\u00a0in']);
  });

  it('[TOUR-11] has its nominal size in a snapshot', () => {
    const result = { value: 0.2191, sigma: 0.0004, details: { nps: '8', dn: 200 } };
    const t = (id: string, values: object): string => [id, ...Object.values(values)].join(' ');
    expect(
      formatMark({ kind: 'DIAMETER', points: [], result }, site('MSL', 26), { language: 'en', unit: 'm' }, t),
    ).toBe('219.10\u00a0±\u00a00.40\u00a0mm\nannotate.detail.nominal 8 200');
  });
});

describe('a height', () => {
  it('[TOUR-08] has no sign', () => {
    const style = { language: 'en', unit: 'm' } as const;
    for (const value of [-1.5, 1.5]) {
      expect(formatResult('HEIGHT', [], { value, sigma: null, details: {} }, style)).toBe('1.5\u00a0m');
      expect(formatResult('HEIGHT', [], { value, sigma: 0.0028, details: {} }, style)).toBe(
        '1.5000\u00a0±\u00a00.0028\u00a0m',
      );
    }
  });
});

describe('coordinates in a snapshot', () => {
  it('[TOUR-11] name the reference of their height', () => {
    const points = [{ point: [1, 2, 3] as const, sigma: null, source: 'MODEL' as const, edge: false }];
    const result = { value: null, sigma: null, details: {} };
    const t = (id: string, values: object): string => [id, ...Object.values(values)].join(' ');
    expect(
      formatMark({ kind: 'CORDINATES', points, result }, site('NN2000', 0), { language: 'en', unit: 'm' }, t),
    ).toMatch(/^E\u00a01\.000 .*\nannotate\.detail\.datum NN2000$/);
  });
});
