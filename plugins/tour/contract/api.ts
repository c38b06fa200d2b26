import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { linkKinds } from './values/content-values.ts';
import { CalendarDay, Empty, InstantInput, Instant, LocationUid, nullable, Point, Uid } from '#core/api';

/** The number of a tag or line, or the code of a document. It may contain quotes and slashes: percent-encode it. */
const TagNumber = Type.String({ minLength: 1, maxLength: 120 });

export const rangeSources = ['MODEL', 'CLOUD'] as const;

/** A panorama cut into tiles. Files are stored under `address`: `preview.jpg` and `<level>/<column>_<row>.jpg`. */
export type PanoramaTiles = Static<typeof PanoramaTiles>;
export const PanoramaTiles = Type.Object({
  /** Changes with the picture. */
  id: Type.String(),
  address: Type.String(),
  /** Edge of a tile in pixels. Tiles of the last column and row may be smaller. */
  tileSize: Type.Integer(),
  /** From coarse to fine. Each level is twice as wide as the previous one. */
  levels: Type.Array(
    Type.Object({ width: Type.Integer(), height: Type.Integer(), columns: Type.Integer(), rows: Type.Integer() }),
  ),
  /**
   * True if `address` also has `mesh.u16`: 257 x 129 ranges in millimetres, little-endian uint16, 0 is no return. Rows
   * run from the zenith down, columns from the left edge to the right.
   */
  mesh: Type.Boolean(),
  /** The range image of the picture, if any. Its tiles are stored under `address`, as in `RangeTiles`. */
  ranges: Type.Optional(
    Type.Object({
      width: Type.Integer(),
      height: Type.Integer(),
      tileSize: Type.Integer(),
      /** What the ranges were computed from. A scanner measured them if it is absent. */
      source: Type.Optional(Type.Enum([...rangeSources])),
    }),
  ),
});

/**
 * The range image of a panorama, cut into tiles: `range/<column>_<row>.webp` under `address`, lossless. The range in
 * millimetres has its high byte in R and its low byte in G. 0 is no return.
 */
export type RangeTiles = Static<typeof RangeTiles>;
export const RangeTiles = Type.Object({
  /** Changes with the ranges. */
  id: Type.String(),
  address: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  tileSize: Type.Integer(),
  /** One standard deviation of a single range, metres. */
  sigma: Type.Number(),
  /** What the ranges were computed from. A scanner measured them if it is absent. */
  source: Type.Optional(Type.Enum([...rangeSources])),
});

/** An earlier panorama of a node, captured at the same position. */
export type TourCapture = Static<typeof TourCapture>;
export const TourCapture = Type.Object({
  capturedAt: Instant,
  /** In the time zone of the site. Identifies a panorama of its node. */
  day: CalendarDay,
  /** Direction of the picture's centre, degrees clockwise from north. */
  heading: Type.Number(),
  picture: PanoramaTiles,
});

export type TourNode = Static<typeof TourNode>;
export const TourNode = Type.Object({
  uid: Type.String(),
  /** Unique within the site. May change. */
  code: Type.String(),
  /** Codes that the node had before. URLs with these codes still open the node. */
  formerCodes: Type.Array(Type.String()),
  name: Type.String(),
  /** Uid of the node's deck. */
  deck: nullable(Type.String()),
  location: Type.String(),
  /** Position of the camera in the site frame, metres. */
  position: Point,
  /** Direction of the picture's centre, degrees clockwise from north. */
  heading: Type.Number(),
  /** Recommended first view, degrees. */
  view: Type.Object({ pan: Type.Number(), tilt: Type.Number() }),
  capturedAt: Instant,
  /** In the time zone of the site, as in `TourCapture`. */
  day: CalendarDay,
  thumbnail: nullable(Type.String()),
  /** Null until the tiles are created. */
  picture: nullable(PanoramaTiles),
  /** Earlier panoramas, latest first. */
  captures: Type.Array(TourCapture),
});

