export type {
  Annotation, AnnotationComment, AnnotationKind, AnnotationStatus, Measurement, MeasurementKind, MeasurementResult, StoredPoint, WrittenAnnotation, WrittenMeasurement,
} from './api.ts';
