const minute = 60_000;
const spans = [
  ['days', 24 * 60 * minute],
  ['hours', 60 * minute],
  ['minutes', minute],
] as const;

export const spanUnits = spans.map(([unit]) => unit);
export interface Span {
  readonly unit: (typeof spanUnits)[number];
  readonly count: number;
}

/**
 * Converts a duration to the largest unit of which it is a whole number (days only from two on), or else to rounded
 * minutes. Undefined below half a minute.
 */
export function toSpan(milliseconds: number): Span | undefined {
  for (const [unit, length] of spans) {
    const count = milliseconds / length;
    if (Number.isInteger(count) && count >= (unit === 'days' ? 2 : 1)) return { unit, count };
  }
  const count = Math.round(milliseconds / minute);
  return count === 0 ? undefined : { unit: 'minutes', count };
}
