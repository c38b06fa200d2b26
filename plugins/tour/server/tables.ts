import type { ColumnType, Generated } from 'kysely';
import type { LocalizedError } from '#core';
import type { CodeKind, TagType, TourLink } from '#plugins/tour';
import type { SavedTie } from '../contract/api/alignment.ts';
import type { rangeSources } from '../contract/api.ts';
import type { RangeResult } from '../contract/api/ranges.ts';
import type { DeckWall, PlanPoint, PosedTilt } from '../contract/api/tour-content.ts';
import type { FloorKind } from '../contract/values/content-values.ts';
import type { Pyramid } from './jobs/pyramid.ts';

/** `code` is unique within `site` (uid of a root location) and may change. Other tables refer to the `uid`. */
interface CodedRow {
  readonly uid: string;
  readonly site: string;
  readonly code: string;
}

/** An imported view: degrees, metres and the visible fraction. */
export interface ImportedView {
  readonly pan: number;
  readonly tilt: number;
  readonly distance: number;
  readonly visible: number | null;
}

/** Source of a computed range image. Null if a scanner measured it. */
export type RangeSource = (typeof rangeSources)[number];

/**
 * The tables of the Postgres schema `tour`. Lengths are metres in the site frame, angles are degrees. Columns ending in
 * `_file` contain file ids. Columns named after an entity contain its uid. `pitch` and `roll` of a panorama are the
 * tilt of its camera (`CameraTilt`). Tiles and range images are levelled. `posed_tilt` of a node is the tilt of its
 * pose, which is copied to panoramas that are uploaded without pitch and roll.
 */
