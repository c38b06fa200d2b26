import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { Changed, Empty, LocalizedError, LocationUid, nullable, Uid } from '#core/api';

/** Result of a computation of range images. */
export type RangeResult = Static<typeof RangeResult>;
export const RangeResult = Type.Object({
  made: Type.Integer(),
  /** Fraction of the sphere in which a surface is within reach, 0 to 1. The mean of the images made. */
  coverage: Type.Number(),
  /** Codes of nodes without an image, because they see no surface. */
  blind: Type.Array(Type.String()),
  /** Codes of nodes that were changed during the computation. */
  changed: Type.Array(Type.String()),
  stopped: Type.Boolean(),
});

/** The range images of one tour. */
export type TourRanges = Static<typeof TourRanges>;
export const TourRanges = Type.Object({
  /** Uid and name of the tour. */
  tour: Type.String(),
  name: Type.String(),
  /** Numbers of nodes with measured ranges (from a scanner), with computed ranges, and without ranges. */
  measured: Type.Integer(),
  computed: Type.Integer(),
  missing: Type.Integer(),
  /** The running computation. */
  job: nullable(Type.Object({ id: Type.String(), done: Type.Number(), total: nullable(Type.Number()) })),
  /** Result of the latest computation. */
  result: nullable(RangeResult),
  /** Why the latest computation failed. */
  message: nullable(Type.String()),
  refusal: nullable(LocalizedError),
});

const sharedShape = { access: 'configure', location: 'params.location' } as const;
const params = Type.Object({ location: LocationUid, tour: Uid });

export const listRanges = endpoint('GET', '/api/tour/:location/ranges', {
  summary: 'Lists the tours at a location and below it with the numbers of their range images, for admins.',
  ...sharedShape,
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(TourRanges),
});

export const makeRanges = endpoint('POST', '/api/tour/:location/tours/:tour/ranges', {
  summary:
    'Computes range images from the models of the site, for nodes with a panorama whose ranges no scanner measured. ' +
    'Earlier computed ones are replaced. Replies 409 while a computation runs or if the location has no surfaces.',
  ...sharedShape,
  params,
  status: 201,
  reply: Type.Object({ job: Type.String() }),
});

export const stopRanges = endpoint('POST', '/api/tour/:location/tours/:tour/ranges/stop', {
  summary: 'Stops the computation after the current node. Range images that were made by then are kept.',
  ...sharedShape,
  params,
  reply: Empty,
});

export const deleteRanges = endpoint('DELETE', '/api/tour/:location/tours/:tour/ranges', {
  summary: 'Removes the computed range images of a tour. Measured ones stay.',
  ...sharedShape,
  params,
  reply: Changed,
});
