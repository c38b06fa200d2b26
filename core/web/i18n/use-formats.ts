import {
  formatCalendarDay,
  formatCompact,
  formatDay,
  formatInstant,
  formatInstants,
  formatLength,
  formatNumber,
  formatPercent,
  lengthUnits,
  localeFor,
  type CalendarDay,
  type LengthUnit,
} from '#core';
import { I18n, Session, Sites } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';

/** Formats numbers, lengths and times for the person. */
export interface Formats {
  /** With Indian grouping. */
  number(value: number, decimals?: number): string;
  /** K from 1000, M from 1,000,000. */
  compact(value: number): string;
  /** A share in [0, 1]. */
  percent(share: number, decimals?: number): string;
  /** Metres, in the person's unit unless another is given. */
  length(metres: number, unit?: LengthUnit): string;
  /** IANA name of the time zone of all dates. */
  readonly timeZone: string;
  /** Date and time with the zone's name. */
  instant(instant: Date | string): string;
  instants(from: Date | string, until: Date | string): string;
  /** The day of an instant, with the zone's name. */
  day(instant: Date | string): string;
  /** A calendar day, which has no zone. */
  calendarDay(day: CalendarDay): string;
}

/**
 * Formats dates in the time zone of the site of `location` (uid), else the deployment's. Call it in an observer: it
 * follows language, unit and the site record.
 */
export function useFormats(location?: string): Formats {
  const { language } = useService(I18n);
  const chosen = useService(Session).me?.preferences.lengthUnit;
  const own = lengthUnits.find((unit) => unit === chosen) ?? 'm';
  const { timeZone } = useService(Sites).recordAt(location);
  const place = { locale: localeFor(language, navigator.languages), timeZone };
  return {
    number: (value, decimals = 0) => formatNumber(value, { language, decimals }),
    compact: (value) => formatCompact(value, { language }),
    percent: (share, decimals = 0) => formatPercent(share, { language, decimals }),
    timeZone,
    length: (metres, unit = own) => formatLength(metres, unit, { language }),
    instant: (instant) => formatInstant(instant, place),
    instants: (from, until) => formatInstants(from, until, place),
    day: (instant) => formatDay(instant, place),
    calendarDay: (day) => formatCalendarDay(day, place.locale),
  };
}
