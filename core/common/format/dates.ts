import type { CalendarDay } from './date-ranges.ts';

/** The person's `locale` (BCP 47) and the site's `timeZone` (IANA). */
export interface DateContext {
  readonly locale: string;
  readonly timeZone: string;
}

/** Date and time with the zone's name: `21 Nov 2026, 06:00 CET`. */
export function formatInstant(instant: Date | string, { locale, timeZone }: DateContext): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(instant));
}

/** The day of an instant with the zone's name: `21 Nov 2026, CET`. */
export function formatDay(instant: Date | string, { locale, timeZone }: DateContext): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(instant));
}

/** A calendar day, which has no zone: `21 Nov 2026`. */
export function formatCalendarDay(day: CalendarDay, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`));
}

/** A range of instants, without repeating common parts, with the zone's name. */
export function formatInstants(from: Date | string, until: Date | string, { locale, timeZone }: DateContext): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).formatRange(new Date(from), new Date(until));
}

/**
 * The person's own locale of the chosen language, such as en-IN for English, or else a default locale in which the day
 * precedes the month.
 */
export function chooseLocale(language: string, preferredTags: readonly string[]): string {
  return (
    preferredTags.find((tag) => tag.toLowerCase().split('-')[0] === language) ??
    (language === 'en' ? 'en-GB' : language)
  );
}
