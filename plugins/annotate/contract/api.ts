import { Type, type Static } from 'typebox';
import { lengthUnits, type LengthUnit } from '#core';
import { BaseVersion, nullable } from '#core/api';
import { itemEndpoints, itemFields, inputFields } from './api/items.ts';
import { StoredPoint } from './api/shapes.ts';

export * from './api/annotations.ts';
export * from './events.ts';
export * from './api/snapshots.ts';
export { StoredPoint } from './api/shapes.ts';

/** Spelled as in the specification. `HEIGHT` and `AREA` are additions of this project. */
export const measurementKinds = ['DISTANCE', 'ANGLE', 'CORDINATES', 'DIAMETER', 'HEIGHT', 'AREA'] as const;
export type MeasurementKind = (typeof measurementKinds)[number];

/** The result of a measurement, in metres, square metres or degrees. */
export type MeasurementResult = Static<typeof MeasurementResult>;
export const MeasurementResult = Type.Object(
  {
    /** The main value of the kind. It is null for `CORDINATES`, which only has a point. */
    value: nullable(Type.Number()),
    /** One standard deviation of `value`, or null if unknown. */
    sigma: nullable(Type.Number({ minimum: 0 })),
    /** Further values by name, such as `horizontal`, `vertical`, `rms`, `arc` and `nps`. */
    details: Type.Record(
      Type.String({ maxLength: 40 }),
      Type.Union([Type.Number(), Type.String({ maxLength: 120 }), Type.Boolean()]),
    ),
  },
  { additionalProperties: false },
);

const writableFields = {
  ...inputFields,
  kind: Type.Enum([...measurementKinds]),
  points: Type.Array(StoredPoint, { minItems: 1, maxItems: 200 }),
  result: MeasurementResult,
  /** The unit in which the author read the result. */
  unit: Type.Unsafe<LengthUnit>(Type.Enum([...lengthUnits])),
};

export type MeasurementInput = Static<typeof MeasurementInput>;
export const MeasurementInput = Type.Object(
  { ...writableFields, version: BaseVersion },
  { additionalProperties: false },
);

export type Measurement = Static<typeof Measurement>;
export const Measurement = Type.Object({
  ...writableFields,
  ...itemFields,
});

export const {
  list: listMeasurements,
  put: putMeasurement,
  remove: deleteMeasurement,
} = itemEndpoints('measurements', { singular: 'a measurement', plural: 'measurements' }, MeasurementInput, Measurement);
