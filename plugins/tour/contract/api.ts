import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { CalendarDay, Empty, GivenInstant, Instant, LocationUid, nullable, Point, Uid } from '#core/api';

/** A line's number holds quotes and slashes: it travels percent-encoded. */
const TagNumber = Type.String({ minLength: 1, maxLength: 120 });

/** A panorama cut into tiles. Files lie under `address`: `preview.jpg` and `<level>/<column>_<row>.jpg`. */
export type PanoramaTiles = Static<typeof PanoramaTiles>;
export const PanoramaTiles = Type.Object({
  /** Changes when the picture does. */
  id: Type.String(),
  address: Type.String(),
  /** Edge of a tile in pixels; tiles of the last column and row may be smaller. */
  tileSize: Type.Integer(),
  /** Coarse first; each is twice as wide as the one before. */
  levels: Type.Array(
    Type.Object({ width: Type.Integer(), height: Type.Integer(), columns: Type.Integer(), rows: Type.Integer() }),
  ),
  /**
   * Whether `mesh.u16` lies beside the tiles: 257 x 129 ranges in millimetres, little-endian uint16, 0 is no return;
   * rows from the zenith down, columns from the picture's left edge to its right.
   */
  mesh: Type.Boolean(),
});

/**
 * The range image of a panorama, cut into tiles: `range/<column>_<row>.webp` under `address`, lossless, the range in
 * millimetres with its high byte in R and its low byte in G, 0 for no return.
 */
export type RangeTiles = Static<typeof RangeTiles>;
export const RangeTiles = Type.Object({
  /** Changes when the ranges do. */
  id: Type.String(),
  address: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  tileSize: Type.Integer(),
  /** One standard deviation of a single range, metres. */
  sigma: Type.Number(),
});

/** A panorama that was taken earlier, from the node's place. */
export type TourCapture = Static<typeof TourCapture>;
export const TourCapture = Type.Object({
  capturedAt: Instant,
  /** At the site. The panoramas of a node are told apart by it. */
  day: CalendarDay,
  /** Where the picture's centre looks, degrees clockwise from north. */
  heading: Type.Number(),
  picture: PanoramaTiles,
});

export type TourNode = Static<typeof TourNode>;
export const TourNode = Type.Object({
  uid: Type.String(),
  /** Unique within the site; may change. */
  code: Type.String(),
  /** Codes that the node had before: addresses that name them still open it. */
  formerCodes: Type.Array(Type.String()),
  name: Type.String(),
  /** Uid of the deck that it stands on. */
  deck: nullable(Type.String()),
  location: Type.String(),
  /** The camera in the site frame, metres. */
  position: Point,
  /** Where the picture's centre looks, degrees clockwise from north. */
  heading: Type.Number(),
  /** A good first view, degrees. */
  view: Type.Object({ pan: Type.Number(), tilt: Type.Number() }),
  capturedAt: Instant,
  /** As of a capture. */
  day: CalendarDay,
  thumbnail: nullable(Type.String()),
  /** Null until the tiles are made. */
  picture: nullable(PanoramaTiles),
  /** Of earlier dates, the latest first. */
  captures: Type.Array(TourCapture),
});

export const linkKinds = ['WALK', 'STAIR', 'LADDER'] as const;
export type TourLink = Static<typeof TourLink>;
export const TourLink = Type.Object({
  /** Uids of nodes. */
  from: Type.String(),
  to: Type.String(),
  kind: Type.Enum([...linkKinds]),
  /** Direction from the camera to the other node's foot point, degrees. */
  pan: Type.Number(),
  tilt: Type.Number(),
  /** Metres between the cameras. */
  distance: Type.Number(),
});

/** The plan of a deck and where it lies: pixels become metres by a scale, a rotation and a shift. */
export type DeckPlan = Static<typeof DeckPlan>;
export const DeckPlan = Type.Object({
  /** Address of the picture. */
  address: Type.String(),
  /** Of the picture, pixels. */
  width: Type.Integer(),
  height: Type.Integer(),
  /** Where its centre lies in the site frame, metres east and north. */
  centre: Type.Unsafe<readonly [east: number, north: number]>(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
  /** Metres that a pixel stands for. */
  scale: Type.Number(),
  /** Where its upper edge points, degrees clockwise from north. */
  heading: Type.Number(),
});

export type Deck = Static<typeof Deck>;
export const Deck = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  formerCodes: Type.Array(Type.String()),
  name: Type.String(),
  /** Of the walking surface in the site frame, metres. */
  elevation: Type.Number(),
  plan: DeckPlan,
});

export type Tour = Static<typeof Tour>;
export const Tour = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  name: Type.String(),
  location: Type.String(),
  /** Uid of a node. */
  startNode: Type.String(),
});

export type OpenedTour = Static<typeof OpenedTour>;
export const OpenedTour = Type.Object({
  tour: Tour,
  /** In walking order; only those whose location the caller can access. */
  nodes: Type.Array(TourNode),
  links: Type.Array(TourLink),
  /** From below; only those that one of the nodes stands on. */
  decks: Type.Array(Deck),
});

export const openTour = endpoint('GET', '/api/tour/:location', {
  summary:
    'Everything a tour needs to start: nodes, links and decks. The tour is that of the location or of the nearest ' +
    'location above it.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: OpenedTour,
});

export const tagTypes = ['TAG', 'LINE'] as const;
export type TagType = (typeof tagTypes)[number];

