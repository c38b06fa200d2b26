import type { ColumnType, Generated } from 'kysely';
import type { LocalizedError, SourceChoice } from '#core';
import type { FileSummary, ScanPose, StationReport } from '../contract/api/admin.ts';
import type { CloudExtent, PointCloud } from '../contract/api/cloud.ts';
import type { LinkMode } from '../contract/values/station-links.ts';
import type { PanoramaTiles, RangeTiles } from '#plugins/tour';

/** The stored metadata of tiles, which is everything that a viewer needs except their URL. */
export type Pyramid = Pick<PanoramaTiles, 'tileSize' | 'levels' | 'mesh'>;
export type RangeGrid = Pick<RangeTiles, 'width' | 'height' | 'tileSize'>;

type Json<T> = ColumnType<T | null, string | null, string | null>;

/**
 * The tables of the Postgres schema `scan`. Lengths are metres of the site frame, angles are degrees. Columns that end
 * in `_file` or `_files` hold file ids.
 */
export interface ScanTables {
  readonly station: {
    readonly uid: string;
    readonly name: string;
    /** Uid of a node of the tour, set by the demo plant or chosen by an admin. */
    readonly node: string | null;
    readonly link: Generated<LinkMode>;
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
    /** Folders with the tiles of the ranges and, if the station has its own image, of the panorama. */
    readonly tiles_file: string | null;
    readonly pyramid: Json<Pyramid>;
    readonly ranges: Json<RangeGrid>;
    /** Uid of the cloud of the same delivery. */
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
    /** The uploaded files in order; empty for a demo cloud. */
    readonly source_files: ColumnType<readonly string[], string, string>;
    /** A folder with `tileset.json`, or a COPC file; null until the import has finished. */
    readonly data_file: string | null;
    readonly extent: ColumnType<CloudExtent | null, string | null, string | null>;
    /** Pose of the files in the site frame. */
    readonly place: ColumnType<ScanPose, string, string>;
    /** Job of the latest import. */
    readonly job: string | null;
    /** Why the latest import failed. */
    readonly message: string | null;
    /** Message id and values of `message`. */
    readonly refusal: ColumnType<LocalizedError | null, string | null, string | null>;
    /** The outcome of each scan of E57 files. */
    readonly stations: ColumnType<readonly StationReport[], string, string>;
    /** The unit of the files, as chosen by the person who uploaded them. */
    readonly unit: ColumnType<SourceChoice, SourceChoice | undefined, SourceChoice>;
    /** The unit and the points read from each of `source_files`; empty until the first import has finished. */
    readonly contents: ColumnType<readonly FileSummary[], string | undefined, string>;
    readonly created_at: Generated<Date>;
  };
}
export const scanSchema = 'scan';
