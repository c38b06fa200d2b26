import type { SiteRecord } from '#core';

/**
 * A point in the site frame: x east, y north, z up, in metres. The plant is described with the types of this file;
 * `../geometry` converts the description to triangles.
 */
export type Point = readonly [x: number, y: number, z: number];
/** A direction (a unit vector), an offset, or sizes along the three axes; in the same frame. */
export type Vector = Point;

export type Material =
  | 'paint-white'
  | 'paint-grey'
  | 'paint-cream'
  | 'paint-yellow'
  | 'paint-red'
  | 'paint-blue'
  | 'paint-green'
  | 'paint-orange'
  | 'steel-structure'
  | 'galvanised'
  | 'stainless'
  | 'cladding'
  | 'rust'
  | 'deck-green'
  | 'deck-grey'
  | 'marking-yellow'
  | 'marking-white'
  | 'rubber'
  | 'black'
  | 'glass'
  | 'brass'
  | 'plastic-white'
  | 'plastic-red'
  | 'lamp'
  | 'cable'
  | 'sign';

export type DeckCode = 'CELLAR' | 'PROCESS' | 'UPPER' | 'OTHER';

interface PartBase {
  /** Unique in the plant; equals the tag of a tagged part. */
  readonly id: string;
  readonly deck: DeckCode;
}

/** A part with an ISA-5.1 tag. */
export interface Tagged extends PartBase {
  readonly tag: string;
  readonly description: string;
}

/** A stub with a flange on a vessel; `direction` points outward. */
export interface Nozzle {
  readonly at: Point;
  readonly direction: Vector;
  readonly nps: string;
  /** Distance from the nozzle's root to the flange face, in metres. */
  readonly projection: number;
  /** Whether the nozzle is a manway with a cover. */
  readonly blind?: boolean;
}

/** A pressure vessel with 2:1 ellipsoidal heads. */
export interface Vessel extends Tagged {
  readonly kind: 'vessel';
  readonly axis: 'x' | 'y' | 'z';
  /** The middle between the tangent lines. */
  readonly centre: Point;
  /** Including the insulation, in metres, as a scanner measures it. */
  readonly outsideDiameter: number;
  /** From tangent line to tangent line, in metres. */
  readonly length: number;
  readonly material: Material;
  /** Height of the deck under the saddles or the skirt. */
  readonly base: number;
  readonly nozzles: readonly Nozzle[];
}

/** A shell-and-tube exchanger along x. */
export interface Exchanger extends Tagged {
  readonly kind: 'exchanger';
  readonly centre: Point;
  readonly outsideDiameter: number;
  readonly length: number;
  readonly base: number;
}

/** A horizontal centrifugal pump with its motor. */
export interface Pump extends Tagged {
  readonly kind: 'pump';
  /** Middle of the baseplate, on the deck. */
  readonly base: Point;
  /** Direction of the motor in degrees clockwise from north. */
  readonly heading: number;
  readonly scale: number;
}

/** A fin-fan cooler: tube bundle on legs, fans above. */
export interface AirCooler extends Tagged {
  readonly kind: 'air-cooler';
  readonly min: Point;
  readonly max: Point;
  readonly fans: number;
}

export interface Line extends PartBase {
  readonly kind: 'line';
  /** The line number, such as `6"-PG-10021-A1B`. */
  readonly number: string;
  readonly service: string;
  readonly nps: string;
  /** Nominal diameter in millimetres. */
  readonly dn: number;
  /** Outside diameter of the bare pipe by ASME B36.10M, in metres. */
  readonly outsideDiameter: number;
  /** Thickness of insulation and cladding in metres; 0 for a bare pipe. */
  readonly insulation: number;
  readonly from: string;
  readonly to: string;
  /** Corners of the centre line. Elbows with a radius of 1.5 diameters round them. */
  readonly points: readonly Point[];
  readonly material: Material;
  /** Centres of flange pairs and the direction of the pipe there. */
  readonly flanges: readonly { readonly at: Point; readonly direction: Vector }[];
  /** Printed markers with the number: centre, text direction, and the side from which they are read. */
  readonly markers: readonly { readonly at: Point; readonly along: Vector; readonly facing: Vector }[];
}

export interface Valve extends Tagged {
  readonly kind: 'valve';
  readonly type: 'gate' | 'globe' | 'ball' | 'check' | 'control' | 'shutdown' | 'relief' | 'choke';
  readonly line: string;
  readonly nps: string;
  readonly at: Point;
  /** Direction of the pipe. */
  readonly direction: Vector;
  /** Direction of the stem. */
  readonly stem: Vector;
  /** The paint of body and actuator, if it differs from the default of the valve type. */
  readonly paint?: Material;
}

export interface Instrument extends Tagged {
  readonly kind: 'instrument';
  readonly type:
    | 'gauge'
    | 'thermometer'
    | 'transmitter'
    | 'level-gauge'
    | 'flow-element'
    | 'gas-detector'
    | 'flame-detector'
    | 'call-point'
    | 'junction-box'
    | 'beacon';
  readonly at: Point;
  /** Unit vector in the direction of the instrument's face. */
  readonly facing: Vector;
  /** The tapping point; a stub leads from there to `at`. */
  readonly tap?: Point;
  readonly line?: string;
  /** Height of a level gauge in metres. */
  readonly height?: number;
}

