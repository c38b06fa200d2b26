import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { CalendarDay, GivenInstant, Instant, LocationUid, nullable, LocalizedError, Uid } from '#core/api';

const Heading = Type.Number({ minimum: -360, maximum: 360 });

/** An imported panorama that is not published yet. */
export type IncomingPanorama = Static<typeof IncomingPanorama>;
export const IncomingPanorama = Type.Object({
  uid: Type.String(),
  capturedAt: Instant,
  day: CalendarDay,
  /** The running job; null if it failed. */
  job: nullable(Type.Object({ id: Type.String(), done: Type.Number(), total: nullable(Type.Number()) })),
  /** Why the import failed. */
  message: nullable(Type.String()),
  /** The same as `message`, for the reader's language. */
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
  /** Uid of the current panorama. Null if no earlier one can replace it, so that it cannot be deleted. */
  uid: nullable(Type.String()),
  /** Of the current panorama. */
  capturedAt: Instant,
  /** In the time zone of the site. Identifies a panorama among those of its node. */
  day: CalendarDay,
  /** Direction of the current panorama's centre, degrees clockwise from north. */
  heading: Type.Number(),
  /** Address of the thumbnail. */
  thumbnail: nullable(Type.String()),
  /** Earlier panoramas, latest first. */
  earlier: Type.Array(Type.Object({ uid: Type.String(), capturedAt: Instant, day: CalendarDay })),
  incoming: Type.Array(IncomingPanorama),
});

export const listPanoramas = endpoint('GET', '/api/tour/:location/panoramas', {
  summary:
    'For admins: the nodes that the caller can access, of the tour at a location or above it, or of all tours below, in ' +
    'walking order, with the dates of their panoramas and those that are being imported.',
  access: 'import',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(NodePanoramas),
});

export const importPanoramas = endpoint('POST', '/api/tour/:location/panoramas', {
  summary:
    'Takes panoramas as a form, each for the node whose code is the name of its file, or one file for `node` (its uid). The ' +
    'newest of a node is the one that is shown, those of other days stay as earlier ones, and one of the same ' +
    "day (in the site's time zone) replaces that of before. `heading`: where their centres look, degrees clockwise " +
    'from north; absent: as that of the node.',
  access: 'import',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  query: Type.Object(
    { capturedAt: GivenInstant, node: Type.Optional(Uid), heading: Type.Optional(Heading) },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** Ids of the import jobs, one for each new panorama. */
    jobs: Type.Array(Type.String()),
    /** Codes of the nodes that already have the same picture of that day. */
    unchanged: Type.Array(Type.String()),
  }),
});

export const removePanorama = endpoint('DELETE', '/api/tour/:location/nodes/:node/panoramas/:uid', {
  summary:
    'Removes a panorama of a node: an earlier one, one that is being imported or could not be, or the one that is ' +
    'shown, in whose place the latest of the earlier ones comes. What is gone already stays gone; 409 where ' +
    'others were ' +
    'changed at the same moment.',
  access: 'import',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, node: Uid, uid: Type.String({ minLength: 1, maxLength: 120 }) }),
  reply: Type.Object({ removed: Type.Boolean() }),
});
