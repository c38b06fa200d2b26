import type { RawBuilder } from 'kysely';
import { token, type Point3 } from '#core';
import type { CodeKind, TagType } from '../api.ts';

/** Location and position of a node. */
export interface NodePosition {
  readonly uid: string;
  readonly code: string;
  readonly name: string;
  readonly location: string;
  /** Position of the camera in the site frame, metres. */
  readonly position: Point3;
}

/** A tag or a line, and the location that grants access to it. */
export interface TagRef {
  readonly uid: string;
  readonly number: string;
  readonly location: string;
}

/** A tag or a line of a site with all its numbers. */
export interface SiteTag extends TagRef {
  readonly type: TagType;
  /** The current and the former numbers. */
  readonly numbers: readonly string[];
  /** In the site frame, metres. Null if it is not known. */
  readonly position: Point3 | null;
}

/** The position of a tag in the site frame, metres. */
export interface TagPosition {
  /** Uid. */
  readonly tag: string;
  readonly position: Point3;
}

/** A scan station as a viewpoint. Angles are degrees. */
export interface StationView {
  /** Uid of the station. */
  readonly station: string;
  readonly name: string;
  /** Position of the scanner in the site frame, metres. */
  readonly position: Point3;
  /** Direction of the picture's centre. */
  readonly heading: number;
}

/** `StationView` with its pictures, which are level and equirectangular, in the file store. */
export interface PicturedStation extends StationView {
  /** Instant. */
  readonly capturedAt: string;
  /** Id of the file. Null for a viewpoint without a picture. */
  readonly panorama: string | null;
  /** Id of the range image that the scanner measured, as `tileRange` reads it. Not used without a panorama. */
  readonly ranges: string;
}

/** The viewpoint that a station would become. */
export interface PlannedNode {
  readonly station: string;
  readonly code: string;
  /** The deck below the scanner. Null if there is none, or none that the caller can access. */
  readonly deck: { readonly uid: string; readonly name: string } | null;
  /** An existing viewpoint at most 0.3 m away. */
  readonly existing: {
    readonly uid: string;
    readonly code: string;
    readonly name: string;
    readonly metres: number;
  } | null;
}

/** Queries of the contents of a site, for use in SQL statements of other plugins, such as import checks. */
export const SiteContents = token<SiteContents>('tour.SiteContents');
export interface SiteContents {
  /** Selects `uid` and `code`, and for nodes also `tour` (uid). Tags include lines. */
  select(kind: CodeKind, site: string | null): RawBuilder<unknown>;
}

/** Tours, for the server halves of other plugins. Store uids, because codes may change. */
export const Tours = token<Tours>('tour.Tours');
export interface Tours {
  /** Uid of the tour of a location or of its nearest ancestor. @throws 404 if there is none */
  tourAt(location: string): Promise<string>;
  /**
   * For each shape (a point, or the corners of an area; site frame, metres), the uids of the tour's nodes that see it.
   */
  nodesThatSee(tour: string, shapes: readonly (readonly Point3[])[]): Promise<string[][]>;
  /**
   * The nodes of the location's tour at the location, below it and above it, in walking order. If the location has no
   * tour, the nodes of all tours below it.
   */
  nodesAt(location: string): Promise<readonly NodePosition[]>;
  /** `nodesAt` for many locations. The number of queries is constant. */
  nodesAtEach(locations: readonly string[]): Promise<ReadonlyMap<string, readonly NodePosition[]>>;
  /** A version that changes with the result of `nodesAtEach` for these locations. */
  nodesVersion(locations: readonly string[]): Promise<string>;
  /** All tags and lines of the location's tour, by number. If it has no tour, those of all tours below it. */
  tagsAt(location: string): Promise<readonly TagRef[]>;
  /** All tags and lines of the location's site, by number. */
  siteTags(location: string): Promise<readonly SiteTag[]>;
  /**
   * Sets positions of tags of the location's site, in one change that can be undone. Skips tags that have a position or
   * are at none of the `accessible` locations. Returns the uids of the changed tags as `placed`.
   */
  placeTags(
    author: { readonly caller: { readonly uid: string }; readonly requestId: string },
    location: string,
    positions: readonly TagPosition[],
    accessible: readonly string[],
  ): Promise<{ readonly change: string | null; readonly placed: readonly string[] }>;
  /**
   * Plans the viewpoints that stations would become in the tour of a location, without changing anything. The number
   * of queries is constant.
   *
   * @throws 404 if the location has no tour
   */
  planNodes(
    location: string,
    stations: readonly StationView[],
    accessible: readonly string[],
  ): Promise<readonly PlannedNode[]>;
  /**
   * Starts a job that creates viewpoints from stations, with their pictures and ranges, in one change that can be
   * undone. Skips viewpoints that exist when the job ends.
   *
   * @throws 404 if the location has no tour; 403 without access to the locations of the viewpoints
   */
  startNodeCreation(
    author: { readonly caller: { readonly uid: string }; readonly requestId: string },
    location: string,
    stations: readonly PicturedStation[],
    accessible: readonly string[],
  ): Promise<{ readonly job: string; readonly change: string }>;
  /** Uids by number, of tags and lines of the location's site with one of these current or former numbers. */
  findTags(location: string, numbers: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Uids by code, of nodes of the location's site with one of these current or former codes. */
  findNodes(location: string, codes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the uids that belong to nodes of the location's site. */
  filterNodes(location: string, uids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Current numbers of tags and lines by uid. Null for a tag that is neither at one of the `accessible` locations nor
   * visible from a node there.
   */
  tagNumbers(uids: readonly string[], accessible: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /**
   * A query of the tags and lines of a site, for the SQL of imports: `uid`, `number`, `location` (uid). Empty without a
   * site.
   */
  tagQuery(site: string | null): RawBuilder<unknown>;
  /** A query of the tours of a site, for the SQL of imports: `uid`, `code`, `location` (uid). Empty without a site. */
  tourQuery(site: string | null): RawBuilder<unknown>;
}
