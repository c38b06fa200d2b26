import { Type, type Static } from 'typebox';
import { endpoint, mandatory } from '#core';
import {
  BaseVersion,
  Changed,
  CoordinateInput,
  InstantInput,
  PointInput,
  Instant,
  LocationUid,
  NewUid,
  nullable,
  Point,
  Uid,
} from '#core/api';
import { DeckPlan } from '../api.ts';
import { floorKinds, linkKinds, maxNodesPerRequest, maxWallPoints, maxWalls } from '../values/content-values.ts';

/** The codes of tours, decks and nodes that admins enter. */
const NewCode = Type.String({ maxLength: 50, pattern: '^-*[A-Za-z0-9][A-Za-z0-9-]*$' });
const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\s\\x00-\\x1f\\x7f](?:[^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f])?$',
});
/** Refuses names that consist only of invisible characters. */
const rules = { name: [mandatory] };
/** Degrees clockwise from north. */
const HeadingInput = Type.Number({ minimum: -360, maximum: 360 });

/**
 * Tilt of a camera, degrees. A positive pitch raises the picture's centre above the horizon; a positive roll lowers its
 * right side.
 */
export type PosedTilt = Static<typeof PosedTilt>;
export const PosedTilt = Type.Object(
  { pitch: Type.Number({ minimum: -90, maximum: 90 }), roll: Type.Number({ minimum: -180, maximum: 180 }) },
  { additionalProperties: false },
);

/** A point of a plan with its position in the site frame. */
export type PlanPoint = Static<typeof PlanPoint>;
export const PlanPoint = Type.Object(
  {
    /** Fractions of the image, from the left and from the top. */
    x: Type.Number({ minimum: 0, maximum: 1 }),
    y: Type.Number({ minimum: 0, maximum: 1 }),
    /** Metres in the site frame. */
    east: CoordinateInput,
    north: CoordinateInput,
  },
  { additionalProperties: false },
);

/** The image of a plan with its placement in the site frame, if any. */
export type PlacedPlan = Static<typeof PlacedPlan>;
export const PlacedPlan = Type.Object({
  /** URL of the image. */
  address: Type.String(),
  /** Size of the image, pixels. */
  width: Type.Integer(),
  height: Type.Integer(),
  /** Null until the plan is placed. */
  placement: nullable(Type.Pick(DeckPlan, ['centre', 'scale', 'heading'])),
  /** The points by which the plan was placed. Empty if it was placed by its centre, scale and heading. */
  points: Type.Array(PlanPoint),
});

/** East and north in the site frame, in metres. */
const EastNorthInput = Type.Unsafe<readonly [east: number, north: number]>(
  Type.Array(CoordinateInput, { minItems: 2, maxItems: 2 }),
);

/** A wall that stops sparks and dropped objects: a line of two or more points. A deck without walls is open. */
export type DeckWall = Static<typeof DeckWall>;
export const DeckWall = Type.Object(
  {
    /** Number of the wall in workbooks. Unique within its deck. */
    number: Type.Integer({ minimum: 1, maximum: maxWalls }),
    points: Type.Array(EastNorthInput, { minItems: 2, maxItems: maxWallPoints }),
  },
  { additionalProperties: false },
);

export type ContentDeck = Static<typeof ContentDeck>;
export const ContentDeck = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  name: Type.String(),
  location: Type.String(),
  /** Height of the walking surface in the site frame, metres. */
  elevation: Type.Number(),
  floor: Type.Enum([...floorKinds]),
  plan: nullable(PlacedPlan),
  walls: Type.Array(DeckWall),
  version: Type.Integer(),
});

export type ContentTour = Static<typeof ContentTour>;
export const ContentTour = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  name: Type.String(),
  location: Type.String(),
  /** Uid of the node where visitors begin: the chosen one, else the first. Null for a tour without nodes. */
  startNode: nullable(Type.String()),
  version: Type.Integer(),
});

export type ContentNode = Static<typeof ContentNode>;
export const ContentNode = Type.Object({
  uid: Type.String(),
  code: Type.String(),
  name: Type.String(),
  /** Uids of the tour and of the deck. */
  tour: Type.String(),
  deck: nullable(Type.String()),
  location: Type.String(),
  /** Position of the camera in the site frame, metres. */
  position: Point,
  /** Direction of the picture's centre, degrees clockwise from north. */
  heading: Type.Number(),
  /** Tilt of the surveyed camera, by which panoramas are levelled on upload. Null if it is level or unknown. */
  posedTilt: nullable(PosedTilt),
  /** Null without a panorama. Visitors do not see such a node. */
  thumbnail: nullable(Type.String()),
  hasPanorama: Type.Boolean(),
  version: Type.Integer(),
});

/** A link between two nodes. `a` is the smaller uid. */
export type ContentLink = Static<typeof ContentLink>;
export const ContentLink = Type.Object({ a: Type.String(), b: Type.String(), kind: Type.Enum([...linkKinds]) });

/**
 * Result of the alignment of a node's picture with the model or the cloud. Deleted when the node is moved or its
 * picture is replaced.
 */
