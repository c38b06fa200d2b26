/** A typed decimal number: digits, at most one point, a sign, and an exponent as scripts write it. */
const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a text or number; undefined if it is not a number. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !numberPattern.test(value.trim())) return undefined;
  const number = Number(value.trim());
  return Number.isFinite(number) ? number : undefined;
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
