import { token, type Point3 } from '#core';
import type { TagType } from '../api.ts';

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
  /** The present and the former numbers. */
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

/** The tours, for the server halves of other plugins. Codes are for people, so store uids. */
export const Tours = token<Tours>('tour.Tours');
export interface Tours {
  /** Uid of the tour of a location or of its nearest ancestor. @throws 404 if there is none */
  tourAt(location: string): Promise<string>;
  /**
   * For each shape (a point, or the corners of an area; site frame, metres), the uids of the tour's nodes that see it.
   */
  nodesThatSee(tour: string, shapes: readonly (readonly Point3[])[]): Promise<string[][]>;
  /**
   * The nodes of the location's tour at the location, below it and above it, in walking order. Without a tour at the
   * location, those of all tours below.
   */
  nodesAt(location: string): Promise<readonly NodePosition[]>;
  /** `nodesAt` for many locations. The number of queries is constant. */
  nodesAtEach(locations: readonly string[]): Promise<ReadonlyMap<string, readonly NodePosition[]>>;
  /** A version that changes with the result of `nodesAtEach` for these locations. */
  nodesVersion(locations: readonly string[]): Promise<string>;
  /** All tags and lines of the location's tour, by number. Without a tour at the location, those of all tours below. */
  tagsAt(location: string): Promise<readonly TagRef[]>;
  /** All tags and lines of the location's site, by number. */
  siteTags(location: string): Promise<readonly SiteTag[]>;
  /**
   * Gives tags of the location's site a position, as a change that can be undone. Leaves out tags that have one, and
   * tags that are at none of the `accessible` locations. `placed` are the uids of the others.
   */
  placeTags(
    author: { readonly caller: { readonly uid: string }; readonly requestId: string },
    location: string,
    positions: readonly TagPosition[],
    accessible: readonly string[],
  ): Promise<{ readonly change: string | null; readonly placed: readonly string[] }>;
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
}
