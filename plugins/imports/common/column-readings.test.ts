import { expect, it } from 'vitest';
import type { ColumnType, ImportColumn, ReadFormat } from '../contract/index.ts';
import { checkValue } from './check-value.ts';
import { addEvidence, findReading, type ColumnEvidence, type ReadableColumn } from './column-readings.ts';

const read = (type: ColumnType, values: readonly string[], rest: Partial<ReadableColumn> = {}) => {
  const evidence: ColumnEvidence = {};
  for (const value of values) addEvidence(evidence, value);
  const reading = findReading({ evidence, ...rest }, type);
  return reading && [reading.format, reading.by, reading.isMixed];
};
const check = (type: ColumnType, text: string, format?: ReadFormat) => {
  const { value, error } = checkValue({ type }, text, 'Europe/Oslo', { format });
  return error ? error.message.replace('imports.refused.', '') : value;
};

it('finds the order of day and month by one clear value of the column, and never guesses', () => {
  expect(read('DATETIME', ['05/11/2026', '26/11/2026 08:00', '01.02.2026'])).toEqual(['DAY_FIRST', 'VALUES', false]);
  expect(read('DATETIME', ['5/11/2026', '11/26/2026 8:00 AM'])).toEqual(['MONTH_FIRST', 'VALUES', false]);
  expect(read('DATETIME', ['05/11/2026', '06/11/2026'])).toEqual([null, null, false]);
  expect(read('DATETIME', ['26/11/2026', '11/26/2026'])).toEqual([null, null, true]);
  for (const plain of ['2026-11-26 08:00', '05/05/2026', '13/13/2026', '26/11/26', '2026/11/26', ''])
    expect(read('DATETIME', [plain]), plain).toBeUndefined();
  expect(read('TEXT', ['26/11/2026'])).toBeUndefined();
});

it('distinguishes decimal commas from thousands by the other numbers of the column', () => {
  for (const deciding of ['5,5', '0,540', '1234,540', '1.234,5', '12 540,25'])
    expect(read('NUMBER', ['91,540', deciding]), deciding).toEqual(['DECIMAL_COMMA', 'VALUES', false]);
  for (const deciding of ['1,234,567', '1,234.5'])
    expect(read('INTEGER', ['91,540', deciding]), deciding).toEqual(['THOUSANDS_COMMA', 'VALUES', false]);
  expect(read('NUMBER', ['91,540', '5.5'])).toEqual([null, null, false]);
  expect(read('NUMBER', ['91,540', '5,5', '1,234.5'])).toEqual([null, null, true]);
  expect(read('NUMBER', ['91540', '5.5'])).toBeUndefined();
});

it('follows the choice for the file, else the values, else a remembered choice, which a person must confirm for dates', () => {
  const chosenFormat = { format: 'MONTH_FIRST', formatBy: 'CHOSEN' } as const;
  const rememberedFormat = { ...chosenFormat, formatBy: 'REMEMBERED' } as const;
  expect(read('DATETIME', ['05/11/2026'], rememberedFormat)).toEqual(['MONTH_FIRST', 'REMEMBERED', false]);
  expect(read('DATETIME', ['26/11/2026', '11/26/2026'], chosenFormat)).toEqual(['MONTH_FIRST', 'CHOSEN', true]);
  expect(read('DATETIME', ['26/11/2026', '11/26/2026'], rememberedFormat)).toEqual([null, null, true]);
  expect(read('DATETIME', ['26/11/2026'], chosenFormat)).toEqual(['MONTH_FIRST', 'CHOSEN', false]);
  expect(read('DATETIME', ['26/11/2026'], rememberedFormat)).toEqual(['DAY_FIRST', 'VALUES', false]);
  expect(read('NUMBER', ['91,540'], chosenFormat)).toEqual([null, null, false]);
  const evidence = { DATE: '05/11/2026', NUMBER: '91,540' };
  const isOpen = (type: ColumnType, rest: Partial<ReadableColumn>) => findReading({ evidence, ...rest }, type)?.isOpen;
  expect(isOpen('DATETIME', rememberedFormat)).toBe(true);
  expect(isOpen('DATETIME', chosenFormat)).toBe(false);
  expect(isOpen('NUMBER', { format: 'DECIMAL_COMMA', formatBy: 'REMEMBERED' })).toBe(false);
  expect(isOpen('NUMBER', {})).toBe(true);
});

