/** A date with the year last, as spreadsheets of many languages show it. Which number is the day is not known. */
export interface WrittenDate {
  readonly first: number;
  readonly second: number;
  readonly year: string;
  /** `HH:mm`. Undefined for a day alone. */
  readonly time: string | undefined;
  readonly seconds: string;
}

/** AM or PM. */
const dayPeriod = ' ?([ap])\\.?m\\.?';
const clock = `(\\d{1,2})(?:(?:[:h]([0-5]\\d)(?::([0-5]\\d))?|h)(?:${dayPeriod})?|${dayPeriod})`;
const pattern = new RegExp(`^(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4})(?:,? ${clock})?$`, 'i');

/** Parses `26/11/2026 08:00`, `26.11.2026`, `26-11-2026 8h30` or `11/26/2026 8:00 AM`. Undefined for other texts. */
export function parseWrittenDate(text: string): WrittenDate | undefined {
  const match = pattern.exec(text.replaceAll(/\s+/g, ' ').trim());
  if (!match) return undefined;
  const [, first, , second, year = '', hours, minutes = '00', seconds = '00', period = match[9]] = match;
  const day = { first: Number(first), second: Number(second), year, seconds };
  if (hours === undefined) return { ...day, time: undefined };
  const hour = to24Hours(Number(hours), period?.toLowerCase());
  return hour === undefined ? undefined : { ...day, time: `${pad(hour)}:${minutes}` };
}

/** 12 AM is midnight and 12 PM noon. Undefined for hours that a clock does not show. */
function to24Hours(hour: number, period: string | undefined): number | undefined {
  if (period === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (period === 'p' ? 12 : 0);
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-26` if the day comes first, or the month. */
export const toIsoDay = ({ first, second, year }: WrittenDate, isDayFirst: boolean): string =>
  [year, pad(isDayFirst ? second : first), pad(isDayFirst ? first : second)].join('-');

/** Which number of a written date is the day. `EITHER`: both can be, and the dates differ. */
export type DateOrder = 'DAY_FIRST' | 'MONTH_FIRST';

/** Detects the order of a date with the year last. Undefined if both orders give the same date, or none gives one. */
export function detectDateOrder({ first, second }: WrittenDate): DateOrder | 'EITHER' | undefined {
  if (first === second) return undefined;
  if (first > 12) return second > 12 ? undefined : 'DAY_FIRST';
  return second > 12 ? 'MONTH_FIRST' : 'EITHER';
}

/** Whether a text such as `2026-02-28` is a day of the calendar. Refuses 30 February, which `Date` would move to March. */
export function isDay(day: string | undefined): day is `${number}-${number}-${number}` {
  if (day === undefined) return false;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
