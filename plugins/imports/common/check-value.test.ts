import { expect, it } from 'vitest';
import type { ColumnType, ImportColumn } from '../contract/index.ts';
import { checkValue, type RawValue } from './check-value.ts';

const check = (column: Partial<ImportColumn>, raw: RawValue, zone = 'Europe/Oslo') => {
  const { value, error } = checkValue({ type: 'TEXT', ...column }, raw, zone);
  return error ? error.message : value;
};

it('trims texts and collapses their spaces, and keeps the lines of long ones', () => {
  expect(check({ type: 'NAME' }, '  a \u00a0 b\n c ')).toBe('a b c');
  expect(check({ type: 'TEXT' }, ' a  b \r\n c ')).toBe('a b\nc');
  expect(check({ type: 'CODE' }, 12)).toBe('12');
});

it('[VAL-01] requires a value in required columns, and takes empty lists and invisible characters for none', () => {
  for (const empty of [null, '', ' ', '\u200b', [], ['']]) {
    expect(check({ type: 'NAME', required: true }, empty)).toBe('core.validation.mandatoryField');
    expect(check({ type: 'LIST', required: true }, empty === '\u200b' ? '' : empty)).toBe(
      'core.validation.mandatoryField',
    );
    if (empty !== '\u200b') expect(check({ type: 'NAME' }, empty)).toBeNull();
  }
});

it('[VAL-12] applies the rules of forms to each type of column', () => {
  expect(check({ type: 'CODE' }, 'A_1')).toBe('core.validation.specialCharsExceptDash');
  expect(check({ type: 'NAME' }, 'a;b')).toBe('core.validation.specialChars');
  expect(check({ type: 'TAGNO' }, '6"-PG-1001-A1')).toBe('6"-PG-1001-A1');
  expect(check({ type: 'NAME', maxLength: 3 }, 'abcd')).toBe('core.validation.maxLength');
  expect(check({ type: 'NUMBER' }, '1,500')).toBe('imports.refused.comma');
  expect(check({ type: 'NUMBER' }, true)).toBe('core.validation.number');
  expect(check({ type: 'INTEGER' }, '1.5')).toBe('core.validation.integer');
  expect(check({ type: 'NUMBER', min: 0 }, -1)).toBe('core.validation.positive');
  expect(check({ type: 'NUMBER', max: 24 }, 25)).toBe('core.validation.max');
  expect(check({ type: 'NUMBER', decimals: 2 }, '1.234')).toBe('core.validation.decimals');
  expect(check({ type: 'NUMBER', integerDigits: 2 }, 123)).toBe('core.validation.integerDigits');
  expect(check({ type: 'NUMBER' }, ' 1.50 ')).toBe(1.5);
});

it('reads a comma as a decimal comma only where it cannot separate thousands', () => {
  for (const [written, read] of [
    ['5,5', 5.5],
    ['-90,25', -90.25],
    ['1,2345', 1.2345],
  ] as const)
    expect(check({ type: 'NUMBER' }, written)).toBe(read);
  for (const text of ['1,234,567', '1.234,5', ',5', '5,'])
    expect(check({ type: 'NUMBER' }, text)).toBe('core.validation.number');
  expect(checkValue({ type: 'NUMBER' }, '91,540', 'UTC')).toEqual({
    value: '91,540',
    error: { message: 'imports.refused.comma', values: { point: '91.540', whole: '91540' } },
  });
});

it('reads booleans, choices and lists in both languages', () => {
  for (const yes of ['Y', 'yes', 'Oui', true, 1]) expect(check({ type: 'BOOLEAN' }, yes)).toBe(true);
  expect(check({ type: 'BOOLEAN' }, 'maybe')).toBe('imports.refused.boolean');
  const values = [{ value: 'RED', label: { en: 'Red', fr: 'Rouge' } }];
  expect(check({ type: 'ENUM', values }, 'rouge')).toBe('RED');
  expect(check({ type: 'ENUM', values }, 'blue')).toBe('imports.refused.enum');
  const synonyms = [{ text: 'PINK', value: 'RED', warning: 'colour.warning' }];
  expect(checkValue({ type: 'ENUM', values, synonyms }, 'pink', 'UTC')).toEqual({
    value: 'RED',
    warning: { message: 'colour.warning' },
  });
  expect(check({ type: 'LIST' }, 'a; b ;;c')).toEqual(['a', 'b', 'c']);
});

it('reads words without their accents, with any apostrophe or hyphen, and other words for a value', () => {
  const values = [
    { value: 'DE_ISOLATION', label: { en: 'De-isolation', fr: 'Déconsignation d’essai' }, words: ['Mise à l’œuvre'] },
    { value: 'ZONE-0', label: { en: 'Zone 0', fr: 'Zone 0' } },
    { value: 'ZONE-1', label: { en: 'Zone 1', fr: 'Zone 1' } },
  ];
  for (const word of [
    'de isolation',
    'DÉCONSIGNATION D’ESSAI',
    "deconsignation d'essai",
    "Mise a l'oeuvre",
    'mise à l‘œuvre',
  ])
    expect(check({ type: 'ENUM', values }, word), word).toBe('DE_ISOLATION');
  expect(check({ type: 'ENUM', values }, 'zone 1')).toBe('ZONE-1');
  expect(check({ type: 'ENUM', values }, 'Zone')).toBe('imports.refused.enum');
});

