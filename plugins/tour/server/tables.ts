import type { ColumnType } from 'kysely';
import type { ToldRefusal } from '#core';
import type { TagType, TourLink } from '#plugins/tour';
import type { Pyramid } from './pyramid.ts';

/**
 * The tables of the Postgres schema `tour`. Lengths in metres of the site frame, angles in degrees; columns that end in
 * `_file` hold ids of files.
 */
export interface TourTables {
  readonly tour: {
    readonly code: string;
    readonly name: string;
    readonly location: string;
    readonly start_node: string;
  };
  readonly deck: {
    readonly code: string;
    readonly name: string;
    readonly location: string;
    readonly elevation: number;
    readonly map_file: string;
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  };
  readonly node: {
    readonly code: string;
    readonly tour: string;
    readonly position: number;
    readonly name: string;
    readonly deck: string | null;
    readonly location: string;
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly heading: number;
    readonly view_pan: number;
    readonly view_tilt: number;
    readonly captured_at: ColumnType<Date, Date | string>;
    readonly panorama_file: string;
    readonly range_file: string | null;
    readonly thumbnail_file: string | null;
    readonly pyramid_file: string | null;
    readonly pyramid: ColumnType<Pyramid | null, string | null, string | null>;
  };
  readonly capture: {
    readonly uid: string;
    readonly node: string;
    readonly captured_at: ColumnType<Date, Date | string>;
    readonly heading: number;
    readonly panorama_file: string;
    readonly range_file: string | null;
    readonly pyramid_file: string | null;
    readonly pyramid: ColumnType<Pyramid | null, string | null, string | null>;
  };
  /** Panoramas that were imported, until they have their tiles. */
  readonly incoming: {
    readonly uid: string;
    readonly node: string;
    readonly captured_at: ColumnType<Date, Date | string>;
    readonly heading: number;
    readonly panorama_file: string;
    /** Id of the job that imports it. */
    readonly job: string;
    /** Why it could not be imported. */
    readonly message: string | null;
    /** Message id and values of `message`. */
    readonly refusal: ColumnType<ToldRefusal | null, string | null, string | null>;
  };
  readonly link: {
    readonly from_node: string;
    readonly to_node: string;
    readonly kind: TourLink['kind'];
    readonly pan: number;
    readonly tilt: number;
    readonly distance: number;
  };
  readonly line: {
    readonly number: string;
    readonly service: string;
    readonly nps: string;
    readonly dn: number;
    readonly outside_diameter: number;
    readonly from_tag: string;
    readonly to_tag: string;
    readonly points: ColumnType<readonly (readonly number[])[], string, string>;
  };
  readonly tag: {
    readonly tour: string;
    readonly number: string;
    readonly type: TagType;
    readonly kind: string;
    readonly description: string;
    readonly x: number | null;
    readonly y: number | null;
    readonly z: number | null;
    readonly location: string;
    readonly line: string | null;
    readonly search_key: string;
  };
  readonly tag_view: {
    readonly tour: string;
    readonly tag: string;
    readonly node: string;
    readonly pan: number;
    readonly tilt: number;
    readonly distance: number;
    readonly visible: number;
  };
  readonly visited_node: {
    readonly person: string;
    readonly node: string;
    readonly visits: number;
    readonly first_at: Date;
    readonly last_at: Date;
  };
}
export const tourSchema = 'tour';
