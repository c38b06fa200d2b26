import { sql, type Selectable, type SqlBool } from 'kysely';
import { atLocation, prepareReply, TtlCache, type Caller, type FileStore, type PreparedReply } from '#core/server';
import type { Deck, OpenedTour, TourNode } from '#plugins/tour';
import { maxFirstNodes, maxNearNodes } from '../../contract/api.ts';
import type { TourTables } from '../tables.ts';
import { createCaptureDayConverter, type ToCaptureDay } from './capture-day.ts';
import { listFormerCodes } from './codes.ts';
import { toDeckPlan } from './deck-plans.ts';
import { tourAt, type TourContext, type TourRow } from './tour-at.ts';

type Row<T extends keyof TourTables> = Selectable<TourTables[T]>;
type NodeRow = Omit<
  Row<'node'>,
  | 'panorama_file'
  | 'range_file'
  | 'range_source'
  | 'range_pose'
  | 'posed_at'
  | 'posed_tilt'
  | 'pitch'
  | 'roll'
  | 'site'
  | 'row_version'
  | 'captured_at'
> & { readonly captured_at: Date };
type CaptureRow = Pick<Row<'capture'>, 'node' | 'captured_at' | 'heading' | 'pyramid_file' | 'pyramid'>;
type FormerCodes = ReadonlyMap<string, readonly string[]>;

const maxReplies = 20;
/** Maximum number of cached replies with near nodes. Each is about a thirtieth of the reply of a whole tour. */
const maxNearReplies = 60;
/** Weight of vertical distances, so that nodes of the same deck come first. */
const verticalWeight = 3;
const lifetimeMs = 600_000;

/** Selects the returned nodes of a tour. */
export interface RequestedNodes {
  /** Returns only the first node and the nodes near it, if the tour is large. */
  readonly first?: 'true';
  /** Code or uid of the first node. */
  readonly near?: string;
}

type CentralNode = Pick<Row<'node'>, 'uid' | 'x' | 'y' | 'z'>;

/**
 * Caches prepared replies by tour, version and accessible locations. Replies with near nodes are cached separately by
 * their central node, so that requests for many nodes or unknown codes do not evict replies of whole tours.
 */
export class PreparedTours {
  readonly #context: TourContext;
  readonly #replies = new TtlCache<PreparedReply>({ clock: Date, lifetime: lifetimeMs, capacity: maxReplies });
  readonly #nearReplies = new TtlCache<PreparedReply>({ clock: Date, lifetime: lifetimeMs, capacity: maxNearReplies });
  /** Central nodes of requests without a node. */
  readonly #centres = new TtlCache<CentralNode | undefined>({
    clock: Date,
    lifetime: lifetimeMs,
    capacity: maxReplies,
  });

  constructor(context: TourContext) {
    this.#context = context;
  }

  /** @throws 404 if neither the location nor an ancestor has a tour */
  async open(caller: Caller, location: string, { first, near = '' }: RequestedNodes): Promise<PreparedReply> {
    const context = this.#context;
    const openedTour = await tourAt(context, location);
    const locations = await context.locations.accessibleDescendants(caller, openedTour.location);
    const { timeZone } = await context.sites.recordAt(openedTour.location);
    // The client uses the returned location in all further requests.
    const isAccessible = await context.locations.canAccess(caller, openedTour.location);
    const tour = isAccessible ? openedTour : { ...openedTour, location };
    const key = JSON.stringify([tour.uid, tour.location, tour.version, timeZone, locations]);
    const loadCentre = () => findCentre(context, tour, locations, near);
    const centre = first && (await (near === '' ? this.#centres.get(key, loadCentre) : loadCentre()));
    if (!centre) return this.#replies.get(key, async () => prepareReply(await readTour(context, tour, locations)));
    return this.#nearReplies.get(`${key} ${centre.uid}`, async () =>
      prepareReply(await readTour(context, tour, locations, await listNearNodes(context, tour, locations, centre))),
    );
  }
}

