import type { LengthUnit } from './format/lengths.ts';

/** Units of surveyed coordinates: metre, international foot, US survey foot. */
export const siteUnits = ['m', 'ft', 'ftUS'] as const satisfies readonly LengthUnit[];
export type SiteUnit = (typeof siteUnits)[number];

/** Codes of the EPSG register for a CRS. @see OGC GeoTIFF 1.1, 7.3 */
export const minEpsgCode = 1024;
export const maxEpsgCode = 32_766;

/** The georeference of a site's coordinates. */
export interface SiteFrame {
  /** EPSG code, or `local` for the plant's own grid without further information. */
  readonly crs: number | 'local';
  /** The origin of the site's coordinates in the CRS, in `unit`. */
  readonly origin: { readonly east: number; readonly north: number; readonly up: number };
  /** Degrees clockwise from true north to the site's north, above -180 and up to 180. */
  readonly rotation: number;
  /** Unit of `origin` and of coordinates in the customer's files. The product stores metres. */
  readonly unit: SiteUnit;
}

/** Properties of a whole site, the root of its locations. */
export interface SiteRecord {
  /** IANA name, such as `Europe/Oslo`. */
  readonly timeZone: string;
  readonly frame: SiteFrame;
  /** The vertical datum as the customer names it, null if unknown. Heights are never converted. */
  readonly verticalDatum: string | null;
}

/** Default for a site without a record. */
export function defaultSiteRecord(timeZone: string): SiteRecord {
  return {
    timeZone,
    frame: { crs: 'local', origin: { east: 0, north: 0, up: 0 }, rotation: 0, unit: 'm' },
    verticalDatum: null,
  };
}
