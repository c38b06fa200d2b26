import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, Empty, Instant, LocationUid, nullable, Point, NewUid } from '#core/api';

/** A marker links to a tag or line, to another node or to a document. A note links to nothing. */
export const markerKinds = ['TAG', 'HOTSPOT', 'DOCUMENT', 'NOTE'] as const;
export type MarkerKind = (typeof markerKinds)[number];
export const markerShapes = ['POINT', 'POLYGON'] as const;
export type MarkerShape = (typeof markerShapes)[number];

const inputFields = {
  kind: Type.Enum([...markerKinds]),
  shape: Type.Enum([...markerShapes]),
  name: Type.String({ minLength: 1, maxLength: 120 }),
  text: Type.String({ maxLength: 2000 }),
  /** One point, or the corners of an area (at least three), in the site frame in metres. */
  points: Type.Array(Point, { minItems: 1, maxItems: 100 }),
  /**
   * Tag or line number, uid of the node, or https URL of the document. Null for a note or an uploaded file.
   */
  target: nullable(Type.String({ minLength: 1, maxLength: 500 })),
};

export type MarkerInput = Static<typeof MarkerInput>;
export const MarkerInput = Type.Object(
  {
    ...inputFields,
    /** Id of an uploaded document. */
    file: nullable(Type.String({ maxLength: 80 })),
    version: BaseVersion,
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

/** A point or an area of the site that is drawn on the panoramas from which it is visible. */
export type Marker = Static<typeof Marker>;
export const Marker = Type.Object({
  ...inputFields,
  uid: Type.String(),
  location: Type.String(),
  file: nullable(MarkerFile),
  /** Uids of the nodes from which the marker is visible, by their range images. */
  seenFrom: Type.Array(Type.String()),
  /** The version is incremented by each change. */
  version: Type.Integer(),
  /** Name of the last author, or the username if the account has no name. */
  author: Type.String(),
  updatedAt: Instant,
});

export const listMarkers = endpoint('GET', '/api/vr/:location/markers', {
  summary: 'Lists the markers of a location’s tour at locations that the caller can access, sorted by name.',
  access: 'vrAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(Marker),
});

export const putMarker = endpoint('PUT', '/api/vr/:location/markers/:uid', {
  summary:
    'Creates or updates a marker of a location under a uid that the caller chose. Answers 409 with the current marker ' +
    'in `current` if somebody changed it after `version`.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid }),
  body: MarkerInput,
  reply: Marker,
});

export const deleteMarker = endpoint('DELETE', '/api/vr/:location/markers/:uid', {
  summary: 'Deletes a marker with its document. Also succeeds if the marker does not exist.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid }),
  reply: Empty,
});

export const uploadDocument = endpoint('POST', '/api/vr/:location/documents', {
  summary:
    'Uploads a document for a marker of the location. The form has one file (PDF, JPEG, PNG or WebP, at most 20 MB). A ' +
    'picture has at most as many pixels as a panorama.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  status: 201,
  reply: MarkerFile,
});
