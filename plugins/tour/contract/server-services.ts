import { token, type Point3 } from '#core';

/** Where a node of a tour stands. */
export interface NodePlace {
  readonly code: string;
  readonly name: string;
  readonly location: string;
  /** The camera in the site frame, metres. */
  readonly position: Point3;
}

/** The tours, for other plugins' halves on the server. */
export const Tours = token<Tours>('tour.Tours');
export interface Tours {
  /** Code of the tour of a location or of the nearest location above it. Throws 404 where there is none. */
  codeAt(location: string): Promise<string>;
  /**
   * For each shape (a point, or the corners of an area; site frame, metres) the codes of the tour's nodes that see it.
   */
  nodesThatSee(tour: string, shapes: readonly (readonly Point3[])[]): Promise<string[][]>;
  /**
   * The nodes at a location, below it and above it, of the tour there, or where there is none of all tours below; in
   * walking order.
   */
  nodesAt(location: string): Promise<readonly NodePlace[]>;
  /**
   * All tags and lines of the tour there, or where there is none of all tours below, by number, each with the location
   * that somebody has to reach to know of it.
   */
  tagsAt(location: string): Promise<readonly { readonly number: string; readonly location: string }[]>;
}
