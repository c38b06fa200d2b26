import type { ColumnType, Generated } from 'kysely';
import type { LocalizedError, SourceChoice } from '#core';
import type { FileContent, ScanPlace, StationReport } from '../contract/api/admin.ts';
import type { CloudExtent, PointCloud } from '../contract/api/cloud.ts';
import type { StationLink } from '../contract/values/station-links.ts';
import type { PanoramaTiles, RangeTiles } from '#plugins/tour';

/** What the database keeps of tiles: all that a viewer must know but where they lie. */
export type Pyramid = Pick<PanoramaTiles, 'tileSize' | 'levels' | 'mesh'>;
export type RangeGrid = Pick<RangeTiles, 'width' | 'height' | 'tileSize'>;

type Json<T> = ColumnType<T | null, string | null, string | null>;

/**
 * The tables of the Postgres schema `scan`. Lengths in metres of the site frame, angles in degrees; columns that end in
 * `_file` or `_files` hold ids of files.
 */
export interface ScanTables {
  readonly station: {
    readonly uid: string;
    readonly name: string;
    /** Uid of a node: of the demo plant, or chosen by an admin. */
    readonly node: string | null;
    readonly link: Generated<StationLink>;
    readonly location: string;
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly heading: number;
    readonly captured_at: ColumnType<Date, Date | string>;
    readonly range_file: string;
    /** One standard deviation of a single range. */
    readonly sigma: number;
    readonly panorama_file: string | null;
    /** A folder with the tiles of the ranges and, where the station has a picture of its own, those of the picture. */
    readonly tiles_file: string | null;
    readonly pyramid: Json<Pyramid>;
    readonly ranges: Json<RangeGrid>;
    /** Uid of the cloud that it was delivered with. */
    readonly delivery: string | null;
  };
  readonly token: {
    readonly location: string;
    readonly expires_at: ColumnType<Date, Date | string>;
    readonly set_by: string;
    readonly set_at: Generated<Date>;
  };
  readonly cloud: {
    readonly uid: string;
    readonly name: string;
    readonly location: string;
    readonly captured_at: ColumnType<Date | null, string | null, string | null>;
    readonly kind: PointCloud['kind'];
    /** As they were delivered, in order; none for a cloud of the demo. */
    readonly source_files: ColumnType<readonly string[], string, string>;
    /** A folder with `tileset.json`, or a COPC file; null until the import is done. */
    readonly data_file: string | null;
    readonly extent: ColumnType<CloudExtent | null, string | null, string | null>;
    /** Where the frame of the files lies in the site. */
    readonly place: ColumnType<ScanPlace, string, string>;
    /** The latest import. */
    readonly job: string | null;
    /** Why the latest import failed. */
    readonly message: string | null;
    /** Message id and values of `message`. */
    readonly refusal: ColumnType<LocalizedError | null, string | null, string | null>;
    /** What became of the scans of E57 files. */
    readonly stations: ColumnType<readonly StationReport[], string, string>;
    /** In what the files count, by the person who delivered them. */
    readonly unit: ColumnType<SourceChoice, SourceChoice | undefined, SourceChoice>;
    /** The unit and points read from each of `source_files`; none before the first import has ended. */
    readonly contents: ColumnType<readonly FileContent[], string | undefined, string>;
    readonly created_at: Generated<Date>;
  };
}
export const scanSchema = 'scan';
