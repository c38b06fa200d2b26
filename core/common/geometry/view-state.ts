/** A point in the site frame: right-handed, x east, y north, z up, metres. */
export type Point3 = readonly [number, number, number];

export const viewTypes = ['PANO', 'TRU_VIEW', 'THREE_D_MODEL'] as const;
export type ViewType = (typeof viewTypes)[number];

/** The person's position and direction of view. Angles in degrees. */
export interface ViewState {
  readonly v: 1;
  /** The id of the active tour module, set by its plugin. */
  readonly module: string;
  /** The id of the second tour module of a split view. */
  readonly beside?: string;
  /** Code of the tour node. */
  readonly node?: string;
  readonly pos: Point3;
  /** Clockwise from north, in [0, 360). */
  readonly pan: number;
  /** Upwards is positive, in [-90, 90]. */
  readonly tilt: number;
  /** Vertical field of view, in [15, 100]. */
  readonly fov: number;
  readonly target?: Point3;
  readonly floor?: string;
  /** The selected tag. */
  readonly sel?: string;
  /** State of a tour module, such as sheet, zoom and centre of a drawing. */
  readonly layers?: Readonly<Record<string, string>>;
}
