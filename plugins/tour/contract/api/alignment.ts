import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, Changed, PointInput, LocationUid, Uid } from '#core/api';
import { maxAlignedTogether, maxTies } from '../values/alignment-values.ts';

/** A tie point: a point of a picture with its position in the site frame. */
export type SavedTie = Static<typeof SavedTie>;
export const SavedTie = Type.Object(
  {
    /** Degrees to the right of the picture's centre, and above its horizon. */
    pan: Type.Number({ minimum: -180, maximum: 180 }),
    tilt: Type.Number({ minimum: -90, maximum: 90 }),
    point: PointInput,
    /** False if the tie was left out because it contradicts the others. */
    used: Type.Boolean(),
  },
  { additionalProperties: false },
);

/** Degrees. Pictures taken from a tripod are tilted less. */
const TiltInput = Type.Number({ minimum: -45, maximum: 45 });

const params = Type.Object({ location: LocationUid, node: Uid });
const sharedShape = { access: 'configure', location: 'params.location', params } as const;

export const getAlignment = endpoint('GET', '/api/tour-content/:location/nodes/:node/alignment', {
  summary: 'Returns the tie points by which the picture of a node was aligned. Empty after the picture was replaced.',
  ...sharedShape,
  reply: Type.Object({ ties: Type.Array(SavedTie) }),
});

export const alignNode = endpoint('POST', '/api/tour-content/:location/nodes/:node/alignment', {
  summary:
    'Moves and turns a node so that its picture agrees with tie points, and saves the tie points with their residual. ' +
    'If pitch or roll is set, a job levels the picture. `others` are nodes of the same tour that are turned and, with ' +
    'the correction `POSE`, moved by the same amounts. Changes all nodes or none. Replies 409 with the first node that ' +
    'was changed in the meantime.',
  ...sharedShape,
  body: Type.Object(
    {
      version: BaseVersion,
      position: PointInput,
      heading: Type.Number({ minimum: -360, maximum: 360 }),
      /** Tilt of the shown picture, degrees as in `CameraPose`. The picture is then levelled by it. Default: 0. */
      pitch: Type.Optional(TiltInput),
      roll: Type.Optional(TiltInput),
      ties: Type.Array(SavedTie, { minItems: 1, maxItems: maxTies }),
      correction: Type.Enum(['HEADING', 'POSE']),
      others: Type.Array(Type.Object({ uid: Uid, version: BaseVersion }, { additionalProperties: false }), {
        maxItems: maxAlignedTogether,
      }),
    },
    { additionalProperties: false },
  ),
  reply: Changed,
});
