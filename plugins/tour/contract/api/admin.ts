import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { CalendarDay, GivenInstant, Instant, LocationUid, nullable, LocalizedError, Uid } from '#core/api';

const Heading = Type.Number({ minimum: -360, maximum: 360 });

/** A panorama that was imported and is not there yet. */
export type IncomingPanorama = Static<typeof IncomingPanorama>;
export const IncomingPanorama = Type.Object({
  uid: Type.String(),
  capturedAt: Instant,
  day: CalendarDay,
  /** The job that is under way; null: it failed. */
  job: nullable(Type.Object({ id: Type.String(), done: Type.Number(), total: nullable(Type.Number()) })),
  /** Why it failed. */
  message: nullable(Type.String()),
  /** The same for the reader's language. */
  refusal: nullable(LocalizedError),
});

/** The panoramas of one node as an admin sees them. */
export type NodePanoramas = Static<typeof NodePanoramas>;
export const NodePanoramas = Type.Object({
  /** Uid and code of the node. */
  node: Type.String(),
  code: Type.String(),
  name: Type.String(),
  location: Type.String(),
  /** Of the one that is shown; null where no earlier one can take its place, so that it cannot be removed. */
  uid: nullable(Type.String()),
  /** Of the one that is shown. */
  capturedAt: Instant,
  /** At the site: panoramas are told apart by it. */
  day: CalendarDay,
  /** Where the centre of the one that is shown looks, degrees clockwise from north. */
  heading: Type.Number(),
  /** Address of a small picture. */
  thumbnail: nullable(Type.String()),
  /** Of earlier dates, the latest first. */
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
    /** Ids of the jobs, one for each panorama that is new. */
    jobs: Type.Array(Type.String()),
    /** Codes of the nodes that have this very picture of that day already. */
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
