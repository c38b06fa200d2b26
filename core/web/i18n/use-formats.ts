import {
  formatBytes,
  formatCalendarDay,
  formatCompact,
  formatDay,
  formatInstant,
  formatInstants,
  formatLength,
  formatNumber,
  formatPercent,
  lengthUnits,
  chooseLocale,
  type CalendarDay,
  type LengthUnit,
} from '#core';
import { I18n, Session, Sites } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';

/** Formats numbers, lengths and times for the person. */
export interface Formats {
  /** A number with Indian grouping. */
  number(value: number, decimals?: number): string;
  /** A coordinate, without grouping and with up to three decimals. */
  coordinate(value: number): string;
  /** A short number, with K from 1000 and M from 1,000,000. */
  compact(value: number): string;
  /** A number of bytes with its unit. */
  bytes(bytes: number): string;
  /** A share in [0, 1] as a percentage. */
  percent(fraction: number, decimals?: number): string;
  /** A length in the person's unit, or in `unit`. */
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
 * Formats dates in the time zone of the site of `location` (uid), else the deployment's. Must be called in an observer,
 * because language, unit and site record may change.
 */
export function useFormats(location?: string): Formats {
  const { language } = useService(I18n);
  const preferredUnit = useService(Session).me?.preferences.lengthUnit;
  const personUnit = lengthUnits.find((unit) => unit === preferredUnit) ?? 'm';
  const { timeZone } = useService(Sites).recordAt(location);
  const context = { locale: chooseLocale(language, navigator.languages), timeZone };
  return {
    number: (value, decimals = 0) => formatNumber(value, { language, decimals }),
    coordinate: (value) => formatNumber(value, { language, decimals: 3, grouped: false }),
    compact: (value) => formatCompact(value, { language }),
    bytes: (bytes) => formatBytes(bytes, { language }),
    percent: (fraction, decimals = 0) => formatPercent(fraction, { language, decimals }),
    timeZone,
    length: (metres, unit = personUnit) => formatLength(metres, unit, { language }),
    instant: (instant) => formatInstant(instant, context),
    instants: (from, until) => formatInstants(from, until, context),
    day: (instant) => formatDay(instant, context),
    calendarDay: (day) => formatCalendarDay(day, context.locale),
  };
}
