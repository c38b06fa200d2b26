import type { LengthUnit } from './format/lengths.ts';

/** Units in which surveyed coordinates come: metre, international foot, US survey foot. */
export const siteUnits = ['m', 'ft', 'ftUS'] as const satisfies readonly LengthUnit[];
export type SiteUnit = (typeof siteUnits)[number];

/** Codes of the EPSG register that name a CRS. @see OGC GeoTIFF 1.1, 7.3 */
export const minEpsgCode = 1024;
export const maxEpsgCode = 32_766;

/** How the coordinates of a site lie in the world. */
export interface SiteFrame {
  /** EPSG code, or `local`: the plant's own grid, of which no more is known. */
  readonly crs: number | 'local';
  /** Where the origin of the site's coordinates lies in the CRS, in `unit`. */
  readonly origin: { readonly east: number; readonly north: number; readonly up: number };
  /** Degrees clockwise from true north to the site's own north, above -180 and up to 180. */
  readonly rotation: number;
  /** Unit of `origin` and of the coordinates in the customer's files. The product itself stores metres. */
  readonly unit: SiteUnit;
}

/** What holds for everything at one site, which is the root of its locations. */
export interface SiteRecord {
  /** IANA name, such as `Europe/Oslo`. */
  readonly timeZone: string;
  readonly frame: SiteFrame;
  /** Name of the surface that heights count from, as the customer calls it. Never converted. Null: unknown. */
  readonly verticalDatum: string | null;
}

/** What holds at a site without a record. */
export function defaultSiteRecord(timeZone: string): SiteRecord {
  return {
    timeZone,
    frame: { crs: 'local', origin: { east: 0, north: 0, up: 0 }, rotation: 0, unit: 'm' },
    verticalDatum: null,
  };
}