export type TourLink = Static<typeof TourLink>;
export const TourLink = Type.Object({
  /** Uids of nodes. */
  from: Type.String(),
  to: Type.String(),
  kind: Type.Enum([...linkKinds]),
  /** Direction from the camera to the other node's foot point, degrees. */
  pan: Type.Number(),
  tilt: Type.Number(),
  /** Distance between the cameras, metres. */
  distance: Type.Number(),
});

/** The plan of a deck with its scale, rotation and position in the site frame. */
export type DeckPlan = Static<typeof DeckPlan>;
export const DeckPlan = Type.Object({
  /** URL of the image. */
  address: Type.String(),
  /** Size of the image, pixels. */
  width: Type.Integer(),
  height: Type.Integer(),
  /** Centre of the plan in the site frame, metres east and north. */
  centre: Type.Unsafe<readonly [east: number, north: number]>(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
  /** Metres per pixel. */
  scale: Type.Number(),
  /** Direction of the upper edge, degrees clockwise from north. */
  heading: Type.Number(),
});

export type Deck = Static<typeof Deck>;
export const Deck = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  formerCodes: Type.Array(Type.String()),
  name: Type.String(),
  /** Height of the walking surface in the site frame, metres. */
  elevation: Type.Number(),
  /** Null until the deck has a plan that is placed. */
  plan: nullable(DeckPlan),
});

export type Tour = Static<typeof Tour>;
export const Tour = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  name: Type.String(),
  /** Location of the tour, or the requested location if the caller cannot access the location of the tour. */
  location: Type.String(),
  /** Uid of a node. */
  startNode: Type.String(),
});

export type OpenedTour = Static<typeof OpenedTour>;
export const OpenedTour = Type.Object({
  tour: Tour,
  /** In walking order. Only nodes at locations that the caller can access. */
  nodes: Type.Array(TourNode),
  /** Only links between two of the nodes. */
  links: Type.Array(TourLink),
  /** Lowest first. Only decks with at least one accessible node. */
  decks: Type.Array(Deck),
  /** False if `nodes` contains only some of the tour's nodes. */
  complete: Type.Boolean(),
});

/** A tour with more nodes is opened with the nearest nodes first. */
export const maxFirstNodes = 200;
export const maxNearNodes = 60;

export const openTour = endpoint('GET', '/api/tour/:location', {
  summary:
    'Returns the nodes, links and decks of a tour. It is the tour of the location or of the nearest location above ' +
    `it. With \`first\`, a tour of more than ${maxFirstNodes} nodes is returned with the ${maxNearNodes} nodes that are ` +
    'nearest to its first node, or to the node `near` (code or uid) if the tour has it.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  query: Type.Object(
    { first: Type.Optional(Type.Literal('true')), near: Type.Optional(Type.String({ maxLength: 200 })) },
    { additionalProperties: false },
  ),
  reply: OpenedTour,
});

export const tagTypes = ['TAG', 'LINE'] as const;
export type TagType = (typeof tagTypes)[number];

/** A tag or a line as seen from one node. */
export type TagPin = Static<typeof TagPin>;
export const TagPin = Type.Object({
  number: Type.String(),
  type: Type.Enum([...tagTypes]),
  /** The kind of equipment such as `VALVE`, or `LINE` for a line. */
  kind: Type.String(),
  description: Type.String(),
  /** Direction in degrees and distance from the camera in metres. */
  pan: Type.Number(),
  tilt: Type.Number(),
  distance: Type.Number(),
});

export const listNodeTags = endpoint('GET', '/api/tour/:location/nodes/:node/tags', {
  summary: 'Lists the tags and lines that are visible from one node, nearest first.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, node: Uid }),
  reply: Type.Array(TagPin),
});

export const findSurface = endpoint('GET', '/api/tour/:location/nodes/:node/surface', {
  summary:
    'Finds the point of the site that is visible from a node in a direction. It is computed from the range image of ' +
    'the current panorama or, if that has none, of the latest panorama with one. Null if no surface was measured there. ' +
    '`capturedAt` selects an earlier panorama of the node.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, node: Uid }),
  query: Type.Object(
    {
      pan: Type.Number({ minimum: -360, maximum: 720 }),
      tilt: Type.Number({ minimum: -90, maximum: 90 }),
      capturedAt: Type.Optional(InstantInput),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ point: nullable(Point) }),
});

