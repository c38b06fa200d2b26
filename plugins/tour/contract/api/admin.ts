import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { maxPlacesPerRequest } from '../values/content-values.ts';
import { PosedTilt } from './tour-content.ts';
import { CalendarDay, InstantInput, Instant, LocationUid, nullable, LocalizedError, Point, Uid } from '#core/api';

const Heading = Type.Number({ minimum: -360, maximum: 360 });

/** An imported panorama that is not published yet. */
export type IncomingPanorama = Static<typeof IncomingPanorama>;
export const IncomingPanorama = Type.Object({
  uid: Type.String(),
  capturedAt: Instant,
  day: CalendarDay,
  /** The running import job. Null if it failed. */
  job: nullable(Type.Object({ id: Type.String(), done: Type.Number(), total: nullable(Type.Number()) })),
  /** Why the import failed. */
  message: nullable(Type.String()),
  /** The reason in `message` as a message id with values, for the reader's language. */
  refusal: nullable(LocalizedError),
});

/** The panoramas of one node, for admins. */
export type NodePanoramas = Static<typeof NodePanoramas>;
export const NodePanoramas = Type.Object({
  /** Uid and code of the node. */
  node: Type.String(),
  code: Type.String(),
  name: Type.String(),
  location: Type.String(),
  /** Uid of the tour. */
  tour: Type.String(),
  /** Position of the camera in the site frame, metres. */
  position: Point,
  /** When the pose was measured. Null if unknown. */
  posedAt: nullable(Instant),
  /** Tilt of the surveyed camera. Null if it is level or unknown. */
  posedTilt: nullable(PosedTilt),
  /** Uid of the current panorama. Null if it cannot be deleted, because no earlier panorama can replace it. */
  uid: nullable(Type.String()),
  /** When the current panorama was captured. Null for a node without a panorama. */
  capturedAt: nullable(Instant),
  /** In the time zone of the site. Identifies a panorama of its node. Null without one. */
  day: nullable(CalendarDay),
  /** Direction of the current panorama's centre, degrees clockwise from north. */
  heading: Type.Number(),
  /** URL of the thumbnail. */
  thumbnail: nullable(Type.String()),
  /** Earlier panoramas, latest first. */
  earlier: Type.Array(Type.Object({ uid: Type.String(), capturedAt: Instant, day: CalendarDay })),
  incoming: Type.Array(IncomingPanorama),
});

export const listPanoramas = endpoint('GET', '/api/tour/:location/panoramas', {
  summary:
    'Lists nodes with the dates of their panoramas and the panoramas that are being imported, in walking order. The ' +
    'nodes are those of the tour at the location or above it or, without one, of all tours below it, at locations ' +
    'that the caller can access.',
  access: 'import',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(NodePanoramas),
});

export const importPanoramas = endpoint('POST', '/api/tour/:location/panoramas', {
  summary:
    'Imports panoramas that are uploaded as a form. The name of each file is the code of its node, or `node` is the uid ' +
    'of the node of a single file. The tour shows the latest panorama of a node and keeps those of other days as ' +
    "earlier ones. A panorama replaces that of the same day (in the site's time zone). `heading` is the direction of " +
    "the pictures' centres in degrees clockwise from north. Default: the heading of the node. `pitch` and `roll` are " +
    'the tilt of the camera in degrees, as PosePitchDegrees and PoseRollDegrees: tiles are made level. `capturedAt`, ' +
    '`pitch` and `roll` are read from each file by default. A file without pitch and roll is levelled by the tilt of ' +
    "its node's pose.",
  access: 'import',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  query: Type.Object(
    {
      capturedAt: Type.Optional(InstantInput),
      node: Type.Optional(Uid),
      heading: Type.Optional(Heading),
      pitch: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
      roll: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** Ids of the import jobs, one for each new panorama. */
    jobs: Type.Array(Type.String()),
    /** Codes of the nodes that already have the same picture of that day. */
    unchanged: Type.Array(Type.String()),
  }),
});

export const locatePanoramas = endpoint('POST', '/api/tour/:location/panorama-positions', {
  summary:
    "Converts the places of pictures (WGS 84, degrees) into the site's frame, metres. Null for a place outside the CRS " +
    'of the site, and for all if the site has none. Changes nothing.',
  access: 'import',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  body: Type.Object(
    {
      places: Type.Array(
        Type.Object(
          {
            latitude: Type.Number({ minimum: -90, maximum: 90 }),
            longitude: Type.Number({ minimum: -180, maximum: 180 }),
            /** Metres, as the camera states it. */
            height: nullable(Type.Number({ minimum: -20_000, maximum: 100_000 })),
          },
          { additionalProperties: false },
        ),
        { maxItems: maxPlacesPerRequest },
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ positions: Type.Array(nullable(Point)) }),
});

export const deletePanorama = endpoint('DELETE', '/api/tour/:location/nodes/:node/panoramas/:uid', {
  summary:
    'Removes a panorama of a node. It may be an earlier panorama, a running or failed import, or the current ' +
    'panorama, which the latest earlier one then replaces. Removing a panorama twice is no error. Replies 409 if ' +
    "the node's panoramas changed at the same moment.",
  access: 'import',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, node: Uid, uid: Type.String({ minLength: 1, maxLength: 120 }) }),
  reply: Type.Object({ removed: Type.Boolean() }),
});
