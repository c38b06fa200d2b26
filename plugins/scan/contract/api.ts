import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { CalendarDay, GivenInstant, Instant, LocationUid, nullable, Point } from '#core/api';
import { PanoramaTiles, RangeTiles } from '#plugins/tour/api';
import { stationLinks } from './values/station-links.ts';

/** A scan station: a panorama with a range for each pixel. */
export type ScanStation = Static<typeof ScanStation>;
export const ScanStation = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  /**
   * Uid of the linked tour node: the nearest one within `maxLinkMetres`, or the one that an admin chose; null for none.
   */
  node: nullable(Type.String()),
  /** How the link was made. */
  link: Type.Enum([...stationLinks]),
  location: Type.String(),
  /** Position of the scanner in the site frame, in metres. */
  position: Point,
  /** Heading of the panorama's centre, in degrees clockwise from north. */
  heading: Type.Number(),
  capturedAt: Instant,
  /** IANA time zone of the site. */
  day: CalendarDay,
  /** Null: use the panorama of its node from the same day, which has the same pose. */
  picture: nullable(PanoramaTiles),
  /** Null until the tiles are made. */
  ranges: nullable(RangeTiles),
});

/** Whether scans may be shown now. `NONE`: this product requires no token. */
export const tokenStates = ['NONE', 'VALID', 'EXPIRED', 'MISSING'] as const;
export type ScanToken = Static<typeof ScanToken>;
export const ScanToken = Type.Object({ state: Type.Enum([...tokenStates]), expiresAt: nullable(Instant) });

export type Scans = Static<typeof Scans>;
export const Scans = Type.Object({
  token: ScanToken,
  /** Empty without a valid token. */
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
