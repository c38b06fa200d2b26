import { sql, type Selectable, type SqlBool } from 'kysely';
import { atLocation, prepareReply, TtlCache, type Caller, type FileStore, type PreparedReply } from '#core/server';
import type { Deck, OpenedTour, TourNode } from '#plugins/tour';
import { maxFirstNodes, nearNodes } from '../../contract/api.ts';
import type { TourTables } from '../tables.ts';
import { createToCaptureDay, type ToCaptureDay } from './capture-day.ts';
import { listFormerCodes } from './codes.ts';
import { tourAt, type TourContext, type TourRow } from './tour-at.ts';

type Row<T extends keyof TourTables> = Selectable<TourTables[T]>;
type NodeRow = Omit<Row<'node'>, 'panorama_file' | 'range_file' | 'site'>;
type CaptureRow = Pick<Row<'capture'>, 'node' | 'captured_at' | 'heading' | 'pyramid_file' | 'pyramid'>;
type FormerCodes = ReadonlyMap<string, readonly string[]>;

const maxReplies = 60;
/** Weight of vertical distances, so that nodes of the same deck come first. */
const verticalWeight = 3;
const lifetimeMs = 600_000;

/** Which nodes of a tour are returned. */
export interface RequestedNodes {
  /** Whether only the nodes to begin with are returned. */
  readonly first?: 'true';
  /** Code or uid of the node to begin with. */
  readonly near?: string;
}

/** Prepared replies, one for each tour, version, set of accessible locations and part of the nodes. */
export class PreparedTours {
  readonly #context: TourContext;
  readonly #replies: TtlCache<PreparedReply>;

  constructor(context: TourContext) {
    this.#context = context;
    this.#replies = new TtlCache({ clock: Date, lifetime: lifetimeMs, capacity: maxReplies });
  }

