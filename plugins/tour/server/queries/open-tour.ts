import type { Selectable } from 'kysely';
import type { Caller, FileStore } from '#core/server';
import type { DeckMap, OpenedTour, TourNode } from '#plugins/tour';
import type { TourTables } from '../tables.ts';
import { captureDaysAt, type CaptureDays } from '../imports/capture-day.ts';
import { filterReached, reachOf, tablesOf, tourAt, type TourContext } from './tour-at.ts';
import { visitedNodes } from './visited-nodes.ts';

type NodeRow = Omit<Row<'node'>, 'panorama_file' | 'range_file'>;
type CaptureRow = Pick<Row<'capture'>, 'node' | 'captured_at' | 'heading' | 'pyramid_file' | 'pyramid'>;
type Row<T extends keyof TourTables> = Selectable<TourTables[T]>;

/** All that a tour needs to start, as far as the caller reaches. */
export async function openTourAt(context: TourContext, caller: Caller, location: string): Promise<OpenedTour> {
  const tour = await tourAt(context, location);
  const tables = tablesOf(context);
  const [all, links, decks, captures, visited] = await Promise.all([
    tables
      .selectFrom('node')
      .select([
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
      .where('tour', '=', tour.code)
      .orderBy('position')
      .execute(),
    tables
      .selectFrom('link')
      .innerJoin('node', 'node.code', 'link.from_node')
      .select(['link.from_node', 'link.to_node', 'link.kind', 'link.pan', 'link.tilt', 'link.distance'])
      .where('node.tour', '=', tour.code)
      .orderBy('link.from_node')
      .orderBy('link.distance')
      .execute(),
    tables.selectFrom('deck').selectAll().orderBy('elevation').execute(),
    tables
      .selectFrom('capture')
      .innerJoin('node', 'node.code', 'capture.node')
      .select(['capture.node', 'capture.captured_at', 'capture.heading', 'capture.pyramid_file', 'capture.pyramid'])
      .where('node.tour', '=', tour.code)
      .orderBy('capture.captured_at', 'desc')
      .execute(),
    visitedNodes(context, caller, tour.code),
  ]);
  const nodes = await filterReached(all, reachOf(context, caller));
  const codes = new Set(nodes.map((node) => node.code));
  const dayOf = await captureDaysAt(context, tour.location);
  const stoodOn = new Set(nodes.map((node) => node.deck));
  return {
    tour: {
      code: tour.code,
      name: tour.name,
      location: tour.location,
      startNode: codes.has(tour.start_node) ? tour.start_node : (nodes[0]?.code ?? tour.start_node),
    },
    nodes: nodes.map((node) =>
      toNode(
        node,
        captures.filter((capture) => capture.node === node.code),
        dayOf,
        context.files,
      ),
    ),
    links: links
      .filter(({ from_node, to_node }) => codes.has(from_node) && codes.has(to_node))
      .map(({ from_node: from, to_node: to, ...link }) => ({ from, to, ...link })),
    decks: decks.filter((deck) => stoodOn.has(deck.code)).map((deck) => toDeck(deck, context.files)),
    visited: visited.filter((code) => codes.has(code)),
  };
}

function toNode(row: NodeRow, captures: readonly CaptureRow[], dayOf: CaptureDays, files: FileStore): TourNode {
  return {
    code: row.code,
    name: row.name,
    deck: row.deck,
    location: row.location,
    position: [row.x, row.y, row.z],
    heading: row.heading,
    view: { pan: row.view_pan, tilt: row.view_tilt },
    capturedAt: row.captured_at.toISOString(),
    day: dayOf(row.captured_at),
    thumbnail: row.thumbnail_file === null ? null : files.address(row.thumbnail_file),
    picture: toPicture(row, files),
    captures: captures.flatMap((capture) => {
      const picture = toPicture(capture, files);
      if (!picture) return [];
      const { captured_at: at, heading } = capture;
      return [{ capturedAt: at.toISOString(), day: dayOf(at), heading, picture }];
    }),
  };
}

function toPicture(
  { pyramid_file: id, pyramid }: Pick<NodeRow, 'pyramid_file' | 'pyramid'>,
  files: FileStore,
): TourNode['picture'] {
  return id === null || pyramid === null
    ? null
    : { id, address: files.address(id), ...pyramid, levels: [...pyramid.levels] };
}

function toDeck(row: Row<'deck'>, files: FileStore): DeckMap {
  const { west, south, east, north } = row;
  return {
    code: row.code,
    name: row.name,
    elevation: row.elevation,
    map: files.address(row.map_file),
    extent: { west, south, east, north },
  };
}
