/**
 * Propagation of uncertainty, to first order and for independent points: `variance = sum of |gradient|² sigma²`. The
 * sigma of a point is isotropic: across the line of sight it covers the precision of the click. Results are one
 * standard deviation.
 *
 * @see JCGM 100:2008 (GUM), equation 10
 */
export interface MeasuredPoint {
  /** Site frame, metres. */
  readonly point: readonly [number, number, number];
  /** One standard deviation, metres; undefined if unknown. */
  readonly sigma: number | undefined;
}

/**
 * One standard deviation of a value, from the length of its gradient at each point. Undefined if a point's sigma is
 * unknown.
 */
export function propagate(
  parts: readonly (readonly [gradient: number, sigma: number | undefined])[],
): number | undefined {
  let variance = 0;
  for (const [gradient, sigma] of parts) {
    if (gradient === 0) continue;
    if (sigma === undefined) return undefined;
    variance += (gradient * sigma) ** 2;
  }
  return Math.sqrt(variance);
}
