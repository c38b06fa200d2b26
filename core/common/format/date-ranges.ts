export const dateFilters = ['TODAY', 'TOMORROW', 'NEXT_WEEK', 'DATE_RANGE', 'MONTH_RANGE'] as const;
export type DateFilter = (typeof dateFilters)[number];

/** A calendar day, `2026-11-21`, without a time zone. */
export type CalendarDay = string;
/** First and last day, inclusive. */
export interface DayRange {
  readonly first: CalendarDay;
  readonly last: CalendarDay;
}

/** The calendar day of an instant in a time zone. */
export function dayAt(instant: Date, timeZone: string): CalendarDay {
  return wallTimeAt(instant, timeZone).slice(0, 10);
}

export function addDays(day: CalendarDay, days: number): CalendarDay {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** 1 for Monday to 7 for Sunday (ISO 8601). */
export function getWeekday(day: CalendarDay): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** The days of a filter. NEXT_WEEK is Monday to Friday of the next week. */
export function toDayRange(filter: 'TODAY' | 'TOMORROW' | 'NEXT_WEEK', now: Date, timeZone: string): DayRange {
  const today = dayAt(now, timeZone);
  if (filter === 'TODAY') return { first: today, last: today };
  if (filter === 'TOMORROW') return { first: addDays(today, 1), last: addDays(today, 1) };
  const monday = addDays(today, 8 - getWeekday(today));
  return { first: monday, last: addDays(monday, 4) };
}

/** All days of a month; `month` from 1 to 12. */
export function daysOfMonth(year: number, month: number): DayRange {
  const start = new Date(Date.UTC(year, month - 1, 1));
  return {
    first: start.toISOString().slice(0, 10),
    last: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10),
  };
}

/** The instant at which a day begins in a time zone: midnight, or the first moment after it if clocks skip midnight. */
export function startOfDay(day: CalendarDay, timeZone: string): Date {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const candidates = [-24, -12, 0, 12, 24]
    .map((hours) => utc - offsetAt(new Date(utc + hours * 3_600_000), timeZone))
    .filter((time) => dayAt(new Date(time), timeZone) === day);
  const earliest = Math.min(...candidates);
  return new Date(Number.isFinite(earliest) ? earliest : utc);
}

/** Local date and time, `2026-11-21T06:00`, as `datetime-local` inputs use it. */
export type WallTime = string;

export function wallTimeAt(instant: Date, timeZone: string): WallTime {
  return new Date(instant.getTime() + offsetAt(instant, timeZone)).toISOString().slice(0, 16);
}

/**
 * The instant of a local time: the first of two if clocks go back, and the offset before the change if clocks skip it.
 * Returns an invalid date for invalid input, such as a five-digit year.
 */
export function instantAt(wallTime: WallTime, timeZone: string): Date {
  const utc = Date.parse(`${wallTime}Z`);
  if (Number.isNaN(utc)) return new Date(Number.NaN);
  const offsets = [-24, 24].map((hours) => offsetAt(new Date(utc + hours * 3_600_000), timeZone));
  const candidates = offsets
    .map((offset) => new Date(utc - offset))
    .filter((candidate) => wallTimeAt(candidate, timeZone) === wallTime);
  const [first] = candidates.toSorted((a, b) => a.getTime() - b.getTime());
  return first ?? new Date(utc - (offsets[0] ?? 0));
}

/** Noon of a day in a time zone, for data known only by its day. */
export function noonAt(day: CalendarDay, timeZone: string): Date {
  return instantAt(`${day}T12:00`, timeZone);
}

/** ISO 8601 with the time zone's offset, for machine-readable files: `2026-11-21T06:00:00+01:00`. */
export function formatIsoAt(instant: Date | string, timeZone: string): string {
  const date = new Date(instant);
  const offset = offsetAt(date, timeZone);
  const minutes = Math.abs(Math.round(offset / 60_000));
  const sign = offset < 0 ? '-' : '+';
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const wallText = new Date(date.getTime() + offset).toISOString().slice(0, 19);
  return `${wallText}${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** The instants of a range of days in a time zone: `from` is inclusive, `until` exclusive. */
export function toInstants({ first, last }: DayRange, timeZone: string): { readonly from: Date; readonly until: Date } {
  return { from: startOfDay(first, timeZone), until: startOfDay(addDays(last, 1), timeZone) };
}

const dayMs = 86_400_000;
const maxCachedOffsets = 20_000;
/** By time zone and number of the UTC day since 1970. */
const offsetByDay = new Map<string, number>();

/** Offset of the time zone from UTC in milliseconds. Cached per day, except on days with a clock change. */
function offsetAt(instant: Date, timeZone: string): number {
  const day = Math.floor(instant.getTime() / dayMs);
  const offset = offsetAtStart(day, timeZone);
  return offset === offsetAtStart(day + 1, timeZone) ? offset : computeOffset(instant, timeZone);
}

function offsetAtStart(day: number, timeZone: string): number {
  const key = `${timeZone} ${day}`;
  const cached = offsetByDay.get(key);
  if (cached !== undefined) return cached;
  const offset = computeOffset(new Date(day * dayMs), timeZone);
  if (offsetByDay.size >= maxCachedOffsets) offsetByDay.clear();
  offsetByDay.set(key, offset);
  return offset;
}

function computeOffset(instant: Date, timeZone: string): number {
  const parts = getZoneFormatter(timeZone).formatToParts(instant);
  const readPart = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const wallClock = new Date(0);
  // Date.UTC would map the years 0 to 99 to the 20th century.
  wallClock.setUTCFullYear(readPart('year'), readPart('month') - 1, readPart('day'));
  wallClock.setUTCHours(readPart('hour'), readPart('minute'), readPart('second'));
  return wallClock.getTime() - Math.floor(instant.getTime() / 1000) * 1000;
}

const zoneFormatters = new Map<string, Intl.DateTimeFormat>();
/** Formatters are cached because creating one takes far longer than using it. */
function getZoneFormatter(timeZone: string): Intl.DateTimeFormat {
  const cached =
    zoneFormatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  zoneFormatters.set(timeZone, cached);
  return cached;
}