it('reads dates in the time zone of the site, by the format of the column', () => {
  for (const [written, format, value] of [
    ['26/11/2026 08:00', 'DAY_FIRST', '2026-11-26T07:00:00.000Z'],
    ['26.11.2026', 'DAY_FIRST', '2026-11-25T23:00:00.000Z'],
    ['26-11-2026 8h30', 'DAY_FIRST', '2026-11-26T07:30:00.000Z'],
    ['05/07/2026 08:00:09', 'DAY_FIRST', '2026-07-05T06:00:09.000Z'],
    ['11/26/2026 8:00 AM', 'MONTH_FIRST', '2026-11-26T07:00:00.000Z'],
    ['11/26/2026 12:30 am', 'MONTH_FIRST', '2026-11-25T23:30:00.000Z'],
    ['11/26/2026 1 p.m.', 'MONTH_FIRST', '2026-11-26T12:00:00.000Z'],
    ['05/05/2026', undefined, '2026-05-04T22:00:00.000Z'],
    ['2026-11-26 08:00', 'MONTH_FIRST', '2026-11-26T07:00:00.000Z'],
  ] as const)
    expect(check('DATETIME', written, format), written).toBe(value);
  expect(check('DATETIME', '26/11/2026')).toBe('date');
  expect(check('DATETIME', '05/11/2026', 'AS_WRITTEN')).toBe('date');
  for (const wrongValue of [
    '11/26/2026',
    '31/02/2026',
    '26/11/2026 24:00',
    '26/11/2026 13:00 PM',
    '26/11/2026 00:30 AM',
    '26/11.2026',
    '26/11/26',
  ])
    expect(check('DATETIME', wrongValue, 'DAY_FIRST'), wrongValue).toBe('dateDayFirst');
  expect(check('DATETIME', '26/11/2026', 'MONTH_FIRST')).toBe('dateMonthFirst');
});

it('proposes both readings of an ambiguous number', () => {
  const values = (text: string, format?: ReadFormat) =>
    checkValue({ type: 'NUMBER' }, text, 'UTC', { format }).error?.values;
  expect(values('91.541', 'DECIMAL_COMMA')).toEqual({ point: '91.541', whole: '91541', comma: '91,541' });
  expect(values('91,541')).toEqual({ point: '91.541', whole: '91541' });
});

it('says how a number was read that its column refuses, and that its comma may mean something else', () => {
  const find = (rules: Partial<ImportColumn>, format: ReadFormat, text = '4,420') => {
    const { error } = checkValue({ type: 'NUMBER', ...rules }, text, 'UTC', { format });
    return [error?.message.split('.').at(-1), error?.values];
  };
  const both = { written: '4,420', read: '4.420' };
  expect(find({ decimals: 2 }, 'DECIMAL_COMMA')).toEqual(['readDecimals', { ...both, count: 2 }]);
  expect(find({ type: 'INTEGER' }, 'DECIMAL_COMMA')).toEqual(['readDecimals', { ...both, count: 0 }]);
  expect(find({ min: 5 }, 'DECIMAL_COMMA')).toEqual(['readMin', { ...both, min: 5 }]);
  const thousands = { written: '4,420', read: '4420' };
  expect(find({ max: 100 }, 'THOUSANDS_COMMA')).toEqual(['readMax', { ...thousands, max: 100 }]);
  expect(find({ integerDigits: 3 }, 'THOUSANDS_COMMA')).toEqual(['readDigits', { ...thousands, count: 3 }]);
  // Numbers with one reading keep the message of their rule.
  expect(find({ decimals: 2 }, 'DECIMAL_COMMA', '4,4204')).toEqual(['decimals', { count: 2 }]);
  expect(find({ decimals: 2 }, 'DECIMAL_COMMA', '0,420')).toEqual(['decimals', { count: 2 }]);
});

it('reads numbers by the format of the column, and refuses those that stay ambiguous', () => {
  for (const [written, format, value] of [
    ['91,540', 'DECIMAL_COMMA', 91.54],
    ['-1.234,5', 'DECIMAL_COMMA', -1234.5],
    ['1.234.567', 'DECIMAL_COMMA', 1_234_567],
    ['91,540', 'THOUSANDS_COMMA', 91_540],
    ['1,234,567.5', 'THOUSANDS_COMMA', 1_234_567.5],
    ['0,540', undefined, 0.54],
    ['12\u202f540,25', undefined, 12_540.25],
    ['91\u00a0540', undefined, 91_540],
    ['91.540', undefined, 91.54],
  ] as const)
    expect(check('NUMBER', written, format), written).toBe(value);
  expect(check('NUMBER', '91,540', 'AS_WRITTEN')).toBe('comma');
  expect(check('NUMBER', '91.540', 'DECIMAL_COMMA')).toBe('point');
  for (const decimal of ['1234,540', '0,540', '5,5', '1.234,5', '12 540,25'])
    expect(check('NUMBER', decimal, 'THOUSANDS_COMMA'), decimal).toBe('numberThousandsComma');
  for (const thousands of ['1,234,567', '1,234.5'])
    expect(check('NUMBER', thousands, 'DECIMAL_COMMA'), thousands).toBe('numberDecimalComma');
  expect(check('NUMBER', '1.234,5')).toBe('core.validation.number');
});