it('reads dates as wall times of the site, and refuses ambiguous ones', () => {
  expect(check({ type: 'DATETIME' }, '2026-07-01 06:00')).toBe('2026-07-01T04:00:00.000Z');
  expect(check({ type: 'DATETIME' }, new Date('2026-01-01T06:00:00Z'))).toBe('2026-01-01T05:00:00.000Z');
  expect(check({ type: 'DATETIME' }, '2026-01-01T06:00:00+05:30')).toBe('2026-01-01T00:30:00.000Z');
  // Seconds are kept, parts of them are not: an export equals what was imported.
  for (const exact of [new Date('2026-01-01T06:00:07.0004Z'), '2026-01-01 06:00:07', '2026-01-01T05:00:07.9Z'])
    expect(check({ type: 'DATETIME' }, exact)).toBe('2026-01-01T05:00:07.000Z');
  for (const wrongValue of ['01/02/2026', '2026-02-30', '2026-13-01', 'today', 44_000])
    expect(check({ type: 'DATETIME' }, wrongValue)).toBe('imports.refused.date');
});

it('reports a cell that contains an error of the spreadsheet', () => {
  expect(check({}, { error: '#REF!' })).toBe('imports.refused.cellError');
});

it('warns of a date in a text column, and reads leading zeros in a number column', () => {
  const find = (type: ColumnType, value: RawValue) => checkValue({ type }, value, 'UTC');
  expect(find('NAME', new Date('2026-11-26T00:00Z'))).toEqual({
    value: '2026-11-26 00:00',
    warning: { message: 'imports.refused.textIsDate', values: { value: '2026-11-26 00:00' } },
  });
  expect(find('TEXT', '2026-11-26 00:00').warning).toBeDefined();
  expect(find('TEXT', 'Since 2026-11-26 00:00').warning).toBeUndefined();
  expect(find('CODE', '00123')).toEqual({ value: '00123' });
  expect([find('NUMBER', '00123'), find('INTEGER', '00000')]).toEqual([{ value: 123 }, { value: 0 }]);
});

it('warns how a cell that shows a percentage is read', () => {
  const find = (type: ColumnType, rest: Partial<ImportColumn> = {}) =>
    checkValue({ type, ...rest }, { percent: 0.055 }, 'UTC');
  const warning = { message: 'imports.refused.percent', values: { shown: '5.5 %', read: 0.055 } };
  expect(find('NUMBER')).toEqual({ value: 0.055, warning });
  expect(find('TEXT')).toEqual({ value: '0.055', warning });
  expect(find('NUMBER', { header: { en: 'X (%)', fr: 'X (%)' } })).toEqual({ value: 5.5 });
  expect(find('NUMBER', { decimals: 2 })).toEqual({
    value: 0.055,
    error: { message: 'core.validation.decimals', values: { count: 2 } },
  });
});

it('reads 24:00 as the end of the day, and refuses later hours', () => {
  const find = (text: string) => checkValue({ type: 'DATETIME' }, text, 'Europe/Oslo');
  expect(find('2126-11-26 24:00')).toEqual({ value: '2126-11-26T23:00:00.000Z' });
  expect(find('2126-12-31 24:00').value).toBe('2126-12-31T23:00:00.000Z');
  expect(find('2126-11-26 25:00').error).toBeDefined();
  expect(find('2126-11-26 24:01').error).toBeDefined();
});

it('warns how a day without a time is read if it begins or ends a period', () => {
  const find = (raw: RawValue, periodEdge?: 'START' | 'END') => {
    const { value, warning } = checkValue(
      { type: 'DATETIME', ...(periodEdge ? { periodEdge } : {}) },
      raw,
      'Europe/Oslo',
      {
        format: 'MONTH_FIRST',
      },
    );
    return [value, warning?.message, warning?.values?.['value']];
  };
  const day = new Date('2126-11-27T00:00Z');
  const read = '2126-11-26T23:00:00.000Z';
  const dayText = '2126-11-27 00:00';
  for (const cellValue of ['11/27/2126', '2126-11-27', { day }, { day: dayText }]) {
    expect(find(cellValue, 'START')).toEqual([read, 'imports.refused.dayStarts', dayText]);
    expect(find(cellValue, 'END')).toEqual([read, 'imports.refused.dayEnds', dayText]);
    expect(find(cellValue)).toEqual([read, undefined, undefined]);
  }
  for (const cellValue of ['11/27/2126 0:00', dayText, day, '2126-11-26T23:00:00Z'])
    expect(find(cellValue, 'END')).toEqual([read, undefined, undefined]);
  expect(checkValue({ type: 'NAME' }, { day }, 'UTC')).toMatchObject({ value: dayText, warning: {} });
});

it('warns which instant is read for a time that clocks skip or repeat', () => {
  const find = (text: string, zone = 'Europe/Oslo') => {
    const { value, warning } = checkValue({ type: 'DATETIME' }, text, zone);
    return [value, warning && `${warning.message.split('.').at(-1)} ${warning.values?.['read']}`];
  };
  expect(find('2126-03-31 02:30')).toEqual(['2126-03-31T01:30:00.000Z', 'timeSkipped 2126-03-31 03:30:00+02:00']);
  expect(find('2126-10-27 02:30')).toEqual(['2126-10-27T00:30:00.000Z', 'timeTwice 2126-10-27 02:30:00+02:00']);
  for (const usual of ['2126-03-31 01:59', '2126-03-31 03:00', '2126-10-27 01:59', '2126-10-27 03:00'])
    expect(find(usual)[1], usual).toBeUndefined();
  expect(find('2126-10-27T02:30:00+01:00')[1]).toBeUndefined();
  // Lord Howe changes its clocks by half an hour.
  expect(find('2126-04-07 01:45', 'Australia/Lord_Howe')[1]).toBe('timeTwice 2126-04-07 01:45:00+11:00');
});
