/** A value and its standard deviation, rounded to the same digit. */
export interface RoundedValue {
  readonly value: number;
  readonly sigma: number;
  /** The number of decimals of value and sigma. */
  readonly decimals: number;
}

const significantDigits = 2;

/**
 * Rounds a standard deviation to two significant digits and the value to the same digit, which may be that of the tens
 * or hundreds.
 *
 * @param maxDecimals the largest number of decimals. A smaller deviation is rounded up to the last decimal.
 * @see JCGM 100:2008, Guide to the expression of uncertainty in measurement, 7.2.6
 */
export function roundToSigma(value: number, sigma: number, maxDecimals: number): RoundedValue {
  const roundedSigma = Math.max(Number(sigma.toPrecision(significantDigits)), 10 ** -maxDecimals);
  const digit = Math.min(maxDecimals, significantDigits - 1 - Math.floor(Math.log10(roundedSigma)));
  const decimals = Math.max(0, digit);
  const round = (number: number): number =>
    digit < 0 ? Math.round(number * 10 ** digit) / 10 ** digit : Number(number.toFixed(decimals));
  return { value: round(value), sigma: round(roundedSigma), decimals };
}
