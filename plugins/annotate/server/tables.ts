import type { ColumnType } from 'kysely';
import type { LengthUnit } from '#core';
import type {
  AnnotationKind,
  AnnotationStatus,
  MeasurementKind,
  MeasurementResult,
  SnapshotMark,
  StoredPoint,
} from '#plugins/annotate';

/** The tables of the Postgres schema `annotate`. */
export interface AnnotateTables {
  readonly measurement: {
    readonly uid: string;
    readonly location: string;
    readonly tour: string;
    readonly node: string | null;
    readonly kind: MeasurementKind;
    readonly name: string;
    readonly points: ColumnType<StoredPoint[], string, string>;
    readonly result: ColumnType<MeasurementResult, string, string>;
    readonly unit: LengthUnit;
    /** The view, encoded as in the URL. */
    readonly view: string | null;
    readonly shared: boolean;
    /** Uid of the account. */
    readonly author: string;
    readonly author_name: string;
    readonly created_at: ColumnType<Date, Date, never>;
    readonly updated_at: Date;
    readonly version: number;
  };
  readonly annotation: {
    readonly uid: string;
    readonly location: string;
    readonly tour: string;
    readonly node: string | null;
    readonly kind: AnnotationKind;
    readonly name: string;
    readonly text: string;
    /** Degrees Celsius. */
    readonly temperature: number | null;
    readonly status: AnnotationStatus;
    readonly points: ColumnType<StoredPoint[], string, string>;
    /** The view, encoded as in the URL. */
    readonly view: string | null;
    readonly shared: boolean;
    /** Uid of the account. */
    readonly author: string;
    readonly author_name: string;
    readonly created_at: ColumnType<Date, Date, never>;
    readonly updated_at: Date;
    readonly version: number;
  };
  readonly annotation_comment: {
    readonly uid: string;
    /** Uid of the annotation. */
    readonly annotation: string;
    readonly text: string;
    readonly author: string;
    readonly author_name: string;
    readonly created_at: ColumnType<Date, Date, never>;
  };
  readonly snapshot: {
    readonly uid: string;
    readonly location: string;
    readonly tour: string;
    readonly node: string | null;
    /** Uid of the selected tag. */
    readonly tag: string | null;
    readonly name: string;
    readonly text: string;
    readonly marks: ColumnType<SnapshotMark[], string, string>;
    /** The view, encoded as in the URL. */
    readonly view: string | null;
    readonly shared: boolean;
    /** Id of the folder with `picture.jpg` and `thumbnail.jpg` in the file store, or null before the upload. */
    readonly picture: string | null;
    /** Uid of the account. */
    readonly author: string;
    readonly author_name: string;
    readonly created_at: ColumnType<Date, Date, never>;
    readonly updated_at: Date;
    readonly version: number;
  };
}
export const annotateSchema = 'annotate';
