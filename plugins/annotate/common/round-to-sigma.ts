/** A value and its standard deviation, rounded to the same digit. */
export interface RoundedValue {
  readonly value: number;
  readonly sigma: number;
  /** Digits after the decimal mark that both have. */
  readonly decimals: number;
}

const significantDigits = 2;

/**
 * Rounds a standard deviation to two significant digits and the value to the last of them, if need be to tens or
 * hundreds.
 *
 * @param maxDecimals where finer digits say nothing; a deviation below the last of them is rounded up to it
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
