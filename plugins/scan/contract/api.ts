import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { CalendarDay, GivenInstant, Instant, LocationUid, nullable, Point } from '#core/api';
import { PanoramaTiles, RangeTiles } from '#plugins/tour/api';
import { stationLinks } from './values/station-links.ts';

/** Where a scanner stood: its picture, and the range of each pixel. */
export type ScanStation = Static<typeof ScanStation>;
export const ScanStation = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  /**
   * Uid of the tour node that it is linked to: the nearest within `maxLinkMetres`, or the one that an admin chose; null
   * where there is none.
   */
  node: nullable(Type.String()),
  /** Whether that was looked up or chosen. */
  link: Type.Enum([...stationLinks]),
  location: Type.String(),
  /** The scanner in the site frame, metres. */
  position: Point,
  /** Where the picture's centre looks, degrees clockwise from north. */
  heading: Type.Number(),
  capturedAt: Instant,
  /** At the site. */
  day: CalendarDay,
  /** Null: the panorama of its node that was taken on its day, whose pose it shares. */
  picture: nullable(PanoramaTiles),
  /** Null until its tiles are made. */
  ranges: nullable(RangeTiles),
});

/** Whether scans may be seen now. `NONE`: this product asks for no token. */
export const tokenStates = ['NONE', 'VALID', 'EXPIRED', 'MISSING'] as const;
export type ScanToken = Static<typeof ScanToken>;
export const ScanToken = Type.Object({ state: Type.Enum([...tokenStates]), expiresAt: nullable(Instant) });

export type Scans = Static<typeof Scans>;
export const Scans = Type.Object({
  token: ScanToken,
  /** None without a valid token. */
  stations: Type.Array(ScanStation),
});

export const openScans = endpoint('GET', '/api/scan/:location', {
  summary: 'The scan stations of the tour at a location that the caller reaches, and whether the scan token is valid.',
  access: 'scanAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Scans,
});

export const setScanToken = endpoint('PUT', '/api/scan/:location/token', {
  summary: 'Lets the scans of a location, and of all below it, be seen until an instant; null takes the token away.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  body: Type.Object({ expiresAt: nullable(GivenInstant) }, { additionalProperties: false }),
  reply: ScanToken,
});
