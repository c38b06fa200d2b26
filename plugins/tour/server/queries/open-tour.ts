import type { Selectable } from 'kysely';
import { atLocation, prepareReply, TtlCache, type Caller, type FileStore, type PreparedReply } from '#core/server';
import type { Deck, OpenedTour, TourNode } from '#plugins/tour';
import type { TourTables } from '../tables.ts';
import { createToCaptureDay, type ToCaptureDay } from './capture-day.ts';
import { listFormerCodes } from './codes.ts';
import { tourAt, type TourContext, type TourRow } from './tour-at.ts';

type Row<T extends keyof TourTables> = Selectable<TourTables[T]>;
type NodeRow = Omit<Row<'node'>, 'panorama_file' | 'range_file' | 'site'>;
type CaptureRow = Pick<Row<'capture'>, 'node' | 'captured_at' | 'heading' | 'pyramid_file' | 'pyramid'>;
type FormerCodes = ReadonlyMap<string, readonly string[]>;

const maxReplies = 20;
const lifetimeMs = 600_000;

/** Prepared replies, one for each tour, version and set of accessible locations. */
export class PreparedTours {
  readonly #context: TourContext;
  readonly #replies: TtlCache<PreparedReply>;

  constructor(context: TourContext) {
    this.#context = context;
    this.#replies = new TtlCache({ clock: Date, lifetime: lifetimeMs, capacity: maxReplies });
  }

  /** @throws 404 if there is no tour at the location or above it */
  async open(caller: Caller, location: string): Promise<PreparedReply> {
    const tour = await tourAt(this.#context, location);
    const locations = await this.#context.locations.accessibleDescendants(caller, tour.location);
    const { timeZone } = await this.#context.sites.recordAt(tour.location);
    const key = JSON.stringify([tour.uid, tour.version, timeZone, locations]);
    return this.#replies.get(key, async () => prepareReply(await readTour(this.#context, tour, locations)));
  }
}

/** Reads the tour with its nodes at these locations, the links between them, and their decks. */
async function readTour(context: TourContext, tour: TourRow, locations: readonly string[]): Promise<OpenedTour> {
  const { tables } = context;
  const nodes = await tables
    .selectFrom('node')
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
    .where('tour', '=', tour.uid)
    .where(atLocation('location', locations))
    .orderBy('position')
    .orderBy('code')
    .execute();
  const uids = new Set(nodes.map(({ uid }) => uid));
  const deckUids = [...new Set(nodes.flatMap(({ deck }) => deck ?? []))];
  const [links, decks, captures, codes, toCaptureDay] = await Promise.all([
    tables
      .selectFrom('link')
      .innerJoin('node', 'node.uid', 'link.from_node')
      .select(['link.from_node', 'link.to_node', 'link.kind', 'link.pan', 'link.tilt', 'link.distance'])
      .where('node.tour', '=', tour.uid)
      .orderBy('node.position')
      .orderBy('link.distance')
      .execute(),
    deckUids.length === 0
      ? []
      : tables.selectFrom('deck').selectAll().where('uid', 'in', deckUids).orderBy('elevation').execute(),
    tables
      .selectFrom('capture')
      .innerJoin('node', 'node.uid', 'capture.node')
      .select(['capture.node', 'capture.captured_at', 'capture.heading', 'capture.pyramid_file', 'capture.pyramid'])
      .where('node.tour', '=', tour.uid)
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
  };
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
