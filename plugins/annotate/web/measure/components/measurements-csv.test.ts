import { describe, expect, it } from 'vitest';
import type { LengthUnit } from '#core';
import type { Measurement } from '#plugins/annotate';
import { formatResult } from './format-result.ts';
import { formatMeasurementsCsv } from './measurements-csv.ts';

const buildMeasurement = (changes: Partial<Measurement>): Measurement => ({
  uid: 'u',
  location: 'lower',
  kind: 'DISTANCE',
  name: 'A',
  points: [
    { point: [1, 2, 3], sigma: 0.002, source: 'MODEL', edge: false },
    { point: [1, 2, 4.5], sigma: null, source: 'MODEL', edge: false },
  ],
  result: { value: 1.5, sigma: null, details: {} },
  unit: 'm',
  tour: 'T1',
  node: 'N1',
  view: null,
  shared: false,
  version: 1,
  author: 'ann',
  own: true,
  editable: true,
  createdAt: '2026-11-21T09:00:00Z',
  updatedAt: '2026-11-21T09:00:00Z',
  ...changes,
});

describe('measurementsCsv', () => {
  it('[TOUR-08] writes each measurement as a row of CSV without executable formulas', () => {
    const csv = formatMeasurementsCsv(
      [
        buildMeasurement({ name: '=HYPERLINK("x")' }),
        buildMeasurement({ kind: 'AREA', name: 'Plate, "left"', result: { value: 2, sigma: 0.01, details: {} } }),
        buildMeasurement({
          kind: 'DIAMETER',
          result: { value: 0.1683, sigma: 0.0004, details: { nps: '1 1/2', dn: 40 } },
        }),
        buildMeasurement({ kind: 'ANGLE', result: { value: 90, sigma: 0.1, details: {} } }),
        buildMeasurement({ kind: 'CORDINATES', result: { value: null, sigma: null, details: {} } }),
      ],
      'mm',
      () => 'UTC',
    );
    const [head, ...rows] = csv.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(head).toBe('name,kind,value,sigma,unit,nps,dn,points,node,location,author,created,time_zone,shared');
    expect(rows).toEqual([
      '"\'=HYPERLINK(""x"")",DISTANCE,1500,,mm,,,1 2 3; 1 2 4.5,N1,lower,ann,2026-11-21T09:00:00+00:00,UTC,false',
      '"Plate, ""left""",AREA,2000000,10000,mm2,,,1 2 3; 1 2 4.5,N1,lower,ann,2026-11-21T09:00:00+00:00,UTC,false',
      expect.stringMatching(/^A,DIAMETER,168\.3,0\.4,mm,1 1\/2,40,/) as string,
      expect.stringContaining('A,ANGLE,90,0.1,deg') as string,
      expect.stringContaining('A,CORDINATES,,,mm') as string,
    ]);
  });

  it('[TOUR-08] writes a value and its uncertainty to the same digit, as on screen', () => {
    const exportColumns = (result: Measurement['result'], unit: LengthUnit, kind: Measurement['kind'] = 'DISTANCE') =>
      formatMeasurementsCsv([buildMeasurement({ kind, result })], unit, () => 'UTC')
        .split('\r\n')[1]
        ?.split(',')
        .slice(2, 5);
    const result = { value: 1.0747, sigma: 0.0212, details: {} };
    expect([exportColumns(result, 'm'), exportColumns(result, 'ft'), exportColumns(result, 'mm')]).toEqual([
      ['1.075', '0.021', 'm'],
      ['3.526', '0.07', 'ft'],
      ['1075', '21', 'mm'],
    ]);
    expect(exportColumns({ value: 45.4567, sigma: 1.234, details: {} }, 'm', 'ANGLE')).toEqual(['45.5', '1.2', 'deg']);
  });

  it('[TOUR-08] writes dates in the time zone of the site, with a column for the zone', () => {
    const zones: Readonly<Record<string, string>> = { bravo: 'Europe/Oslo', mumbai: 'Asia/Kolkata' };
    const csv = formatMeasurementsCsv(
      [
        buildMeasurement({ location: 'bravo', createdAt: '2026-06-21T22:30:00.000Z' }),
        buildMeasurement({ location: 'bravo', createdAt: '2026-11-21T22:30:00.000Z' }),
        buildMeasurement({ location: 'mumbai', createdAt: '2026-06-21T22:30:00.000Z' }),
      ],
      'm',
      (location) => zones[location] ?? 'UTC',
    );
    const [, ...rows] = csv.trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',').slice(-3, -1))).toEqual([
      ['2026-06-22T00:30:00+02:00', 'Europe/Oslo'],
      ['2026-11-21T23:30:00+01:00', 'Europe/Oslo'],
      ['2026-06-22T04:00:00+05:30', 'Asia/Kolkata'],
    ]);
  });

  it('[TOUR-10] has values that the screen shows in the chosen unit and language', () => {
    const { points, result } = buildMeasurement({});
    expect(formatResult('HEIGHT', points, result, { language: 'en', unit: 'ftUS' })).toBe('4.921\u00a0US survey ft');
    expect(formatResult('HEIGHT', points, { ...result, sigma: 0.0028 }, { language: 'fr', unit: 'm' })).toBe(
      '1,5000\u00a0±\u00a00,0028\u00a0m',
    );
    expect(formatResult('AREA', points, result, { language: 'en', unit: 'ft' })).toBe('16.15\u00a0ft²');
    expect(
      formatResult('ANGLE', points, { value: 45.5, sigma: 0.21, details: {} }, { language: 'en', unit: 'ft' }),
    ).toBe('45.50\u00a0±\u00a00.21°');
    expect(formatResult('CORDINATES', points, result, { language: 'en', unit: 'm' })).toBe(
      'E\u00a01.000 N\u00a02.000 Z\u00a03.000\u00a0m',
    );
  });
});
