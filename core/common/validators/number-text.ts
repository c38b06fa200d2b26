/** A typed decimal number: digits, at most one point, a sign, and an exponent as scripts write it. */
const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a text or number; undefined if it is not a number. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !numberPattern.test(value.trim())) return undefined;
  const number = Number(value.trim());
  return Number.isFinite(number) ? number : undefined;
}

/** Digits in groups of three, such as `6 650 121`: by spaces, or by the no-break spaces that French formats contain. */
const groupedPattern = /^[+-]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d*)?$/;

/** Whether the comma could separate thousands, as in `1,500`. It cannot in `5,5`, `0,125` and `1234,567`. */
const thousandsPattern = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * Parses a number as a person types or pastes it: undefined if empty, NaN if the text is not a number. Accepts a point
 * in each language. Accepts a comma where it is the decimal sign, and elsewhere unless it could separate thousands:
 * `5,5` is 5.5 in English, and `1,500` is refused.
 */
export function parseTypedNumber(text: string, decimalSign: string): number | undefined {
  const typedText = text
    .trim()
    .replace(decimalSign, '.')
    .replace(/^\u2212/, '-');
  const trimmed = thousandsPattern.test(typedText) ? typedText : typedText.replace(',', '.');
  if (trimmed === '') return undefined;
  return toNumber(groupedPattern.test(trimmed) ? trimmed.replaceAll(/\s/g, '') : trimmed) ?? NaN;
}

/**
 * Counts the digits before and after the decimal point, with the exponent applied. A text counts as typed: `1.50` has
 * two decimals.
 */
export function countDigits(value: unknown): { readonly integer: number; readonly decimals: number } | undefined {
  if (toNumber(value) === undefined) return undefined;
  const [mantissa = '', exponent = '0'] = String(value).trim().toLowerCase().replace(/^[+-]/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  return {
    integer: digits.slice(0, Math.max(point, 0)).replace(/^0+/, '').length + Math.max(point - digits.length, 0),
    decimals: Math.max(fraction.length - shift, 0),
  };
}