  /** @throws 404 if there is no tour at the location or above it */
  async open(caller: Caller, location: string, { first, near = '' }: RequestedNodes): Promise<PreparedReply> {
    const tour = await tourAt(this.#context, location);
    const locations = await this.#context.locations.accessibleDescendants(caller, tour.location);
    const { timeZone } = await this.#context.sites.recordAt(tour.location);
    const key = JSON.stringify([tour.uid, tour.version, timeZone, locations, first ? near : null]);
    return this.#replies.get(key, async () => {
      const part = first ? await findNearNodes(this.#context, tour, locations, near) : undefined;
      return prepareReply(await readTour(this.#context, tour, locations, part));
    });
  }
}

/**
 * Finds the nodes that are linked from or near the node with the code or uid `near`, or else near the tour's first
 * node. Returns their uids, or undefined if the tour is so small that all its nodes are returned at once.
 */
async function findNearNodes(
  { tables }: TourContext,
  tour: TourRow,
  locations: readonly string[],
  near: string,
): Promise<readonly string[] | undefined> {
  const accessible = tables
    .selectFrom('node')
    .where('node.tour', '=', tour.uid)
    .where(atLocation('node.location', locations));
  const { count } = await accessible.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  if (count <= maxFirstNodes) return undefined;
  const named = tables
    .selectFrom('code')
    .select('entity')
    .where('site', '=', tour.site)
    .where('kind', '=', 'NODE')
    .where('code', '=', near);
  const centre = await accessible
    .select(['node.uid', 'node.x', 'node.y', 'node.z'])
    .orderBy(({ eb, or }) => or([eb('node.uid', '=', near), eb('node.uid', 'in', named)]), 'desc')
    .orderBy(({ eb }) => eb('node.uid', '=', tour.start_node), 'desc')
    .orderBy('node.position')
    .orderBy('node.code')
    .executeTakeFirstOrThrow();
  const linked = tables.selectFrom('link').select('to_node').where('from_node', '=', centre.uid);
  const rows = await accessible
    .select('node.uid')
    .orderBy(({ eb }) => eb('node.uid', '=', centre.uid), 'desc')
    .orderBy(({ eb }) => eb('node.uid', 'in', linked), 'desc')
    .orderBy(
      sql`(node.x - ${centre.x}::float8) ^ 2 + (node.y - ${centre.y}::float8) ^ 2
        + (${verticalWeight}::float8 * (node.z - ${centre.z}::float8)) ^ 2`,
    )
    .limit(nearNodes)
    .execute();
  return rows.map(({ uid }) => uid);
}

/** Reads the tour with its nodes at these locations, or with a part of them, the links between them, and its decks. */
async function readTour(
  context: TourContext,
  tour: TourRow,
  locations: readonly string[],
  part: readonly string[] | undefined,
): Promise<OpenedTour> {
  const { tables } = context;
  const nodesInPart = tables
    .selectFrom('node')
    .where('node.tour', '=', tour.uid)
    .where(atLocation('node.location', locations))
    .$if(part !== undefined, (query) => query.where(sql<SqlBool>`node.uid = any(${[...(part ?? [])]}::text[])`));
  const nodes = await nodesInPart
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
    .execute();
  const uids = new Set(nodes.map(({ uid }) => uid));
  const deckUids =
    part === undefined
      ? [...new Set(nodes.flatMap(({ deck }) => deck ?? []))]
      : await listDecks(context, tour, locations);
  const [links, decks, captures, codes, toCaptureDay] = await Promise.all([
    nodesInPart
      .innerJoin('link', 'link.from_node', 'node.uid')
      .select(['link.from_node', 'link.to_node', 'link.kind', 'link.pan', 'link.tilt', 'link.distance'])
      .orderBy('node.position')
      .orderBy('link.distance')
      .execute(),
    deckUids.length === 0
      ? []
      : tables.selectFrom('deck').selectAll().where('uid', 'in', deckUids).orderBy('elevation').execute(),
    nodesInPart
      .innerJoin('capture', 'capture.node', 'node.uid')
      .select(['capture.node', 'capture.captured_at', 'capture.heading', 'capture.pyramid_file', 'capture.pyramid'])
      .orderBy('capture.captured_at', 'desc')
      .execute(),
    listFormerCodes(tables, [...uids, ...deckUids]),
    createToCaptureDay(context, tour.location),
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
      startNode: uids.has(tour.start_node) ? tour.start_node : (nodes[0]?.uid ?? tour.start_node),
    },
    nodes: nodes.map((node) => toNode(node, capturesByNode.get(node.uid) ?? [], codes, toCaptureDay, context.files)),
    links: links
      .filter(({ from_node, to_node }) => uids.has(from_node) && uids.has(to_node))
      .map(({ from_node: from, to_node: to, ...link }) => ({ from, to, ...link })),
    decks: decks.map((deck) => toDeck(deck, codes, context.files)),
    complete: part === undefined,
  };
}

/** Lists the uids of the decks of all accessible nodes. */
async function listDecks({ tables }: TourContext, tour: TourRow, locations: readonly string[]): Promise<string[]> {
  const rows = await tables
    .selectFrom('node')
    .select('deck')
    .distinct()
    .where('tour', '=', tour.uid)
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
    thumbnail: row.thumbnail_file === null ? null : files.address(row.thumbnail_file),
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
  return { id, address: files.address(id), ...pyramid, levels: [...pyramid.levels] };
}

function toDeck(row: Row<'deck'>, codes: FormerCodes, files: FileStore): Deck {
  return {
    uid: row.uid,
    code: row.code,
    formerCodes: [...(codes.get(row.uid) ?? [])],
    name: row.name,
    elevation: row.elevation,
    plan: {
      address: files.address(row.plan_file),
      width: row.plan_width,
      height: row.plan_height,
      centre: [row.plan_x, row.plan_y],
      scale: row.plan_scale,
      heading: row.plan_heading,
    },
  };
}
