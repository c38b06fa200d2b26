import { Type, type Static, type TSchema } from 'typebox';
import { endpoint, type Point3 } from '#core';
import { CalendarDay, GivenInstant, Instant } from '#core/api';

const Code = Type.String({ minLength: 1, maxLength: 64 });
const Location = Type.String({ minLength: 1, maxLength: 64 });
/** A line's number holds quotes and slashes: it travels percent-encoded. */
const TagNumber = Type.String({ minLength: 1, maxLength: 120 });
const Point = Type.Unsafe<Point3>(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }));
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

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
  code: Type.String(),
  name: Type.String(),
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
  from: Type.String(),
  to: Type.String(),
  kind: Type.Enum([...linkKinds]),
  /** Direction from the camera to the other node's foot point, degrees. */
  pan: Type.Number(),
  tilt: Type.Number(),
  /** Metres between the cameras. */
  distance: Type.Number(),
});

export type DeckMap = Static<typeof DeckMap>;
export const DeckMap = Type.Object({
  code: Type.String(),
  name: Type.String(),
  elevation: Type.Number(),
  /** Address of the top-down picture, north up. */
  map: Type.String(),
  /** Metres in the site frame that the picture's edges stand for. */
  extent: Type.Object({ west: Type.Number(), south: Type.Number(), east: Type.Number(), north: Type.Number() }),
});

export type Tour = Static<typeof Tour>;
export const Tour = Type.Object({
  code: Type.String(),
  name: Type.String(),
  location: Type.String(),
  startNode: Type.String(),
});

export type OpenedTour = Static<typeof OpenedTour>;
export const OpenedTour = Type.Object({
  tour: Tour,
  /** In walking order; only those whose location the caller reaches. */
  nodes: Type.Array(TourNode),
  links: Type.Array(TourLink),
  decks: Type.Array(DeckMap),
  /** Codes of the nodes that the caller has been at. */
  visited: Type.Array(Type.String()),
});

export const openTour = endpoint('GET', '/api/tour/:location', {
  summary:
    'Everything a tour needs to start: nodes, links, deck maps and where the caller has been. The tour is that of ' +
    'the location or of the nearest location above it.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location }),
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
  params: Type.Object({ location: Location, node: Code }),
  reply: Type.Array(TagPin),
});

export const findSurface = endpoint('GET', '/api/tour/:location/nodes/:node/surface', {
  summary:
    'The point of the site that one sees from a node in a direction, by the ranges of its panorama, or, where the ' +
    'present one has none, of the latest that has; null where nothing solid was met. `capturedAt` names an earlier ' +
    'panorama of the node.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location, node: Code }),
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
  number: Type.String(),
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
    Type.Object({ node: Type.String(), pan: Type.Number(), tilt: Type.Number(), distance: Type.Number() }),
  ),
});

export const getTag = endpoint('GET', '/api/tour/:location/tags/:number', {
  summary: 'One tag or line of the tour, and the nodes from which it is seen.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location, number: TagNumber }),
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
  params: Type.Object({ location: Location }),
  query: Type.Object({ text: Type.String({ minLength: 1, maxLength: 120 }) }, { additionalProperties: false }),
  reply: Type.Array(TagHit),
});

export const visitNode = endpoint('PUT', '/api/tour/:location/visited/:node', {
  summary: 'Note that the caller has been at a node.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location, node: Code }),
  reply: Type.Object({ visited: Type.Array(Type.String()) }),
});
