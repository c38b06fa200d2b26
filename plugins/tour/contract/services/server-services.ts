import { token, type Point3 } from '#core';

/** Where a node of a tour stands. */
export interface NodePlace {
  readonly uid: string;
  readonly code: string;
  readonly name: string;
  readonly location: string;
  /** The camera in the site frame, metres. */
  readonly position: Point3;
}

/** A tag or line, and the location that somebody has to be able to access to know of it. */
export interface TagRef {
  readonly uid: string;
  readonly number: string;
  readonly location: string;
}

/** The tours, for other plugins' halves on the server. Codes are for people; store uids. */
export const Tours = token<Tours>('tour.Tours');
export interface Tours {
  /** Uid of the tour of a location or of the nearest location above it. Throws 404 where there is none. */
  tourAt(location: string): Promise<string>;
  /**
   * For each shape (a point, or the corners of an area; site frame, metres) the uids of the tour's nodes that see it.
   */
  nodesThatSee(tour: string, shapes: readonly (readonly Point3[])[]): Promise<string[][]>;
  /**
   * The nodes at a location, below it and above it, of the tour there, or where there is none of all tours below; in
   * walking order.
   */
  nodesAt(location: string): Promise<readonly NodePlace[]>;
  /** `nodesAt` for each of these locations; as many queries for any number. */
  nodesAtEach(locations: readonly string[]): Promise<ReadonlyMap<string, readonly NodePlace[]>>;
  /** A text that is another one whenever `nodesAtEach` answers something else for these locations. */
  nodesVersion(locations: readonly string[]): Promise<string>;
  /**
   * All tags and lines of the tour there, or where there is none of all tours below, by number.
   */
  tagsAt(location: string): Promise<readonly TagRef[]>;
  /** Uids by number, of the tags and lines of the location's site that have one of these numbers or had it before. */
  findTags(location: string, numbers: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Uids by code, of the nodes of the location's site that have one of these codes or had it before. */
  findNodes(location: string, codes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of these uids that are nodes of the location's site. */
  filterNodes(location: string, uids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Numbers of tags and lines by uid, as they are now; null for one that neither lies at one of the `accessible`
   * locations nor is seen from a node there.
   */
  tagNumbers(uids: readonly string[], accessible: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
}
