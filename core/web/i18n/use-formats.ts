import {
  formatCompact,
  formatDay,
  formatInstant,
  formatInstants,
  formatLength,
  formatNumber,
  formatPercent,
  lengthUnits,
  localeFor,
  type LengthUnit,
} from '#core';
import { I18n, Session } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';

/** Numbers, lengths and times as the person reads them. */
export interface Formats {
  /** In Indian grouping. */
  number(value: number, decimals?: number): string;
  /** K from 1000, M from 1,000,000. */
  compact(value: number): string;
  /** A share in [0, 1]. */
  percent(share: number, decimals?: number): string;
  /** Metres, in the person's unit unless another is named. */
  length(metres: number, unit?: LengthUnit): string;
  /** Date and time at the site, its zone named. */
  instant(instant: Date | string): string;
  instants(from: Date | string, until: Date | string): string;
  day(instant: Date | string): string;
}

/**
 * `timeZone`: the site's, an IANA name; without it the browser's. To be called in an observer: it follows language and
 * unit.
 */
export function useFormats(timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone): Formats {
  const { language } = useService(I18n);
  const chosen = useService(Session).me?.preferences.lengthUnit;
  const own = lengthUnits.find((unit) => unit === chosen) ?? 'm';
  const place = { locale: localeFor(language, navigator.languages), timeZone };
  return {
    number: (value, decimals = 0) => formatNumber(value, { language, decimals }),
    compact: (value) => formatCompact(value, { language }),
    percent: (share, decimals = 0) => formatPercent(share, { language, decimals }),
    length: (metres, unit = own) => formatLength(metres, unit, { language }),
    instant: (instant) => formatInstant(instant, place),
    instants: (from, until) => formatInstants(from, until, place),
    day: (instant) => formatDay(instant, place),
  };
}
