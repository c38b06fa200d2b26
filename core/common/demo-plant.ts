import type { SiteRecord } from './site-record.ts';

/**
 * The demo plant as plugins see it: plain data, handed by the CLI to each plugin's `server/demo.ts`.
 *
 * Site frame: right-handed, x east, y north, z up, metres in doubles.
 * Angles: degrees; pan clockwise from site north in [0, 360), tilt up in [-90, 90].
 *
 * Pictures and range images of a node share one equirectangular projection: for a picture W wide and H high, the centre
 * of pixel (i, j) looks at `pan = heading + ((i + 0.5) / W - 0.5) * 360` and `tilt = 90 - (j + 0.5) / H * 180`; the
 * direction in the site frame is `[sin(pan) cos(tilt), cos(pan) cos(tilt), sin(tilt)]`. There is no roll.
 */
export type DemoPosition = readonly [x: number, y: number, z: number];

/** One file on disk of the machine that seeds. */
export interface DemoFile {
  /** Absolute path. */
  readonly path: string;
  /** Name without folder, such as `HB-P01.jpg`. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export type DemoLocationType = 'PRIMARY_LOCATION' | 'PLATFORM_UNIT' | 'LOC_LEVEL' | 'LOC_GROUP';

/** Where a location lies on the navigation picture of its primary location. */
export interface DemoNavigationArea {
  /** uid of the location that a click on this area opens. */
  readonly location: string;
  /** Closed polygon, fractions of the picture: x from the left, y from the top, each in [0, 1]. */
  readonly polygon: readonly (readonly [x: number, y: number])[];
}

export interface DemoLocation {
  readonly uid: string;
  /** Short name, such as `Halvorsen Bravo`. */
  readonly name: string;
  /** What a person reads below the name, such as `Process module M10`. */
  readonly label: string;
  /** uid of the parent; null for a primary location. */
  readonly parent: string | null;
  /** uid of the primary location above (its own uid for a primary location). */
  readonly root: string;
  readonly locationType: DemoLocationType;
  /** Of a primary location. */
  readonly site?: SiteRecord;
  /** 250 x 250; primary locations and platform units have one. */
  readonly icon?: DemoFile;
  /** 1980 x 1080; primary locations only. */
  readonly navigationImage?: DemoFile;
  /** Areas of the platform units on `navigationImage`. */
  readonly navigationAreas?: readonly DemoNavigationArea[];
}

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

/** Points of a scan, in batches. */
export interface DemoPoints {
  readonly count: number;
  /** x y z of each, site frame, metres. */
  readonly positions: Float64Array;
  /** Red, green, blue of each, 0 to 65535. */
  readonly colors: Uint16Array;
  /** 0 to 1. */
  readonly intensities: Float32Array;
}

/** A point cloud of the demo: some million points, made while they are read. */
export interface DemoCloud {
  readonly code: string;
  readonly name: string;
  /** uid of the PLATFORM_UNIT. */
  readonly location: string;
  /** ISO 8601. */
  readonly capturedAt: string;
  /** The same each time. */
  points(): AsyncIterable<DemoPoints>;
}

/** A 3D model of the plant in the site frame. */
export interface DemoModel {
  /** Unique, such as `HB-M10`. */
  readonly code: string;
  readonly name: string;
  /** uid of the location that it shows. */
  readonly location: string;
  /**
   * Writes it, which takes some seconds where it was not written before: a GLB in metres, y up as glTF has it, with
   * tags in the nodes' `extras`.
   */
  make(): Promise<DemoModelFile>;
}

export interface DemoModelFile {
  readonly file: Omit<DemoFile, 'width' | 'height'>;
  /** Site frame, metres. */
  readonly bounds: { readonly min: DemoPosition; readonly max: DemoPosition };
  readonly report: {
    readonly objects: number;
    readonly tagged: number;
    readonly triangles: number;
    readonly meshes: number;
  };
}

/** A point or an area that is drawn on panoramas. */
export interface DemoMarker {
  readonly name: string;
  readonly text: string;
  readonly kind: 'TAG' | 'HOTSPOT' | 'DOCUMENT' | 'NOTE';
  /** One: a point; more: the corners of an area. Site frame, metres. */
  readonly points: readonly DemoPosition[];
  /** Number of a tag or line, or code of a node. */
  readonly target?: string;
  readonly document?: { readonly name: string; readonly mediaType: string; readonly content: () => Uint8Array };
  /** uid of the LOC_LEVEL. */
  readonly location: string;
}

export interface DemoPlant {
  readonly name: string;
  /** Parents before children. */
  readonly locations: readonly DemoLocation[];
  readonly decks: readonly DemoDeck[];
  readonly tours: readonly DemoTour[];
  readonly nodes: readonly DemoNode[];
  readonly links: readonly DemoLink[];
  readonly tags: readonly DemoTag[];
  readonly lines: readonly DemoLine[];
  readonly markers?: readonly DemoMarker[];
  readonly clouds?: readonly DemoCloud[];
  readonly models?: readonly DemoModel[];
  /** Login backgrounds, 1920 x 1200 JPEG. */
  readonly loginBackgrounds: readonly DemoFile[];
}
