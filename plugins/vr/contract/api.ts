import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { ChangedVersion, Empty, Instant, LocationUid, nullable, Point, NewUid } from '#core/api';

/** The target of a marker: a tag or line, another node, a document, or none (a note). */
export const markerKinds = ['TAG', 'HOTSPOT', 'DOCUMENT', 'NOTE'] as const;
export type MarkerKind = (typeof markerKinds)[number];
export const markerShapes = ['POINT', 'POLYGON'] as const;
export type MarkerShape = (typeof markerShapes)[number];

const written = {
  kind: Type.Enum([...markerKinds]),
  shape: Type.Enum([...markerShapes]),
  name: Type.String({ minLength: 1, maxLength: 120 }),
  text: Type.String({ maxLength: 2000 }),
  /** Site frame, metres: one for a point; the corners of a polygon, at least three, for an area. */
  points: Type.Array(Point, { minItems: 1, maxItems: 100 }),
  /**
   * Number of the tag or line, uid of the node, or address (https) of the document. Null for a note or an uploaded
   * file.
   */
  target: nullable(Type.String({ minLength: 1, maxLength: 500 })),
};

export type WrittenMarker = Static<typeof WrittenMarker>;
export const WrittenMarker = Type.Object(
  {
    ...written,
    /** Id of an uploaded document. */
    file: nullable(Type.String({ maxLength: 80 })),
    version: ChangedVersion,
  },
  { additionalProperties: false },
);

export type MarkerFile = Static<typeof MarkerFile>;
export const MarkerFile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  bytes: Type.Integer(),
  address: Type.String(),
});

/** A point or an area of the site, drawn on the panoramas from which it is visible. */
export type Marker = Static<typeof Marker>;
export const Marker = Type.Object({
  ...written,
  uid: Type.String(),
  location: Type.String(),
  file: nullable(MarkerFile),
  /** Uids of the nodes that see the marker, by their ranges. */
  seenFrom: Type.Array(Type.String()),
  /** Incremented by each change. */
  version: Type.Integer(),
  /** Name of the last author; the username if the account has no name. */
  author: Type.String(),
  updatedAt: Instant,
});

export const listMarkers = endpoint('GET', '/api/vr/:location/markers', {
  summary: 'The markers of the tour of a location, as far as the caller reaches theirs; by name.',
  access: 'vrAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(Marker),
});

export const putMarker = endpoint('PUT', '/api/vr/:location/markers/:uid', {
  summary:
    'Keep a marker of a location under a uid that the caller chose. 409 where another has changed it since ' +
    '`version`; the answer then holds theirs in `current`.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid }),
  body: WrittenMarker,
  reply: Marker,
});

export const deleteMarker = endpoint('DELETE', '/api/vr/:location/markers/:uid', {
  summary: 'Delete a marker with its document. What is gone already stays gone.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid }),
  reply: Empty,
});

export const uploadDocument = endpoint('POST', '/api/vr/:location/documents', {
  summary:
    'A form with one file (PDF, JPEG, PNG or WebP, at most 20 MB; a picture as large as a panorama may be) for a marker of the location.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  status: 201,
  reply: MarkerFile,
});
