/** A value and its standard deviation, rounded to the same digit. */
export interface RoundedValue {
  readonly value: number;
  readonly sigma: number;
  /** Number of decimals of both. */
  readonly decimals: number;
}

const significantDigits = 2;

/**
 * Rounds a standard deviation to two significant digits and the value to the last of them, if needed to tens or
 * hundreds.
 *
 * @param maxDecimals limit of useful decimals; a smaller deviation is rounded up to the last of them
 * @see JCGM 100:2008, Guide to the expression of uncertainty in measurement, 7.2.6
 */
export function roundToSigma(value: number, sigma: number, maxDecimals: number): RoundedValue {
  const shownSigma = Math.max(Number(sigma.toPrecision(significantDigits)), 10 ** -maxDecimals);
  const digit = Math.min(maxDecimals, significantDigits - 1 - Math.floor(Math.log10(shownSigma)));
  const decimals = Math.max(0, digit);
  const round = (number: number): number =>
    digit < 0 ? Math.round(number * 10 ** digit) / 10 ** digit : Number(number.toFixed(decimals));
  return { value: round(value), sigma: round(shownSigma), decimals };
}