export type NodeAlignment = Static<typeof NodeAlignment>;
export const NodeAlignment = Type.Object({
  /** Uid of the node. */
  node: Type.String(),
  /** Largest angle between a tie in the picture and its point in the site, degrees. */
  residual: Type.Number(),
  /** Number of ties. */
  ties: Type.Integer(),
  alignedAt: Instant,
});

/** Decks, tours, nodes and links at a location and its descendants, for admins. */
export type TourContent = Static<typeof TourContent>;
export const TourContent = Type.Object({
  decks: Type.Array(ContentDeck),
  tours: Type.Array(ContentTour),
  /** In walking order. */
  nodes: Type.Array(ContentNode),
  links: Type.Array(ContentLink),
  alignments: Type.Array(NodeAlignment),
  /** Whether there is a model or a scan with which pictures can be compared, at the location, above or below. */
  hasSurfaces: Type.Boolean(),
});

const params = Type.Object({ location: LocationUid });
const deckParams = Type.Object({ location: LocationUid, deck: Uid });
const tourParams = Type.Object({ location: LocationUid, tour: Uid });
const versionQuery = Type.Object({ version: BaseVersion }, { additionalProperties: false });
const sharedShape = { access: 'configure', location: 'params.location' } as const;
const versionConflict = 'Replies 409 with the current version if it was changed in the meantime.';

export const getTourContent = endpoint('GET', '/api/tour-content/:location', {
  summary: 'Returns the decks, tours, nodes and links at a location and below it, for admins.',
  ...sharedShape,
  params,
  reply: TourContent,
});

const deckFields = { name: Name, elevation: CoordinateInput, floor: Type.Enum([...floorKinds]) };

export const createDeck = endpoint('POST', '/api/tour-content/:location/decks', {
  summary: 'Creates the deck of a level. Replies 400 if the location is no level, and 409 if it has a deck.',
  ...sharedShape,
  params,
  body: Type.Object({ uid: NewUid, code: NewCode, ...deckFields }, { additionalProperties: false }),
  rules,
  status: 201,
  reply: Changed,
});

export const updateDeck = endpoint('PUT', '/api/tour-content/:location/decks/:deck', {
  summary: `Changes name, elevation and floor of a deck. ${versionConflict}`,
  ...sharedShape,
  params: deckParams,
  body: Type.Object({ ...deckFields, version: BaseVersion }, { additionalProperties: false }),
  rules,
  reply: Changed,
});

export const deleteDeck = endpoint('DELETE', '/api/tour-content/:location/decks/:deck', {
  summary: `Deletes a deck. Its nodes stay, without a deck. ${versionConflict}`,
  ...sharedShape,
  params: deckParams,
  query: versionQuery,
  reply: Changed,
});

export const saveDeckPlan = endpoint('POST', '/api/tour-content/:location/decks/:deck/plan', {
  summary:
    'Uploads or replaces the plan of a deck as a form with one PNG, JPEG or WebP file. A placement stays if the new ' +
    `image has the same proportions. ${versionConflict}`,
  ...sharedShape,
  params: deckParams,
  query: versionQuery,
  reply: Changed,
});

export const deleteDeckPlan = endpoint('DELETE', '/api/tour-content/:location/decks/:deck/plan', {
  summary: `Removes the plan of a deck with its placement. ${versionConflict}`,
  ...sharedShape,
  params: deckParams,
  query: versionQuery,
  reply: Changed,
});

export const placeDeckPlan = endpoint('PUT', '/api/tour-content/:location/decks/:deck/placement', {
  summary:
    'Places the plan of a deck in the site frame, by two or more points (least squares over shift, rotation and ' +
    'scale), or by centre, scale and heading. Replies 400 if the points do not determine a placement. ' +
    versionConflict,
  ...sharedShape,
  params: deckParams,
  body: Type.Union([
    Type.Object(
      { version: BaseVersion, points: Type.Array(PlanPoint, { minItems: 2, maxItems: 100 }) },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        version: BaseVersion,
        centre: EastNorthInput,
        /** Metres per pixel. */
        scale: Type.Number({ exclusiveMinimum: 0, maximum: 1000 }),
        heading: HeadingInput,
      },
      { additionalProperties: false },
    ),
  ]),
  reply: Changed,
});

export const saveDeckWalls = endpoint('PUT', '/api/tour-content/:location/decks/:deck/walls', {
  summary:
    'Replaces the walls of a deck, which are stored to the millimetre. Replies 400 if two walls have the same number, ' +
    `or a wall has no length. ${versionConflict}`,
  ...sharedShape,
  params: deckParams,
  body: Type.Object(
    { version: BaseVersion, walls: Type.Array(DeckWall, { maxItems: maxWalls }) },
    { additionalProperties: false },
  ),
  reply: Changed,
});

export const createTour = endpoint('POST', '/api/tour-content/:location/tours', {
  summary: 'Creates the tour of a location. Replies 409 if the location has one.',
  ...sharedShape,
  params,
  body: Type.Object({ uid: NewUid, code: NewCode, name: Name }, { additionalProperties: false }),
  rules,
  status: 201,
  reply: Changed,
});

