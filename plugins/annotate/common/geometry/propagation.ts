/**
 * How uncertain points make a value uncertain: to first order and for independent points, `variance = sum of
 * |gradient|² sigma²` (JCGM 100:2008, Guide to the expression of uncertainty in measurement, equation 10). The sigma of
 * a point counts in every direction alike: across the line of sight that stands for how well a person hits what they
 * mean. Results are one standard deviation.
 */
export interface MeasuredPoint {
  /** Site frame, metres. */
  readonly point: readonly [number, number, number];
  /** One standard deviation, metres; undefined where nobody knows. */
  readonly sigma: number | undefined;
}

/**
 * One standard deviation of a value from the length of its gradient at each point; undefined where one of the points'
 * is unknown.
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