const selectAccessibleNodes = ({ tables }: TourContext, tour: TourRow, locations: readonly string[]) =>
  tables
    .selectFrom('node')
    .where('node.tour', '=', tour.uid)
    .where('node.panorama_file', 'is not', null)
    .where(atLocation('node.location', locations));

/**
 * Finds the node with the code or uid `nearNode`, or else the tour's first node. Returns undefined if the tour is so
 * small that all its nodes are returned at once.
 */
async function findCentre(
  context: TourContext,
  tour: TourRow,
  locations: readonly string[],
  nearNode: string,
): Promise<CentralNode | undefined> {
  const nodesNamedNear = context.tables
    .selectFrom('code')
    .select('entity')
    .where('site', '=', tour.site)
    .where('kind', '=', 'NODE')
    .where('code', '=', nearNode);
  const centre = await selectAccessibleNodes(context, tour, locations)
    .select(({ fn }) => ['node.uid', 'node.x', 'node.y', 'node.z', fn.countAll<number>().over().as('count')])
    .orderBy(({ eb, or }) => or([eb('node.uid', '=', nearNode), eb('node.uid', 'in', nodesNamedNear)]), 'desc')
    .orderBy(sql`node.uid is not distinct from ${tour.start_node}`, 'desc')
    .orderBy('node.position')
    .orderBy('node.code')
    .limit(1)
    .executeTakeFirst();
  return centre && centre.count > maxFirstNodes ? centre : undefined;
}

/** Lists the uids of the central node, its linked nodes and its nearest nodes. */
async function listNearNodes(
  context: TourContext,
  tour: TourRow,
  locations: readonly string[],
  { uid, x, y, z }: CentralNode,
): Promise<readonly string[]> {
  const linkedNodes = context.tables.selectFrom('link').select('to_node').where('from_node', '=', uid);
  const rows = await selectAccessibleNodes(context, tour, locations)
    .select('node.uid')
    .orderBy(({ eb }) => eb('node.uid', '=', uid), 'desc')
    .orderBy(({ eb }) => eb('node.uid', 'in', linkedNodes), 'desc')
    .orderBy(
      sql`(node.x - ${x}::float8) ^ 2 + (node.y - ${y}::float8) ^ 2
        + (${verticalWeight}::float8 * (node.z - ${z}::float8)) ^ 2`,
    )
    .limit(maxNearNodes)
    .execute();
  return rows.map((row) => row.uid);
}

/**
 * Reads the tour with all its nodes at these locations, or only with `selectedUids`, with their links and all decks.
 */
