import type { ColumnType, Generated } from 'kysely';
import type { StationLink } from '../contract/values/station-links.ts';
import type { PanoramaTiles, RangeTiles } from '#plugins/tour';

/** What the database keeps of tiles: all that a viewer must know but where they lie. */
export type Pyramid = Pick<PanoramaTiles, 'tileSize' | 'levels' | 'mesh'>;
export type RangeGrid = Pick<RangeTiles, 'width' | 'height' | 'tileSize'>;

type Json<T> = ColumnType<T | null, string | null, string | null>;

/**
 * The tables of the Postgres schema `scan`. Lengths in metres of the site frame, angles in degrees; columns that end in
 * `_file` hold ids of files.
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
}
export const scanSchema = 'scan';
