import type { ColumnType, Generated } from 'kysely';
import type { Point3 } from '#core';
import type { MarkerKind, MarkerShape } from '#plugins/vr';

/** The tables of the Postgres schema `vr`. */
export interface VrTables {
  readonly marker: {
    readonly uid: string;
    readonly location: string;
    /** Uid of the tour. */
    readonly tour: string;
    readonly kind: MarkerKind;
    readonly shape: MarkerShape;
    readonly name: string;
    readonly text: string;
    /** Points in the site frame in metres. */
    readonly points: ColumnType<Point3[], string, string>;
    /** Uid of a tag, a line or a node, or the URL of a document. */
    readonly target: string | null;
    /** Id of the file of a document. */
    readonly file: string | null;
    /** Uids of the nodes from which the marker is visible. */
    readonly seen_from: ColumnType<string[], string, string>;
    readonly author: string;
    readonly author_name: string;
    readonly version: number;
    readonly updated_at: Date;
  };
  /** Documents that were uploaded for markers. They are deleted with their marker. */
  readonly document: {
    /** Id of a file. */
    readonly file: string;
    readonly location: string;
    readonly uploaded_at: Generated<Date>;
  };
}
export const vrSchema = 'vr';
