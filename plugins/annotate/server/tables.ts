import type { ColumnType } from 'kysely';
import type { LengthUnit } from '#core';
import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';

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
    /** The view as an address holds it. */
    readonly view: string | null;
    readonly shared: boolean;
    /** Uid of the account. */
    readonly author: string;
    readonly author_name: string;
    readonly created_at: ColumnType<Date, Date, never>;
    readonly updated_at: Date;
    readonly version: number;
  };
}
export const annotateSchema = 'annotate';
