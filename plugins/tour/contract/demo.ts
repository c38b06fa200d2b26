import type { DemoFile } from '#core';

/**
 * A point in the site frame: right-handed, x east, y north, z up, metres in doubles.
 * Angles: degrees; pan clockwise from site north in [0, 360), tilt up in [-90, 90].
 *
 * Pictures and range images of a node share one equirectangular projection: for a picture W wide and H high, the centre
 * of pixel (i, j) looks at `pan = heading + ((i + 0.5) / W - 0.5) * 360` and `tilt = 90 - (j + 0.5) / H * 180`; the
 * direction in the site frame is `[sin(pan) cos(tilt), cos(pan) cos(tilt), sin(tilt)]`. There is no roll.
 */
export type DemoPosition = readonly [x: number, y: number, z: number];

/** One walkable level with its map. */
export interface DemoDeck {
  readonly code: string;
  readonly name: string;
  /** uid of its LOC_LEVEL. */
  readonly location: string;
  /** Height of the walking surface in the site frame, metres. */
  readonly elevation: number;
  /** Top-down orthographic picture, north up. */
  readonly map: DemoFile;
  /** Metres in the site frame that the map's edges stand for. */
  readonly extent: { readonly west: number; readonly south: number; readonly east: number; readonly north: number };
}

/** A tour: the nodes of one platform unit. */
export interface DemoTour {
  readonly code: string;
  readonly name: string;
  /** uid of the PLATFORM_UNIT. */
  readonly location: string;
  /** Code of the node where a visit begins. */
  readonly startNode: string;
}

/** What was taken at a node at an earlier round: in the projection and at the pose of the node's own panorama. */
export interface DemoCapture {
  /** ISO 8601 instant. */
  readonly capturedAt: string;
  readonly panorama: DemoFile;
  /** As of a node. */
  readonly range: DemoFile;
}

export interface DemoNode {
  /** Unique over the plant, such as `HB-P03`. */
  readonly code: string;
  readonly name: string;
  readonly tour: string;
  readonly deck: string;
  /** uid of the LOC_LEVEL that the node stands on. */
  readonly location: string;
  /** The camera: 1.7 m above the deck, site frame. */
  readonly position: DemoPosition;
  /** Where the picture's centre looks: degrees clockwise from north. */
  readonly heading: number;
  /** Pan and tilt of a good first view, degrees. */
  readonly view: { readonly pan: number; readonly tilt: number };
  /** ISO 8601 instant. */
  readonly capturedAt: string;
  /** Equirectangular JPEG. */
  readonly panorama: DemoFile;
  /**
   * Lossless WebP: radial range of each pixel in millimetres, high byte in R, low byte in G (B is 0); 0 is no return,
   * the most is 65 535. Same projection as the panorama; its size may differ.
   */
  readonly range: DemoFile;
  /** Perspective JPEG, 480 x 320. */
  readonly thumbnail: DemoFile;
  /** Of earlier rounds. */
  readonly earlier?: readonly DemoCapture[];
}

/** One direction of a walk between two nodes; every link has its opposite. */
export interface DemoLink {
  readonly from: string;
  readonly to: string;
  readonly kind: 'WALK' | 'STAIR' | 'LADDER';
  /** Direction from the node's camera to the other node's foot point, degrees. */
  readonly pan: number;
  readonly tilt: number;
  /** Metres between the two cameras. */
  readonly distance: number;
}

export type DemoTagKind =
  | 'VESSEL'
  | 'PUMP'
  | 'EXCHANGER'
  | 'COMPRESSOR'
  | 'TANK'
  | 'VALVE'
  | 'INSTRUMENT'
  | 'SAFETY'
  | 'ELECTRICAL'
  | 'STRUCTURE';

/** Where a tag is seen from a node. */
export interface DemoTagView {
  readonly node: string;
  /** Degrees. */
  readonly pan: number;
  readonly tilt: number;
  /** Metres from the camera to the tag's position. */
  readonly distance: number;
  /** Share of the tag's sample points that are in sight, in (0, 1]. */
  readonly visible: number;
}

export interface DemoTag {
  /** ISA-5.1 style, such as `PT-1001`. Unique. */
  readonly tag: string;
  readonly kind: DemoTagKind;
  readonly description: string;
  /** Centre of what is tagged, site frame. */
  readonly position: DemoPosition;
  /** Axis-parallel size, metres. */
  readonly size: DemoPosition;
  readonly deck: string;
  /** uid of the LOC_LEVEL. */
  readonly location: string;
  /** Number of the line that the tag sits on. */
  readonly line?: string;
  /** Nearest first. May be empty. */
  readonly seenFrom: readonly DemoTagView[];
}

export interface DemoLine {
  /** Such as `6"-PG-10021-A1B`. Unique. */
  readonly number: string;
  readonly service: string;
  /** Nominal pipe size in inches, as written: `6`, `1 1/2`. */
  readonly nps: string;
  /** Nominal diameter, millimetres. */
  readonly dn: number;
  /** Outside diameter in metres by ASME B36.10. */
  readonly outsideDiameter: number;
  readonly from: string;
  readonly to: string;
  /** Centre line, site frame; corners before the elbows are rounded. */
  readonly points: readonly DemoPosition[];
  /** A point on the line in sight of a node, for pins and for search; nearest first. */
  readonly seenFrom: readonly DemoTagView[];
}

/** What the tour seeds of the demo plant. */
export interface TourDemo {
  readonly decks: readonly DemoDeck[];
  readonly tours: readonly DemoTour[];
  readonly nodes: readonly DemoNode[];
  readonly links: readonly DemoLink[];
  readonly tags: readonly DemoTag[];
  readonly lines: readonly DemoLine[];
}