async function readTour(
  context: TourContext,
  tour: TourRow,
  locations: readonly string[],
  selectedUids?: readonly string[],
): Promise<OpenedTour> {
  const { tables } = context;
  const selectedNodes = selectAccessibleNodes(context, tour, locations).$if(selectedUids !== undefined, (query) =>
    query.where(sql<SqlBool>`node.uid = any(${[...(selectedUids ?? [])]}::text[])`),
  );
  const nodes = await selectedNodes
    .select([
      'uid',
      'code',
      'tour',
      'position',
      'name',
      'deck',
      'location',
      'x',
      'y',
      'z',
      'heading',
      'view_pan',
      'view_tilt',
      'captured_at',
      'thumbnail_file',
      'pyramid_file',
      'pyramid',
    ])
    .orderBy('position')
    .orderBy('code')
    .$narrowType<{ captured_at: Date }>()
    .execute();
  const uids = new Set(nodes.map(({ uid }) => uid));
  const deckUids =
    selectedUids === undefined
      ? [...new Set(nodes.flatMap(({ deck }) => deck ?? []))]
      : await listDecks(context, tour, locations);
  const [links, decks, captures, codes, toCaptureDay] = await Promise.all([
    selectedNodes
      .innerJoin('link', 'link.from_node', 'node.uid')
      .select(['link.from_node', 'link.to_node', 'link.kind', 'link.pan', 'link.tilt', 'link.distance'])
      .orderBy('node.position')
      .orderBy('link.distance')
      .orderBy('link.to_node')
      .execute(),
    deckUids.length === 0
      ? []
      : tables.selectFrom('deck').selectAll().where('uid', 'in', deckUids).orderBy('elevation').execute(),
    selectedNodes
      .innerJoin('capture', 'capture.node', 'node.uid')
      .select(['capture.node', 'capture.captured_at', 'capture.heading', 'capture.pyramid_file', 'capture.pyramid'])
      .orderBy('capture.captured_at', 'desc')
      .execute(),
    listFormerCodes(tables, [...uids, ...deckUids]),
    createCaptureDayConverter(context, tour.location),
  ]);
  const capturesByNode = new Map<string, CaptureRow[]>();
  for (const capture of captures)
    capturesByNode.set(capture.node, [...(capturesByNode.get(capture.node) ?? []), capture]);
  return {
    tour: {
      uid: tour.uid,
      code: tour.code,
      name: tour.name,
      location: tour.location,
      startNode: findStartNode(tour, nodes),
    },
    nodes: nodes.map((node) => toNode(node, capturesByNode.get(node.uid) ?? [], codes, toCaptureDay, context.files)),
    links: links
      .filter(({ from_node, to_node }) => uids.has(from_node) && uids.has(to_node))
      .map(({ from_node: from, to_node: to, ...link }) => ({ from, to, ...link })),
    decks: decks.map((deck) => toDeck(deck, codes, context.files)),
    complete: selectedUids === undefined,
  };
}

/** Returns the start node of the tour if it is accessible, else the first of `nodes`. Empty for a tour without nodes. */
const findStartNode = ({ start_node }: TourRow, nodes: readonly { readonly uid: string }[]): string =>
  (nodes.find(({ uid }) => uid === start_node) ?? nodes[0])?.uid ?? start_node ?? '';

/** Lists the uids of the decks of all accessible nodes. */
async function listDecks({ tables }: TourContext, tour: TourRow, locations: readonly string[]): Promise<string[]> {
  const rows = await tables
    .selectFrom('node')
    .select('deck')
    .distinct()
    .where('tour', '=', tour.uid)
    .where('panorama_file', 'is not', null)
    .where(atLocation('location', locations))
    .execute();
  return rows.flatMap(({ deck }) => deck ?? []);
}

function toNode(
  row: NodeRow,
  captures: readonly CaptureRow[],
  codes: FormerCodes,
  toCaptureDay: ToCaptureDay,
  files: FileStore,
): TourNode {
  return {
    uid: row.uid,
    code: row.code,
    formerCodes: [...(codes.get(row.uid) ?? [])],
    name: row.name,
    deck: row.deck,
    location: row.location,
    position: [row.x, row.y, row.z],
    heading: row.heading,
    view: { pan: row.view_pan, tilt: row.view_tilt },
    capturedAt: row.captured_at.toISOString(),
    day: toCaptureDay(row.captured_at),
    thumbnail: row.thumbnail_file === null ? null : files.url(row.thumbnail_file),
    picture: toPicture(row, files),
    captures: captures.flatMap((capture) => {
      const picture = toPicture(capture, files);
      if (!picture) return [];
      const { captured_at: at, heading } = capture;
      return [{ capturedAt: at.toISOString(), day: toCaptureDay(at), heading, picture }];
    }),
  };
}

function toPicture(
  { pyramid_file: id, pyramid }: Pick<NodeRow, 'pyramid_file' | 'pyramid'>,
  files: FileStore,
): TourNode['picture'] {
  if (id === null || pyramid === null) return null;
  return { id, address: files.url(id), ...pyramid, levels: [...pyramid.levels] };
}

function toDeck(row: Row<'deck'>, codes: FormerCodes, files: FileStore): Deck {
  return {
    uid: row.uid,
    code: row.code,
    formerCodes: [...(codes.get(row.uid) ?? [])],
    name: row.name,
    elevation: row.elevation,
    plan: toDeckPlan(row, files),
  };
}
