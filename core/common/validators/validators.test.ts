import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codeChars,
  decimals,
  countDigits,
  duplicate,
  findDuplicates,
  email,
  fileType,
  findFirstError,
  integer,
  integerDigits,
  mandatory,
  mandatoryField,
  max,
  maxLength,
  min,
  minLength,
  nameChars,
  number,
  onlyNumbers,
  parseTypedNumber,
  password,
  toPointer,
  positive,
  specialChars,
  specialCharsExceptDash,
  tagNumberChars,
  timeZoneName,
  validate,
} from '#core';

describe('rules', () => {
  it('[VAL-01] requires a value other than white space', () => {
    for (const empty of [undefined, null, '', '  \t\n', []]) {
      expect(mandatory(empty)).toEqual({ message: 'core.validation.mandatory' });
      expect(mandatoryField(empty)).toEqual({ message: 'core.validation.mandatoryField' });
    }
    for (const value of ['a', ' a ', 0, false, [0]]) expect(mandatory(value)).toBeUndefined();
  });

  it('[VAL-01] requires a visible character', () => {
    const invisible = ['\u200B', '\u2060 \u00AD', '\u202E\u2066', '\uFEFF', '\u3164', '\u2800', '\uFE0F', '\u0085'];
    for (const text of invisible) {
      expect([text, mandatory(text)]).toEqual([text, { message: 'core.validation.mandatory' }]);
      expect(mandatoryField(text)).toEqual({ message: 'core.validation.mandatoryField' });
    }
    for (const text of ['\u200Ba', '\u202Eقسم\u202C', '♥\uFE0F', '🚢', '-', '中'])
      expect([text, mandatory(text)]).toEqual([text, undefined]);
  });

  it('accepts codes of letters, digits and dashes, but not of dashes alone', () => {
    for (const code of ['HB-M10', 'a', '1', '-1-', '']) expect(codeChars(code)).toBeUndefined();
    for (const code of ['-', '---']) expect(codeChars(code)).toEqual({ message: 'core.validation.format' });
    for (const code of ['K/4', 'Å', 'A B'])
      expect(codeChars(code)).toEqual({ message: 'core.validation.specialCharsExceptDash' });
  });

  it('accepts only names of time zones', () => {
    for (const valid of ['Europe/Oslo', 'UTC', '', undefined]) expect(timeZoneName(valid)).toBeUndefined();
    for (const invalid of ['Europe/Atlantis', '+01:00', 3])
      expect(timeZoneName(invalid)).toEqual({ message: 'core.validation.timeZone' });
  });

  it('[VAL-02] requires a password and accepts white space in it', () => {
    expect(password('')).toEqual({ message: 'core.validation.password' });
    expect(password(undefined)).toEqual({ message: 'core.validation.password' });
    expect(password('   ')).toBeUndefined();
  });

  it('[VAL-03] refuses negative numbers, as text or number', () => {
    for (const value of [-1, '-0.5', ' -2 ', -1e-9])
      expect(positive(value)).toEqual({ message: 'core.validation.positive' });
    for (const value of [0, '0', '-0', 3, '', undefined, 'abc']) expect(positive(value)).toBeUndefined();
  });

  it('[VAL-04] refuses decimals', () => {
    for (const value of [1.5, '0.1', '-2.25', 1e-3])
      expect(integer(value)).toEqual({ message: 'core.validation.integer' });
    for (const value of [1, '2', '2.0', '', 1e21]) expect(integer(value)).toBeUndefined();
  });

  it('[VAL-05] [VAL-06] limits numbers and the lengths of texts', () => {
    expect(max(10)(11)).toEqual({ message: 'core.validation.max', values: { max: 10 } });
    expect(max(10)('10.01')).toEqual({ message: 'core.validation.max', values: { max: 10 } });
    expect(max(10)(10)).toBeUndefined();
    expect(min(3)(2)).toEqual({ message: 'core.validation.min', values: { min: 3 } });
    expect(min(3)('3')).toBeUndefined();
    expect(maxLength(3)('abcd')).toEqual({ message: 'core.validation.maxLength', values: { max: 3 } });
    expect(maxLength(3)('é🚢c')).toBeUndefined();
    expect(minLength(3)('ab')).toEqual({ message: 'core.validation.minLength', values: { min: 3 } });
    expect(minLength(3)('')).toBeUndefined();
  });

  it('[VAL-07] limits the digits on both sides of the decimal point', () => {
    expect(decimals(2)('1.250')).toEqual({ message: 'core.validation.decimals', values: { count: 2 } });
    expect(decimals(2)(1.25)).toBeUndefined();
    expect(decimals(2)(1e-7)).toEqual({ message: 'core.validation.decimals', values: { count: 2 } });
    expect(integerDigits(3)('1234.5')).toEqual({ message: 'core.validation.integerDigits', values: { count: 3 } });
    expect(integerDigits(3)('000123')).toBeUndefined();
    expect(integerDigits(3)(1e21)).toEqual({ message: 'core.validation.integerDigits', values: { count: 3 } });
  });

  it('[VAL-07] counts the digits of any number in plain notation', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: 1, max: 9 }), (wholeNumber, places) => {
        const fraction = '7'.repeat(places);
        expect(countDigits(`${wholeNumber}.${fraction}`)).toEqual({
          integer: String(wholeNumber).length,
          decimals: places,
        });
        expect(countDigits(`${wholeNumber}${fraction}e-${places}`)).toEqual({
          integer: String(wholeNumber).length,
          decimals: places,
        });
      }),
    );
  });

  it('[VAL-08] distinguishes numbers from similar texts', () => {
    for (const value of ['abc', '1,5', '1.2.3', '--1', '0x10', 'Infinity', Number.NaN, '1 2'])
      expect(number(value)).toEqual({ message: 'core.validation.number' });
    for (const value of ['1', ' 1.5 ', '.5', '5.', '-3', '1e3', 7, '']) expect(number(value)).toBeUndefined();
    expect(onlyNumbers('12a')).toEqual({ message: 'core.validation.onlyNumbers' });
    expect(onlyNumbers('-12')).toEqual({ message: 'core.validation.onlyNumbers' });
    expect(onlyNumbers('0012')).toBeUndefined();
  });

  it('[VAL-09] checks the extension of a file', () => {
    const excel = fileType(['.xlsx']);
    for (const name of ['a.xls', 'xlsx', '.xlsx', 'a.xlsx.exe', 'a'])
      expect(excel({ name })).toEqual({ message: 'core.validation.fileType' });
    for (const name of ['a.xlsx', 'A.B.XLSX']) expect(excel(name)).toBeUndefined();
    expect(excel(undefined)).toBeUndefined();
  });

  it("[VAL-10] names a duplicate value in the default message or in the caller's", () => {
    const codes = duplicate(['HB-P01', 'HB-P02']);
    expect(codes(' hb-p01 ')).toEqual({ message: 'core.validation.duplicate', values: { value: 'hb-p01' } });
    expect(codes('HB-P03')).toBeUndefined();
    expect(duplicate(['a'], 'list.nameTaken')('A')).toEqual({ message: 'list.nameTaken', values: { value: 'A' } });
    expect(findDuplicates(['a', 'b', ' A', '', '', 'c', 'b'])).toEqual(['a', 'b']);
  });

  it('[VAL-11] refuses special characters and accepts letters of every language', () => {
    expect(specialChars('a-b')).toEqual({ message: 'core.validation.specialChars' });
    expect(specialCharsExceptDash('a_b')).toEqual({ message: 'core.validation.specialCharsExceptDash' });
    expect(specialChars('Unité 4 Ost')).toBeUndefined();
    expect(specialCharsExceptDash('Unité-4')).toBeUndefined();
  });

  it('[VAL-11] accepts punctuation in names, and double quotes in tag numbers', () => {
    for (const name of ["Unité 4 (Ost), d'en haut", 'A/B_C.D #1 + 2', 'P&ID: 7', ''])
      expect([nameChars(name), tagNumberChars(name)]).toEqual([undefined, undefined]);
    for (const character of '<>`{}[]\\|^~%*=;$!?\u0007') {
      expect(nameChars(`a${character}`)).toEqual({ message: 'core.validation.specialChars' });
      expect(tagNumberChars(`a${character}`)).toEqual({ message: 'core.validation.specialChars' });
    }
    expect(tagNumberChars('6"-PG-1001-A1')).toBeUndefined();
    expect(nameChars('6"')).toEqual({ message: 'core.validation.specialChars' });
  });

  it('checks the shape of an email address', () => {
    expect(email('a@b')).toBeUndefined();
    expect(email('élodie@b.example')).toBeUndefined();
    for (const value of ['mailto:a@b', 'A <a@b>', 'a', 'a@', '@b', 'a b@c', `${'x'.repeat(260)}@b`])
      expect(email(value)).toEqual({ message: 'core.validation.email' });
  });
});