/** Suitability of a revision by ISO 19650-2 (UK national annex): `S…` not yet published, `A…` published, `CR` as built. */
const DocumentStatus = Type.String({ pattern: '^(S[0-7]|A[1-9][0-9]?|B[1-9][0-9]?|CR)$' });

export type DocumentRevision = Static<typeof DocumentRevision>;
export const DocumentRevision = Type.Object({
  revision: Type.String(),
  status: DocumentStatus,
  issuedOn: CalendarDay,
  /** URL of the file. */
  address: Type.String(),
  mediaType: Type.String(),
  bytes: Type.Integer(),
  /** Hex SHA-256 of the file. */
  sha256: Type.String(),
});

/** A document of a tag with its latest revision. */
export type TagDocument = Static<typeof TagDocument>;
export const TagDocument = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  title: Type.String(),
  latest: DocumentRevision,
  /** Number of revisions. */
  revisions: Type.Integer(),
});

/** A tag or a line with all nodes from which it is visible. */
export type TagDetails = Static<typeof TagDetails>;
export const TagDetails = Type.Object({
  uid: Type.String(),
  /** Unique within the site. May change. */
  number: Type.String(),
  /** Former numbers, latest first. */
  formerNumbers: Type.Array(Type.String()),
  type: Type.Enum([...tagTypes]),
  kind: Type.String(),
  description: Type.String(),
  position: nullable(Point),
  /** Number of the line that the tag belongs to. */
  line: nullable(Type.String()),
  /** Only for lines. */
  pipe: nullable(
    Type.Object({
      service: Type.String(),
      /** Nominal pipe size in inches, as text such as `1 1/2`. */
      nps: Type.String(),
      /** Metres, by ASME B36.10. */
      outsideDiameter: Type.Number(),
      from: Type.String(),
      to: Type.String(),
    }),
  ),
  /** Nearest first. */
  seenFrom: Type.Array(
    /** `node` is its uid. `visible` is the fraction of the tag that nothing hides, 0 to 1. */
    Type.Object({
      node: Type.String(),
      pan: Type.Number(),
      tilt: Type.Number(),
      distance: Type.Number(),
      visible: Type.Number(),
    }),
  ),
  /** True while a job computes the views, after a change of many rows. */
  viewsPending: Type.Optional(Type.Boolean()),
  /** By code. Only documents at locations that the caller can access. */
  documents: Type.Array(TagDocument),
});

export const getTag = endpoint('GET', '/api/tour/:location/tags/:number', {
  summary:
    "Finds one tag or line of the tour's site by its current or a former number, with the nodes from which it is " +
    'visible.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, number: TagNumber }),
  reply: TagDetails,
});

/** A document of the site with all its revisions. */
export type DocumentDetails = Static<typeof DocumentDetails>;
export const DocumentDetails = Type.Object({
  uid: Type.String(),
  /** Unique within the site. May change. */
  code: Type.String(),
  /** Former codes, latest first. */
  formerCodes: Type.Array(Type.String()),
  title: Type.String(),
  /** Latest first. */
  revisions: Type.Array(DocumentRevision),
  /** Numbers of the tags and lines that the document describes. */
  tags: Type.Array(Type.String()),
});

export const getDocument = endpoint('GET', '/api/tour/:location/documents/:code', {
  summary: 'One document of the site with its revisions, found by its code or a former one.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, code: TagNumber }),
  reply: DocumentDetails,
});

/** The part of a tag that matches the search text. SIMILAR is a match with typing errors. */
export const searchMatches = ['NUMBER', 'DESCRIPTION', 'SIMILAR'] as const;
export type SearchMatch = (typeof searchMatches)[number];

export type TagHit = Static<typeof TagHit>;
export const TagHit = Type.Object({
  number: Type.String(),
  type: Type.Enum([...tagTypes]),
  kind: Type.String(),
  description: Type.String(),
  match: Type.Enum([...searchMatches]),
});