export const updateTour = endpoint('PUT', '/api/tour-content/:location/tours/:tour', {
  summary: `Changes name and start node of a tour. ${versionConflict}`,
  ...sharedShape,
  params: tourParams,
  body: Type.Object({ name: Name, startNode: nullable(Uid), version: BaseVersion }, { additionalProperties: false }),
  rules,
  reply: Changed,
});

export const deleteTour = endpoint('DELETE', '/api/tour-content/:location/tours/:tour', {
  summary: `Deletes a tour. Replies 409 while it has nodes. ${versionConflict}`,
  ...sharedShape,
  params: tourParams,
  query: versionQuery,
  reply: Changed,
});

const nodeFields = {
  name: Name,
  deck: nullable(Uid),
  position: PointInput,
  heading: HeadingInput,
};

export const createNodes = endpoint('POST', '/api/tour-content/:location/tours/:tour/nodes', {
  summary:
    'Creates nodes without panoramas at the end of a tour. A node belongs to the location of its deck if that is ' +
    "within the tour's location, else to that of the tour.",
  ...sharedShape,
  params: tourParams,
  body: Type.Object(
    {
      nodes: Type.Array(
        Type.Object(
          {
            uid: NewUid,
            code: NewCode,
            ...nodeFields,
            /** When the pose was measured. Panoramas with other names are matched by this time. */
            posedAt: Type.Optional(InstantInput),
            /** Tilt of the surveyed camera. Panoramas without pitch and roll in their metadata are levelled by it. */
            posedTilt: Type.Optional(PosedTilt),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: maxNodesPerRequest },
      ),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Changed,
});

export const updateNodes = endpoint('PUT', '/api/tour-content/:location/tours/:tour/nodes', {
  summary:
    'Changes nodes of a tour, all or none. Directions and distances of their links and tags are computed again. ' +
    'Replies 409 with the first node that was changed in the meantime.',
  ...sharedShape,
  params: tourParams,
  body: Type.Object(
    {
      nodes: Type.Array(
        Type.Object(
          {
            uid: Uid,
            ...nodeFields,
            /** When the pose was measured, null if unknown. Nodes without it keep their time. */
            posedAt: Type.Optional(nullable(InstantInput)),
            /**
             * Tilt of the surveyed camera for panoramas that are uploaded later, null if it is level or unknown. Nodes
             * without it keep their tilt.
             */
            posedTilt: Type.Optional(nullable(PosedTilt)),
            version: BaseVersion,
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: maxNodesPerRequest },
      ),
    },
    { additionalProperties: false },
  ),
  reply: Changed,
});

export const deleteNodes = endpoint('POST', '/api/tour-content/:location/tours/:tour/nodes/deletion', {
  summary:
    'Deletes nodes of a tour with their panoramas, links and tag views, all or none. Replies 409 with the first node ' +
    'that was changed in the meantime.',
  ...sharedShape,
  params: tourParams,
  body: Type.Object(
    {
      nodes: Type.Array(Type.Object({ uid: Uid, version: BaseVersion }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: maxNodesPerRequest,
      }),
    },
    { additionalProperties: false },
  ),
  reply: Changed,
});

const maxLinksPerRequest = 5000;
const LinkInput = Type.Object({ a: Uid, b: Uid, kind: Type.Enum([...linkKinds]) }, { additionalProperties: false });

export const saveLinks = endpoint('POST', '/api/tour-content/:location/tours/:tour/links', {
  summary:
    'Links nodes of a tour in both directions, and removes links, all or none. The kind of an existing link is replaced.',
  ...sharedShape,
  params: tourParams,
  body: Type.Object(
    {
      saved: Type.Array(LinkInput, { maxItems: maxLinksPerRequest }),
      removed: Type.Array(Type.Object({ a: Uid, b: Uid }, { additionalProperties: false }), {
        maxItems: maxLinksPerRequest,
      }),
    },
    { additionalProperties: false },
  ),
  reply: Changed,
});

/** Links that `saveLinks` could create. */
export type LinkProposals = Static<typeof LinkProposals>;
export const LinkProposals = Type.Object({
  links: Type.Array(ContentLink),
  /** Number of excluded pairs, because a surface is between the two nodes. */
  blocked: Type.Integer(),
  /** Number of proposed links whose line of sight is unknown. */
  unknown: Type.Integer(),
});

export const proposeLinks = endpoint('GET', '/api/tour-content/:location/tours/:tour/link-proposals', {
  summary:
    'Proposes links between nodes of one deck that are at most `distance` metres apart, except existing ones and those ' +
    'with another node between them. Pairs without a line of sight by their range images are left out. Changes nothing.',
  ...sharedShape,
  params: tourParams,
  query: Type.Object({ distance: Type.Number({ exclusiveMinimum: 0, maximum: 100 }) }, { additionalProperties: false }),
  reply: LinkProposals,
});
