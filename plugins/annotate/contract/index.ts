export type {
  Annotation, AnnotationComment, AnnotationKind, AnnotationStatus, Measurement, MeasurementKind, MeasurementResult, Snapshot, SnapshotMark, StoredPoint, WrittenAnnotation, WrittenMeasurement, WrittenSnapshot,
} from './api.ts';
