import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { CalendarDay, InstantInput, Instant, LocationUid, nullable, Point } from '#core/api';
import { PanoramaTiles, RangeTiles } from '#plugins/tour/api';
import { linkModes } from './values/station-links.ts';

/** A scan station: a panorama with a range for each pixel. */
export type ScanStation = Static<typeof ScanStation>;
export const ScanStation = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  /**
   * Uid of the linked tour node: the nearest one within `maxLinkMetres`, or the one that an admin chose; null for none.
   */
  node: nullable(Type.String()),
  /** The way in which the station is linked to its node. */
  linkMode: Type.Enum([...linkModes]),
  location: Type.String(),
  /** Position of the scanner in the site frame, in metres. */
  position: Point,
  /** Heading of the panorama's centre, in degrees clockwise from north. */
  heading: Type.Number(),
  capturedAt: Instant,
  /** The day of the capture at the site. */
  day: CalendarDay,
  /** Null if the panorama of its node from the same day is used, which has the same pose. */
  picture: nullable(PanoramaTiles),
  /** Null until the tiles are made. */
  ranges: nullable(RangeTiles),
});

/** Whether scans may be shown now. `NONE` means that this product requires no token. */
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
  summary: 'Returns the scan stations of a tour that the caller can access, and whether the scan token is valid.',
  access: 'scanAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Scans,
});

export const setScanToken = endpoint('PUT', '/api/scan/:location/token', {
  summary: 'Shows the scans of a location and of all locations below it until an instant. Null removes the token.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  body: Type.Object({ expiresAt: nullable(InstantInput) }, { additionalProperties: false }),
  reply: ScanToken,
});
