import { expect, it } from 'vitest';
import type { SiteUnit } from '#core';
import type { ImportColumn } from '../contract/index.ts';
import { checkValue } from './check-value.ts';
import {
  createUnitConverter,
  findColumnUnit,
  findUnitConflict,
  findUnitReading,
  type MeasuredHeader,
} from './column-units.ts';

const build = (header: string, type: ImportColumn['type'] = 'NUMBER'): ImportColumn => ({
  id: 'z',
  header: { en: header, fr: header },
  type,
});
const height = build('Z (m)');
const read = (header: string, rest: Partial<MeasuredHeader> = {}, column = height) => {
  const { unit, by, isOpen } = findUnitReading({ header, ...rest }, column) ?? {};
  return [unit, by, isOpen];
};
const convert = (value: number, unit: MeasuredHeader['unit'], column = height) =>
  createUnitConverter(findUnitReading({ header: 'Z', unit: unit! }, column), column)?.(value);

it('recognizes length columns by the unit in their own header', () => {
  expect([height, build('OD (mm)'), build('Pan (°)'), build('X (%)'), build('Z')].map(findColumnUnit)).toEqual([
    'm',
    'mm',
    undefined,
    undefined,
    undefined,
  ]);
  expect(findColumnUnit(build('DN (mm)', 'INTEGER'))).toBeUndefined();
});

it('reads in the unit that a person chose, else that of the header, else that of the column', () => {
  expect(read('Elev (ft)')).toEqual(['ft', 'HEADER', false]);
  expect(read('Elev (ft)', { unit: 'ftUS' })).toEqual(['ftUS', 'CHOSEN', false]);
  expect(read('Elev')).toEqual(['m', 'COLUMN', false]);
  expect(read('Elev (km)')).toEqual(['m', 'COLUMN', false]);
  expect(read('Outside diameter', {}, build('OD (mm)'))).toEqual(['mm', 'COLUMN', false]);
  expect(read('Pan (°)', { unit: 'ft' }, build('Pan (°)'))).toEqual([undefined, undefined, undefined]);
});

it('requires a person to confirm the unit if the header mentions it before its end', () => {
  for (const header of ['Elev (ft MSL)', 'Elevation (feet, NAVD88)', 'Elev ft (NAVD88)', 'ELEV_FT_MSL'])
    expect(read(header), header).toEqual(['ft', 'HEADER', true]);
  expect(read('Elev (ft MSL)', { unit: 'm' })).toEqual(['m', 'CHOSEN', false]);
  for (const header of ['Elevation in site frame', 'Pi level', 'Elev (m MSL)'])
    expect(read(header), header).toEqual(['m', 'COLUMN', false]);
});

it('requires a person to confirm the unit at a site in feet, unless the header has one', () => {
  const at = (siteUnit: SiteUnit, header: string, column = height) => read(header, { siteUnit }, column);
  expect(at('ftUS', 'Elev')).toEqual(['ftUS', 'SITE', true]);
  expect(at('ft', 'Z')).toEqual(['ft', 'SITE', true]);
  expect(at('ftUS', 'Elev (ft)')).toEqual(['ftUS', 'SITE', true]);
  expect(at('ft', 'Elev (ft)')).toEqual(['ft', 'HEADER', false]);
  expect(at('ftUS', 'Elev (international ft)')).toEqual(['ft', 'HEADER', false]);
  expect(at('ftUS', 'Diameter (ft, nominal)', build('OD (mm)'))).toEqual(['ftUS', 'HEADER', true]);
  expect(at('ftUS', 'Z (m)')).toEqual(['m', 'HEADER', false]);
  expect(at('ftUS', 'Elev (US ft)')).toEqual(['ftUS', 'HEADER', false]);
  expect(at('ftUS', 'Outside diameter', build('OD (mm)'))).toEqual(['mm', 'COLUMN', false]);
  expect(read('Elev', { siteUnit: 'ftUS', unit: 'm' })).toEqual(['m', 'CHOSEN', false]);
});

it('converts by exact factors to the unit of the column', () => {
  expect(convert(3937, 'ftUS')).toBe(1200);
  expect(convert(1_000_000, 'ftUS')).toBe(304_800.609601);
  expect(convert(1_000_000, 'ft')).toBe(304_800);
  expect(convert(12.5, 'ft')).toBe(3.81);
  expect(convert(1, 'in', build('OD (mm)'))).toBe(25.4);
  expect(convert(1, 'ft', { ...height, decimals: 2 })).toBe(0.3);
  expect(convert(1, 'm')).toBeUndefined();
});

it('checks converted numbers by the rules of the column, and does not convert other texts', () => {
  const check = (writtenValue: string | number, format?: 'DECIMAL_COMMA') =>
    checkValue({ ...height, max: 100 }, writtenValue, 'UTC', { format, convert: (value) => value * 0.3048 });
  expect(check(100).value).toBe(30.48);
  expect(check('12,5', 'DECIMAL_COMMA').value).toBeCloseTo(3.81, 12);
  expect(check(400)).toMatchObject({ value: 121.92, error: { message: 'core.validation.max' } });
  expect(check('high')).toMatchObject({ value: 'high', error: { message: 'core.validation.number' } });
});

it('offers both readings of a number in the unit of the column, in which it is corrected', () => {
  const check = (writtenText: string, format?: 'DECIMAL_COMMA') =>
    checkValue({ ...height, max: 200 }, writtenText, 'UTC', { format, convert: (value) => value * 0.25 });
  expect(check('1.234', 'DECIMAL_COMMA')).toEqual({
    value: '1.234',
    error: { message: 'imports.refused.readingsConverted', values: { point: '0.3085', whole: '308.5' } },
  });
  expect(check('900,500', 'DECIMAL_COMMA').error).toEqual({
    message: 'imports.refused.readMax',
    values: { written: '900,500', read: '225.125', max: 200 },
  });
});

it('finds units that cannot be converted', () => {
  expect(findUnitConflict('Elev (km)', height)).toEqual({ unit: 'km', read: 'm' });
  expect(findUnitConflict('Pan (rad)', build('Pan (°)'))).toEqual({ unit: 'rad', read: '°' });
  expect(findUnitConflict('DN (in)', build('DN (mm)', 'INTEGER'))).toEqual({ unit: 'in', read: 'mm' });
  for (const header of ['Elev (ft)', 'Elev', 'Elev (m)'])
    expect(findUnitConflict(header, height), header).toBeUndefined();
});
