const minuteMs = 60_000;
const units = [
  ['days', 24 * 60 * minuteMs],
  ['hours', 60 * minuteMs],
  ['minutes', minuteMs],
] as const;

export const timeSpanUnits = units.map(([unit]) => unit);
export interface TimeSpan {
  readonly unit: (typeof timeSpanUnits)[number];
  readonly count: number;
}

/**
 * Converts a duration to the largest unit of which it is a whole number, or else to rounded minutes. One day becomes 24
 * hours. Undefined below half a minute.
 */
export function toTimeSpan(milliseconds: number): TimeSpan | undefined {
  for (const [unit, unitMs] of units) {
    const count = milliseconds / unitMs;
    if (Number.isInteger(count) && count >= (unit === 'days' ? 2 : 1)) return { unit, count };
  }
  const count = Math.round(milliseconds / minuteMs);
  return count === 0 ? undefined : { unit: 'minutes', count };
}