/** A tag or a line as it is seen from one node. */
export type TagPin = Static<typeof TagPin>;
export const TagPin = Type.Object({
  number: Type.String(),
  type: Type.Enum([...tagTypes]),
  /** Such as `VALVE`; `LINE` for a line. */
  kind: Type.String(),
  description: Type.String(),
  /** Degrees, and metres from the camera. */
  pan: Type.Number(),
  tilt: Type.Number(),
  distance: Type.Number(),
});

export const listNodeTags = endpoint('GET', '/api/tour/:location/nodes/:node/tags', {
  summary: 'The tags and lines in sight of one node, nearest first.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, node: Uid }),
  reply: Type.Array(TagPin),
});

export const findSurface = endpoint('GET', '/api/tour/:location/nodes/:node/surface', {
  summary:
    'The point of the site that one sees from a node in a direction, by the ranges of its panorama, or, where the ' +
    'present one has none, of the latest that has; null where nothing solid was met. `capturedAt` names an earlier ' +
    'panorama of the node.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, node: Uid }),
  query: Type.Object(
    {
      pan: Type.Number({ minimum: -360, maximum: 720 }),
      tilt: Type.Number({ minimum: -90, maximum: 90 }),
      capturedAt: Type.Optional(GivenInstant),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ point: nullable(Point) }),
});

/** One tag or line with all places from which it is seen. */
export type TagDetails = Static<typeof TagDetails>;
export const TagDetails = Type.Object({
  uid: Type.String(),
  /** Unique within the site; may change. */
  number: Type.String(),
  /** Numbers that it had before, the latest first. */
  formerNumbers: Type.Array(Type.String()),
  type: Type.Enum([...tagTypes]),
  kind: Type.String(),
  description: Type.String(),
  position: nullable(Point),
  /** Number of the line that the tag sits on. */
  line: nullable(Type.String()),
  /** Of a line only. */
  pipe: nullable(
    Type.Object({
      service: Type.String(),
      /** Nominal pipe size in inches, as written. */
      nps: Type.String(),
      /** Metres, by ASME B36.10. */
      outsideDiameter: Type.Number(),
      from: Type.String(),
      to: Type.String(),
    }),
  ),
  /** Nearest first. */
  seenFrom: Type.Array(
    /** `node`: its uid. */
    Type.Object({ node: Type.String(), pan: Type.Number(), tilt: Type.Number(), distance: Type.Number() }),
  ),
});

export const getTag = endpoint('GET', '/api/tour/:location/tags/:number', {
  summary:
    'One tag or line of the site of the tour, found by its number or one that it had before, and the nodes from ' +
    'which it is seen.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, number: TagNumber }),
  reply: TagDetails,
});

export type TagHit = Static<typeof TagHit>;
export const TagHit = Type.Object({
  number: Type.String(),
  type: Type.Enum([...tagTypes]),
  kind: Type.String(),
  description: Type.String(),
});

export const searchTags = endpoint('GET', '/api/tour/:location/tags', {
  summary:
    'Tags and lines of the tour whose number or description holds the text; `*` stands for any characters. At most ' +
    '50, best first.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  query: Type.Object({ text: Type.String({ minLength: 1, maxLength: 120 }) }, { additionalProperties: false }),
  reply: Type.Array(TagHit),
});

export const listVisitedNodes = endpoint('GET', '/api/tour/:location/visited', {
  summary: 'Uids of the nodes of the tour that the caller has been at, the first visits first.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(Type.String()),
});

export const visitNode = endpoint('PUT', '/api/tour/:location/visited/:node', {
  summary: 'Note that the caller has been at a node.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, node: Uid }),
  reply: Empty,
});

/** Tags and lines share one set of codes. */
export const codeKinds = ['TOUR', 'DECK', 'NODE', 'TAG'] as const;
export type CodeKind = (typeof codeKinds)[number];
const CodeKindSchema = Type.Enum([...codeKinds]);
/** A line's number holds quotes and slashes. No control characters, no blank at either end. */
const GivenCode = Type.String({ minLength: 1, maxLength: 120, pattern: '^\\S(?:[^\\x00-\\x1f\\x7f]*\\S)?$' });

/** A node that has, or had, a code. */
export type CodedNode = Static<typeof CodedNode>;
export const CodedNode = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  name: Type.String(),
  /** Uid and name of the site. */
  site: Type.Object({ uid: Type.String(), name: Type.String() }),
  tour: Type.Object({ name: Type.String(), location: Type.String() }),
});

export const findNodes = endpoint('GET', '/api/tour-nodes', {
  summary:
    'The nodes that have a code, or had it before, at locations that the caller can access: at most one of each site, ' +
    'or of the site named.',
  access: 'signedIn',
  query: Type.Object({ code: GivenCode, site: Type.Optional(LocationUid) }, { additionalProperties: false }),
  reply: Type.Array(CodedNode),
});

export const changeCode = endpoint('PUT', '/api/tour/:location/codes/:kind/:uid', {
  summary:
    'Gives a tour, a deck, a node, or a tag or line another code. That of before still opens it. 409 where another of ' +
    'the site has the code, or had it before.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, kind: CodeKindSchema, uid: Uid }),
  body: Type.Object({ code: GivenCode }, { additionalProperties: false }),
  reply: Type.Object({ code: Type.String() }),
});
