import type { DemoFile } from '#core';

/**
 * A point in the site frame: right-handed, x east, y north, z up, metres as doubles.
 * Angles are degrees: pan clockwise from site north in [0, 360), tilt up in [-90, 90].
 *
 * Pictures and range images of a node share one equirectangular projection without roll. In a picture of W x H pixels,
 * the centre of pixel (i, j) has `pan = heading + ((i + 0.5) / W - 0.5) * 360` and `tilt = 90 - (j + 0.5) / H * 180`.
 * Its direction in the site frame is `[sin(pan) cos(tilt), cos(pan) cos(tilt), sin(tilt)]`.
 */
export type DemoPosition = readonly [x: number, y: number, z: number];

/** A walkable level with its map. */
export interface DemoDeck {
  readonly code: string;
  readonly name: string;
  /** uid of its LOC_LEVEL. */
  readonly location: string;
  /** Height of the walking surface in the site frame, metres. */
  readonly elevation: number;
  /** Orthographic top view, north up. */
  readonly map: DemoFile;
  /** Bounds of the map in the site frame, metres. */
  readonly extent: { readonly west: number; readonly south: number; readonly east: number; readonly north: number };
}

/** A tour: the nodes of one platform unit. */
export interface DemoTour {
  readonly code: string;
  readonly name: string;
  /** uid of the PLATFORM_UNIT. */
  readonly location: string;
  /** Code of the first node of a visit. */
  readonly startNode: string;
}

/** An earlier capture at a node, with the projection and the pose of the node's current panorama. */
export interface DemoCapture {
  /** ISO 8601 instant. */
  readonly capturedAt: string;
  readonly panorama: DemoFile;
  /** As in `DemoNode`. */
  readonly range: DemoFile;
}

export interface DemoNode {
  /** Unique within the plant, such as `HB-P03`. */
  readonly code: string;
  readonly name: string;
  readonly tour: string;
  readonly deck: string;
  /** uid of the node's LOC_LEVEL. */
  readonly location: string;
  /** Position of the camera, 1.7 m above the deck, in the site frame. */
  readonly position: DemoPosition;
  /** Direction of the picture's centre, degrees clockwise from north. */
  readonly heading: number;
  /** Recommended first view, degrees. */
  readonly view: { readonly pan: number; readonly tilt: number };
  /** ISO 8601 instant. */
  readonly capturedAt: string;
  /** Equirectangular JPEG. */
  readonly panorama: DemoFile;
  /**
   * Lossless WebP of radial ranges in millimetres: high byte in R, low byte in G, B is 0. 0 is no return, the maximum
   * is 65 535. It has the projection of the panorama. The size may differ.
   */
  readonly range: DemoFile;
  /** Perspective JPEG, 480 x 320. */
  readonly thumbnail: DemoFile;
  /** Captures of earlier days. */
  readonly earlier?: readonly DemoCapture[];
}

/** One direction between two nodes. Every link has its opposite. */
export interface DemoLink {
  readonly from: string;
  readonly to: string;
  readonly kind: 'WALK' | 'STAIR' | 'LADDER';
  /** Direction from the node's camera to the other node's foot point, degrees. */
  readonly pan: number;
  readonly tilt: number;
  /** Distance between the two cameras, metres. */
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

/** Direction and distance of a tag as seen from a node. */
export interface DemoTagView {
  readonly node: string;
  /** Degrees. */
  readonly pan: number;
  readonly tilt: number;
  /** From the camera to the tag's position, metres. */
  readonly distance: number;
  /** Visible fraction of the tag's sample points, in (0, 1]. */
  readonly visible: number;
}

export interface DemoTag {
  /** ISA-5.1 style, such as `PT-1001`. Unique. */
  readonly tag: string;
  readonly kind: DemoTagKind;
  readonly description: string;
  /** Centre of the tagged object, site frame. */
  readonly position: DemoPosition;
  /** Axis-aligned size, metres. */
  readonly size: DemoPosition;
  readonly deck: string;
  /** uid of the LOC_LEVEL. */
  readonly location: string;
  /** Number of the line that the tag belongs to. */
  readonly line?: string;
  /** Nearest first. May be empty. */
  readonly seenFrom: readonly DemoTagView[];
}

export interface DemoLine {
  /** Such as `6"-PG-10021-A1B`. Unique. */
  readonly number: string;
  readonly service: string;
  /** Nominal pipe size in inches, as text such as `6` or `1 1/2`. */
  readonly nps: string;
  /** Nominal diameter, millimetres. */
  readonly dn: number;
  /** Outside diameter in metres by ASME B36.10. */
  readonly outsideDiameter: number;
  readonly from: string;
  readonly to: string;
  /** Centre line in the site frame, with sharp corners where the pipe has elbows. */
  readonly points: readonly DemoPosition[];
  /** Points on the line that are visible from a node, for pins and search. The nearest is first. */
  readonly seenFrom: readonly DemoTagView[];
}

/** A document of the site, such as a data sheet. */
export interface DemoDocument {
  /** Unique within the plant. */
  readonly code: string;
  readonly title: string;
  /** uid of a location. */
  readonly location: string;
  /** Tags and line numbers that the document describes. */
  readonly tags: readonly string[];
  /** Oldest first. */
  readonly revisions: readonly {
    readonly revision: string;
    /** Suitability by ISO 19650-2 (UK national annex), such as `A1`. */
    readonly status: string;
    /** `YYYY-MM-DD`. */
    readonly issuedOn: string;
    readonly fileName: string;
    readonly mediaType: string;
    readonly content: () => Promise<Uint8Array>;
  }[];
}

/** Demo data of the tour plugin. */
export interface TourDemo {
  readonly decks: readonly DemoDeck[];
  readonly tours: readonly DemoTour[];
  readonly nodes: readonly DemoNode[];
  readonly links: readonly DemoLink[];
  readonly tags: readonly DemoTag[];
  readonly lines: readonly DemoLine[];
  readonly documents: readonly DemoDocument[];
}
