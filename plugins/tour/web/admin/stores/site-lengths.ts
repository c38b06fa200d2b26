import { useState } from 'react';
import { formatNumber, fromMetres, lengthUnitSymbols, toMetres, type SiteUnit } from '#core';
import { I18n, Sites, useFormats, useService } from '#core/web';

/** Converts lengths between metres, as they are stored, and the unit of a site, as they are shown and entered. */
export interface SiteLengths {
  /** Symbol of the unit, such as `m` or `ft`. */
  readonly symbol: string;
  /** Converts metres to the unit of the site. */
  fromMetres(metres: number): number;
  /** Converts metres to the value of a field, which has four decimals if the unit is not the metre. */
  toField(metres: number): number;
  /**
   * Converts the value of a field to metres, rounded to a micrometre if the unit is not the metre. Returns the
   * `previous` length whose field has the same value, so that saving an unchanged field changes nothing.
   */
  toMetres(value: number, previous?: readonly (number | undefined)[]): number;
}

export function createSiteLengths(unit: SiteUnit): SiteLengths {
  // `+ 0` avoids -0.
  const round = (value: number, decimals: number): number =>
    unit === 'm' || !Number.isFinite(value) ? value : Number(value.toFixed(decimals)) + 0;
  const toField = (metres: number): number => round(fromMetres(metres, unit), 4);
  return {
    symbol: lengthUnitSymbols[unit],
    fromMetres: (metres) => fromMetres(metres, unit),
    toField,
    toMetres: (value, previous = []) =>
      previous.find((metres) => metres !== undefined && toField(metres) === value) ?? round(toMetres(value, unit), 6),
  };
}

export interface SiteLengthFormats extends SiteLengths {
  /** A coordinate in the unit of the site, without the unit. */
  coordinate(metres: number): string;
  /** A length with the unit and at most this many decimals (default: 3). `fixed` shows all of them. */
  length(metres: number, options?: { readonly decimals?: number; readonly fixed?: boolean }): string;
}

/** Formats and converts lengths in the unit of the site of `location` (uid). Must be called in an observer. */
export function useSiteLengths(location: string | undefined): SiteLengthFormats {
  return useLengthFormats(useService(Sites).recordAt(location).frame.unit);
}

/**
 * Formats and converts lengths in the unit that the site of `location` (uid) had at the first render. For forms, whose
 * values are in this unit even if the unit of the site changes while the form is open.
 */
export function useInitialSiteLengths(location: string | undefined): SiteLengthFormats {
  const sites = useService(Sites);
  const [unit] = useState(() => sites.recordAt(location).frame.unit);
  return useLengthFormats(unit);
}

function useLengthFormats(unit: SiteUnit): SiteLengthFormats {
  const formats = useFormats();
  const { language } = useService(I18n);
  const lengths = createSiteLengths(unit);
  return {
    ...lengths,
    coordinate: (metres) => formats.coordinate(lengths.fromMetres(metres)),
    length: (metres, { decimals = 3, fixed = false } = {}) =>
      `${formatNumber(lengths.fromMetres(metres), { language, decimals, fixed })}\u00A0${lengths.symbol}`,
  };
}