export interface TourTables {
  /** Current codes (`replaced_at` is null) and former codes, by which an entity is still found. */
  readonly code: {
    readonly site: string;
    readonly kind: CodeKind;
    readonly code: string;
    readonly entity: string;
    readonly replaced_at: Date | null;
  };
  readonly tour: CodedRow & {
    readonly name: string;
    readonly location: string;
    /** The chosen start node. If it is null or deleted, visitors begin at the node with the lowest position. */
    readonly start_node: string | null;
    /** Incremented with each change of the reply of `openTour`. */
    readonly version: Generated<number>;
    /** Incremented with each change by an admin. */
    readonly row_version: Generated<number>;
  };
  readonly deck: CodedRow & {
    readonly name: string;
    readonly location: string;
    readonly elevation: number;
    /** Columns of the plan are null without a plan. Columns of its placement are null until it is placed. */
    readonly plan_file: string | null;
    /** Size of the plan, pixels. */
    readonly plan_width: number | null;
    readonly plan_height: number | null;
    /** Centre of the plan. */
    readonly plan_x: number | null;
    readonly plan_y: number | null;
    /** Metres per pixel. */
    readonly plan_scale: number | null;
    /** Direction of the plan's upper edge, degrees clockwise from north. */
    readonly plan_heading: number | null;
    /** The points by which the plan was placed. */
    readonly plan_points: ColumnType<readonly PlanPoint[], string | undefined, string>;
    readonly floor: Generated<FloorKind>;
    readonly walls: ColumnType<readonly DeckWall[], string | undefined, string>;
    readonly row_version: Generated<number>;
  };
  readonly node: CodedRow & {
    readonly tour: string;
    readonly position: number;
    readonly name: string;
    readonly deck: string | null;
    readonly location: string;
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly heading: number;
    /** When the pose was measured. Panoramas with other names are matched by this time. Null if unknown. */
    readonly posed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    /** Null if the camera is level or its tilt is unknown. */
    readonly posed_tilt: ColumnType<PosedTilt | null, string | null | undefined, string | null>;
    readonly pitch: Generated<number>;
    readonly roll: Generated<number>;
    readonly view_pan: number;
    readonly view_tilt: number;
    /** Null without a panorama. Visitors do not see such a node. */
    readonly captured_at: ColumnType<Date | null, Date | string | null>;
    readonly panorama_file: string | null;
    readonly range_file: string | null;
    readonly range_source: ColumnType<RangeSource | null, RangeSource | null | undefined, RangeSource | null>;
    /** Position and heading for which `range_file` was computed (`toRangePose`). Null if a scanner measured it. */
    readonly range_pose: ColumnType<string | null, string | null | undefined, string | null>;
    readonly thumbnail_file: string | null;
    readonly pyramid_file: string | null;
    readonly pyramid: ColumnType<Pyramid | null, string | null, string | null>;
    readonly row_version: Generated<number>;
  };
  readonly capture: {
    readonly uid: string;
    readonly node: string;
    readonly captured_at: ColumnType<Date, Date | string>;
    readonly heading: number;
    readonly pitch: Generated<number>;
    readonly roll: Generated<number>;
    readonly panorama_file: string;
    readonly range_file: string | null;
    readonly range_source: ColumnType<RangeSource | null, RangeSource | null | undefined, RangeSource | null>;
    /** Position and heading for which `range_file` was computed (`toRangePose`). Null if a scanner measured it. */
    readonly range_pose: ColumnType<string | null, string | null | undefined, string | null>;
    readonly pyramid_file: string | null;
    readonly pyramid: ColumnType<Pyramid | null, string | null, string | null>;
  };
  /**
   * Alignment of a node by ties: the fitted pose and picture. Valid as long as the node has the same pose and picture.
   */
  readonly alignment: {
    readonly node: string;
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly heading: number;
    readonly panorama_file: string;
    /** Largest residual of the used ties, degrees. */
    readonly residual: number;
    /** Number of used ties. */
    readonly tie_count: number;
    readonly ties: ColumnType<readonly SavedTie[], string, string>;
    readonly aligned_at: ColumnType<Date, Date | string>;
  };
  /** Imported panoramas that are not published yet. */
  readonly incoming: {
    readonly uid: string;
    readonly node: string;
    readonly captured_at: ColumnType<Date, Date | string>;
    readonly heading: number;
    readonly pitch: Generated<number>;
    readonly roll: Generated<number>;
    readonly panorama_file: string;
    /** Id of the import job. */
    readonly job: string;
    /** Why the import failed. */
    readonly message: string | null;
    /** Message id and values of `message`. */
    readonly refusal: ColumnType<LocalizedError | null, string | null, string | null>;
  };
  readonly link: {
    readonly from_node: string;
    readonly to_node: string;
    readonly kind: TourLink['kind'];
    readonly pan: number;
    readonly tilt: number;
    readonly distance: number;
  };
  readonly tag: CodedRow & {
    readonly type: TagType;
    readonly kind: string;
    readonly description: string;
    readonly x: number | null;
    readonly y: number | null;
    readonly z: number | null;
    readonly location: string;
    /** The line that the tag belongs to. */
    readonly line: string | null;
    readonly search_key: string;
    readonly row_version: Generated<number>;
  };
  /** Data of a line besides its row in `tag`. */
  readonly pipe: {
    readonly line: string;
    readonly service: string;
    readonly nps: string;
    readonly dn: number;
    readonly outside_diameter: number;
    /** The ends of the line as in the line list. They need not be tags of the site. */
    readonly from_tag: string;
    readonly to_tag: string;
    readonly points: ColumnType<readonly (readonly number[])[], string, string>;
  };
  readonly tag_view: {
    readonly tag: string;
    readonly node: string;
    readonly pan: number;
    readonly tilt: number;
    readonly distance: number;
    /** Visible fraction, above 0. Null if the node has no range image, or until it is checked. */
    readonly visible: number | null;
    /** Imported view of a tag or line without a position. The other columns are copies. Null for a computed view. */
    readonly given: ColumnType<ImportedView | null, string | null | undefined, string | null>;
  };
  /** A tag or node whose views are computed by a job. They are not shown until then. */
  readonly moved_place: {
    readonly uid: string;
    readonly site: string;
    readonly type: 'TAG' | 'NODE';
  };
  readonly document: CodedRow & {
    readonly title: string;
    readonly location: string;
    readonly row_version: Generated<number>;
  };
  readonly document_revision: {
    readonly document: string;
    readonly revision: string;
    /** Suitability by ISO 19650-2 (UK national annex), such as `A1`. */
    readonly status: string;
    /** `YYYY-MM-DD`. */
    readonly issued_on: string;
    readonly file: string;
    readonly row_version: Generated<number>;
  };
  /** The tags and lines that a document describes. */
  readonly document_link: {
    readonly document: string;
    readonly tag: string;
  };
  readonly visited_node: {
    readonly person: string;
    readonly node: string;
    readonly visits: number;
    readonly first_at: Date;
    readonly last_at: Date;
  };
  /** The latest computation of range images of a tour. */
  readonly range_run: {
    readonly tour: string;
    readonly job: string;
    /** True if an admin stopped the computation. */
    readonly stopped: Generated<boolean>;
    /** Null until it ends. */
    readonly result: ColumnType<RangeResult | null, string | null | undefined, string | null>;
  };
  /** Views with a short link. */
  readonly view_link: {
    readonly code: string;
    readonly location: string;
    /** The query of the tour's URL, as written by `encodeViewState`. */
    readonly view: string;
    /** Hex SHA-256 of `view`, because an index cannot contain long texts. */
    readonly digest: string;
    /** Uid of the person who first shared the view. */
    readonly author: string;
    readonly created_at: Date;
  };
}
export const tourSchema = 'tour';
