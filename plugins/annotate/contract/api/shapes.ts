import { Type, type Static } from 'typebox';
import { nullable, Point } from '#core/api';

const uidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
/** When a row was created and its uid: the place of a row in a list, the latest first. */
export const Cursor = Type.String({
  pattern: `^(19|[2-9]\\d)\\d{2}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z_${uidPattern}$`,
});

const pointSources = ['RANGE_IMAGE', 'POINT_CLOUD', 'MODEL'] as const;

/** A point that was picked. */
export type StoredPoint = Static<typeof StoredPoint>;
export const StoredPoint = Type.Object(
  {
    /** Site frame, metres. */
    point: Point,
    /** One standard deviation, metres; null where nobody knows. */
    sigma: nullable(Type.Number({ minimum: 0 })),
    source: Type.Enum([...pointSources]),
    /** It stands at an edge: it may belong to what lies behind. */
    edge: Type.Boolean(),
  },
  { additionalProperties: false },
);
