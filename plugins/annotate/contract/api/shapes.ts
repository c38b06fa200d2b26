import { Type, type Static } from 'typebox';
import { nullable, Point } from '#core/api';

const uidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
/** A position in a list, newest first, made of the creation time and the uid of a row. */
export const Cursor = Type.String({
  pattern: `^(19|[2-9]\\d)\\d{2}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z_${uidPattern}$`,
});

const pointSources = ['RANGE_IMAGE', 'POINT_CLOUD', 'MODEL'] as const;

/** A picked point. */
export type StoredPoint = Static<typeof StoredPoint>;
export const StoredPoint = Type.Object(
  {
    /** Site frame, metres. */
    point: Point,
    /** One standard deviation in metres, or null if unknown. */
    sigma: nullable(Type.Number({ minimum: 0 })),
    source: Type.Enum([...pointSources]),
    /** Whether the point is at an edge and may belong to the surface behind it. */
    edge: Type.Boolean(),
  },
  { additionalProperties: false },
);