export interface Extinguisher extends Tagged {
  readonly kind: 'extinguisher';
  readonly base: Point;
  readonly facing: Vector;
}
export interface Lifebuoy extends Tagged {
  readonly kind: 'lifebuoy';
  readonly at: Point;
  readonly facing: Vector;
}
export interface HoseReel extends Tagged {
  readonly kind: 'hose-reel';
  readonly base: Point;
  readonly facing: Vector;
}
export interface Cabinet extends Tagged {
  readonly kind: 'cabinet';
  readonly base: Point;
  readonly size: Vector;
  readonly facing: Vector;
  readonly material: Material;
}
/** An intermediate bulk container of 1 m3 in a cage. */
export interface Tote extends Tagged {
  readonly kind: 'tote';
  readonly base: Point;
}
/** A skid with an acoustic enclosure. */
export interface Package extends Tagged {
  readonly kind: 'package';
  readonly min: Point;
  readonly max: Point;
  readonly material: Material;
  readonly doors: number;
}

/** A beam with an H section. */
export interface Beam extends PartBase {
  readonly kind: 'beam';
  readonly from: Point;
  readonly to: Point;
  readonly height: number;
  readonly width: number;
  readonly material: Material;
}
/** A round bar, tube or leg. */
export interface Post extends PartBase {
  readonly kind: 'post';
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
  readonly endRadius?: number;
  readonly material: Material;
}
/** An axis-aligned block, or one that is rotated by `heading` degrees clockwise. */
export interface Block extends PartBase {
  readonly kind: 'block';
  readonly centre: Point;
  readonly size: Vector;
  readonly heading?: number;
  readonly material: Material;
}
/** A grating of bearing bars 30 x 5 mm every 33 mm with cross rods every 100 mm; top at `z`. */
export interface Grating extends PartBase {
  readonly kind: 'grating';
  readonly min: readonly [number, number];
  readonly max: readonly [number, number];
  readonly z: number;
  readonly bars: 'x' | 'y';
}
export interface Handrail extends PartBase {
  readonly kind: 'handrail';
  readonly points: readonly Point[];
  readonly toeBoard: boolean;
}
/** A stair of grating treads between two decks. `from` and `to` are the middles of its lower and upper edge. */
export interface Stair extends Tagged {
  readonly kind: 'stair';
  readonly from: Point;
  readonly to: Point;
  readonly width: number;
}
export interface Ladder extends Tagged {
  readonly kind: 'ladder';
  readonly base: Point;
  readonly height: number;
  readonly facing: Vector;
  readonly cage: boolean;
}
export interface CableTray extends PartBase {
  readonly kind: 'cable-tray';
  readonly from: Point;
  readonly to: Point;
  readonly width: number;
  readonly cables: number;
}
/** A plate with text. `style` determines colours and layout. */
export interface Sign extends PartBase {
  readonly kind: 'sign';
  readonly at: Point;
  readonly facing: Vector;
  readonly width: number;
  readonly height: number;
  readonly text: readonly string[];
  readonly style: SignStyle;
}
export type SignStyle = 'tag' | 'name' | 'warning' | 'mandatory' | 'safe' | 'fire' | 'notice' | 'module';
export interface Lamp extends PartBase {
  readonly kind: 'lamp';
  readonly type: 'linear' | 'flood';
  readonly at: Point;
  readonly facing: Vector;
  readonly along: Vector;
}

export type Equipment = Vessel | Exchanger | Pump | AirCooler | Package | Tote;
export type Part =
  | Equipment
  | Line
  | Valve
  | Instrument
  | Extinguisher
  | Lifebuoy
  | HoseReel
  | Cabinet
  | Beam
  | Post
  | Block
  | Grating
  | Handrail
  | Stair
  | Ladder
  | CableTray
  | Sign
  | Lamp;

export interface PlantLocation {
  readonly uid: string;
  readonly name: string;
  readonly label: string;
  readonly parent: string | null;
  readonly root: string;
  readonly locationType: 'PRIMARY_LOCATION' | 'PLATFORM_UNIT' | 'LOC_LEVEL' | 'LOC_GROUP';
  /** The site record of a primary location. */
  readonly site?: SiteRecord;
  /** The box of a platform unit in the frame of its site, from which its area on the navigation image is computed. */
  readonly box?: { readonly min: Point; readonly max: Point };
}

export interface Deck {
  readonly code: DeckCode;
  readonly name: string;
  readonly location: string;
  readonly elevation: number;
  readonly extent: { readonly west: number; readonly south: number; readonly east: number; readonly north: number };
  /** The map shows only parts below this height, in metres. */
  readonly cut: number;
}

export interface Node {
  readonly code: string;
  readonly name: string;
  readonly deck: DeckCode;
  readonly location: string;
  readonly position: Point;
  /** Degrees clockwise from north at the image's centre. */
  readonly heading: number;
  /** The first view, in degrees. */
  readonly view: { readonly pan: number; readonly tilt: number };
  readonly neighbours: readonly { readonly code: string; readonly kind: 'WALK' | 'STAIR' | 'LADDER' }[];
}

/** A tag with the position and size of its part. */
export interface Tag {
  readonly tag: string;
  readonly kind:
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
  readonly description: string;
  readonly position: Point;
  readonly size: Vector;
  readonly deck: DeckCode;
  readonly line?: string;
}

export interface Plant {
  readonly name: string;
  /** Parents before children. */
  readonly locations: readonly PlantLocation[];
  readonly decks: readonly Deck[];
  readonly nodes: readonly Node[];
  readonly equipment: readonly Equipment[];
  readonly lines: readonly Line[];
  readonly valves: readonly Valve[];
  readonly instruments: readonly Instrument[];
  readonly tags: readonly Tag[];
  /** Everything with a shape, including the above. */
  readonly parts: readonly Part[];
}
