export type { Measurement, MeasurementKind, MeasurementResult, StoredPoint, WrittenMeasurement } from './api.ts';