export const searchTags = endpoint('GET', '/api/tour/:location/tags', {
  summary:
    'Lists at most 50 tags and lines of the tour whose number or description contains the text, best match first. `*` ' +
    'stands for any characters. Without such a tag, lists at most 10 with a similar number or description.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  query: Type.Object(
    { text: Type.String({ minLength: 1, maxLength: 120 }), type: Type.Optional(Type.Enum([...tagTypes])) },
    { additionalProperties: false },
  ),
  reply: Type.Array(TagHit),
});

export const listVisitedNodes = endpoint('GET', '/api/tour/:location/visited', {
  summary: 'Lists the uids of the nodes of the tour that the caller has visited, in the order of the first visits.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(Type.String()),
});

export const visitNode = endpoint('PUT', '/api/tour/:location/visited/:node', {
  summary: 'Records that the caller has visited a node.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, node: Uid }),
  reply: Empty,
});

/** Tags and lines share one set of codes. */
export const codeKinds = ['TOUR', 'DECK', 'NODE', 'TAG', 'DOCUMENT'] as const;
export type CodeKind = (typeof codeKinds)[number];
const CodeKindSchema = Type.Enum([...codeKinds]);
/** Line numbers contain quotes and slashes. Control characters and leading or trailing blanks are invalid. */
const CodeInput = Type.String({ minLength: 1, maxLength: 120, pattern: '^\\S(?:[^\\x00-\\x1f\\x7f]*\\S)?$' });

/** A node found by its current or a former code. */
export type CodedNode = Static<typeof CodedNode>;
export const CodedNode = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  name: Type.String(),
  /** Uid and name of the site. */
  site: Type.Object({ uid: Type.String(), name: Type.String() }),
  tour: Type.Object({ name: Type.String(), location: Type.String() }),
});

export const listTourLocations = endpoint('GET', '/api/tour-locations', {
  summary: 'Lists the accessible locations that open a tour with at least one accessible node.',
  access: 'signedIn',
  reply: Type.Array(Type.String()),
});

export const findNodes = endpoint('GET', '/api/tour-nodes', {
  summary:
    'Finds nodes by a current or former code, at locations that the caller can access. Without such a code, finds ' +
    'current codes in another case. `site` limits the search to one site.',
  access: 'signedIn',
  query: Type.Object({ code: CodeInput, site: Type.Optional(LocationUid) }, { additionalProperties: false }),
  reply: Type.Array(CodedNode),
});

/** A tag or a line found by its current or a former number, with the tour that shows it best. */
export type NumberedTag = Static<typeof NumberedTag>;
export const NumberedTag = Type.Object({
  uid: Type.String(),
  number: Type.String(),
  description: Type.String(),
  /** Uid and name of the site. */
  site: Type.Object({ uid: Type.String(), name: Type.String() }),
  tour: Type.Object({ name: Type.String(), location: Type.String() }),
});

export const findTagTours = endpoint('GET', '/api/tour-tags', {
  summary:
    'Finds tags and lines by a current or former number that are at an accessible location or visible from an ' +
    'accessible node. Without such a number, finds those with the same letters and digits in any case. Each has the ' +
    'tour of the nearest node that sees it, else the tour of its location. Leaves out tags without a tour. `site` ' +
    'limits the search to one site.',
  access: 'signedIn',
  query: Type.Object({ number: CodeInput, site: Type.Optional(LocationUid) }, { additionalProperties: false }),
  reply: Type.Array(NumberedTag),
});

export const updateCode = endpoint('PUT', '/api/tour/:location/codes/:kind/:uid', {
  summary:
    'Changes the code of a tour, a deck, a node, a tag, a line or a document. The former code still finds it. ' +
    'Replies 409 if something else at the site has or had the code.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, kind: CodeKindSchema, uid: Uid }),
  body: Type.Object({ code: CodeInput }, { additionalProperties: false }),
  reply: Type.Object({ code: Type.String() }),
});