describe('parseTypedNumber', () => {
  it('reads the decimal sign of the language and spaces between groups of three digits', () => {
    for (const text of ['1 234 567,5', '1\u202f234\u202f567,5', '1\u00a0234\u00a0567.5', ' 1234567,5 '])
      expect(parseTypedNumber(text, ',')).toBe(1_234_567.5);
    expect(parseTypedNumber('\u22126 650 121.25', '.')).toBe(-6_650_121.25);
    expect(parseTypedNumber('6 650 121', '.')).toBe(6_650_121);
    expect(parseTypedNumber('  ', ',')).toBeUndefined();
  });

  it('reads a comma as the decimal sign in each language if it cannot separate thousands', () => {
    for (const [text, value] of [
      ['5,5', 5.5],
      ['-12,25', -12.25],
      ['0,125', 0.125],
      ['1234,567', 1234.567],
      ['1,2345', 1.2345],
      ['1 234,5', 1234.5],
    ] as const)
      for (const sign of ['.', ',']) expect(parseTypedNumber(text, sign)).toBe(value);
    expect(parseTypedNumber('1,234', ',')).toBe(1.234);
  });

  it('refuses groups of other lengths and a comma that could separate thousands', () => {
    for (const text of ['12 34', '1234 567', '1,500', '-91,540', '1 234 567 ,5', '- 5', '1,5,5', '1,234.5', '1.5,5'])
      expect(parseTypedNumber(text, '.')).toBeNaN();
    for (const text of ['1,234,567', '1.234,5']) expect(parseTypedNumber(text, ',')).toBeNaN();
  });
});

describe('validate', () => {
  it('[VAL-12] returns at most one error per field, by JSON pointer', () => {
    const rules = { name: [mandatory, maxLength(5)], days: [number, positive, decimals(2)] };
    expect(validate({ name: '', days: '-1.234' }, rules)).toEqual([
      { pointer: '/name', message: 'core.validation.mandatory' },
      { pointer: '/days', message: 'core.validation.positive' },
    ]);
    expect(validate({ name: 'ok', days: '1' }, rules)).toEqual([]);
    expect(findFirstError('too long', rules.name)).toEqual({
      message: 'core.validation.maxLength',
      values: { max: 5 },
    });
    expect(toPointer('a/b', 0, 'c~')).toBe('/a~1b/0/c~0');
  });
});
