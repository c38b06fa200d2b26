import { Type, type Static } from 'typebox';
import { endpoint, lengthUnits, type LengthUnit } from '#core';
import { Empty, Instant } from '#core/api';
import { Location, nullable, StoredPoint, Uid } from './schemas.ts';

export * from './annotations.ts';
export { StoredPoint } from './schemas.ts';

/** As the specification spells them, and two of ours. */
export const measurementKinds = ['DISTANCE', 'ANGLE', 'CORDINATES', 'DIAMETER', 'HEIGHT', 'AREA'] as const;
export type MeasurementKind = (typeof measurementKinds)[number];

/** What was measured, in metres, square metres or degrees. */
export type MeasurementResult = Static<typeof MeasurementResult>;
export const MeasurementResult = Type.Object(
  {
    /** The one figure that the kind is about; null for `CORDINATES`, whose point says all. */
    value: nullable(Type.Number()),
    /** One standard deviation of it; null where nobody knows. */
    sigma: nullable(Type.Number({ minimum: 0 })),
    /** What else was found, by name, such as `horizontal`, `vertical`, `rms`, `arc`, `nps`. */
    details: Type.Record(Type.String({ maxLength: 40 }), Type.Union([Type.Number(), Type.String({ maxLength: 120 }), Type.Boolean()])),
  },
  { additionalProperties: false },
);

const written = {
  kind: Type.Enum([...measurementKinds]),
  name: Type.String({ minLength: 1, maxLength: 120 }),
  points: Type.Array(StoredPoint, { minItems: 1, maxItems: 200 }),
  result: MeasurementResult,
  /** The unit that it was read in. */
  unit: Type.Unsafe<LengthUnit>(Type.Enum([...lengthUnits])),
  /** Code of the tour. */
  tour: Type.String({ minLength: 1, maxLength: 64 }),
  /** Code of the node where the person stood. */
  node: nullable(Type.String({ maxLength: 64 })),
  /** The view in which it was made, as an address holds it. */
  view: nullable(Type.String({ maxLength: 2000 })),
  /** Whether others who may see the location see it. */
  shared: Type.Boolean(),
};

export type WrittenMeasurement = Static<typeof WrittenMeasurement>;
export const WrittenMeasurement = Type.Object({ ...written, version: Type.Integer({ minimum: 0, description: 'The version that was changed; 0 for a new one.' }) }, { additionalProperties: false });

export type Measurement = Static<typeof Measurement>;
export const Measurement = Type.Object({
  ...written,
  uid: Type.String(),
  location: Type.String(),
  /** Rises by one with each change. */
  version: Type.Integer(),
  /** Username of who made it. */
  author: Type.String(),
  /** Whether the caller made it. */
  own: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
});

export const listMeasurements = endpoint('GET', '/api/annotate/:location/measurements', {
  summary: "The caller's own measurements and those that others share, at the location and below it, as far as the caller reaches; the latest first.",
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location }),
  reply: Type.Array(Measurement),
});

export const putMeasurement = endpoint('PUT', '/api/annotate/:location/measurements/:uid', {
  summary: 'Keep a measurement under a uid that the caller chose. 409 where another has changed it since `version`; the answer then holds theirs in `current`. Sent twice it is kept once.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location, uid: Uid }),
  body: WrittenMeasurement,
  reply: Measurement,
});

export const deleteMeasurement = endpoint('DELETE', '/api/annotate/:location/measurements/:uid', {
  summary: 'Delete a measurement of one\'s own. What is gone already stays gone.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location, uid: Uid }),
  reply: Empty,
});
