/** A point with isotropic uncertainty, which includes the precision of the click. */
export interface MeasuredPoint {
  /** Site frame, metres. */
  readonly point: readonly [number, number, number];
  /** One standard deviation in metres, or undefined if unknown. */
  readonly sigma: number | undefined;
}

/**
 * Propagates the uncertainty of independent points to first order: `variance = sum of |gradient|² sigma²`. Returns one
 * standard deviation, or undefined if a point's sigma is unknown.
 *
 * @see JCGM 100:2008 (GUM), equation 10
 */
export function propagate(
  terms: readonly (readonly [gradient: number, sigma: number | undefined])[],
): number | undefined {
  let variance = 0;
  for (const [gradient, sigma] of terms) {
    if (gradient === 0) continue;
    if (sigma === undefined) return undefined;
    variance += (gradient * sigma) ** 2;
  }
  return Math.sqrt(variance);
}
