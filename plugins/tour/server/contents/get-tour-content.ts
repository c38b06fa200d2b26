import { atLocation, matchesAny, type Caller, type ServerContext } from '#core/server';
import { SiteSurfaces } from '../../contract/index.ts';
import type { TourContent } from '../../contract/api/tour-content.ts';
import { listAlignments } from './alignment-changes.ts';
import { toContentDeck, toContentNode, toContentTour, type ContentContext } from './content-context.ts';
import type { TourTables } from '../tables.ts';

/**
 * Finds the node where visitors begin: the chosen node, or the first one if no node is chosen or the chosen one was
 * deleted.
 */
function findStartNode(
  { uid, start_node }: { readonly uid: string; readonly start_node: string | null },
  nodes: readonly { readonly uid: string; readonly tour: string }[],
): string | null {
  const tourNodes = nodes.filter(({ tour }) => tour === uid);
  return (tourNodes.find((node) => node.uid === start_node) ?? tourNodes[0])?.uid ?? null;
}

/** Reads the contents at a location and its descendants. The number of queries is constant. */
export async function readTourContent(
  context: ContentContext & Pick<ServerContext<TourTables>, 'service'>,
  caller: Caller,
  location: string,
): Promise<TourContent> {
  const { tables, locations, service } = context;
  const locationUids = await locations.accessibleDescendants(caller, location);
  const [decks, nodes] = await Promise.all([
    tables
      .selectFrom('deck')
      .selectAll()
      .where(atLocation('location', locationUids))
      .orderBy('elevation')
      .orderBy('code')
      .execute(),
    tables
      .selectFrom('node')
      .selectAll()
      .where(atLocation('location', locationUids))
      .orderBy('position')
      .orderBy('code')
      .execute(),
  ]);
  // Includes tours of ancestors that the nodes belong to.
  const tours = await tables
    .selectFrom('tour')
    .selectAll()
    .where(({ or }) =>
      or([atLocation('location', locationUids), matchesAny('uid', [...new Set(nodes.map(({ tour }) => tour))])]),
    )
    .orderBy('code')
    .execute();
  const uids = nodes.map(({ uid }) => uid);
  const links = await tables
    .selectFrom('link')
    .select(['from_node as a', 'to_node as b', 'kind'])
    .where(matchesAny('from_node', uids))
    .where(matchesAny('to_node', uids))
    .whereRef('from_node', '<', 'to_node')
    .orderBy('from_node')
    .orderBy('to_node')
    .execute();
  return {
    decks: decks.map((row) => toContentDeck(row, context)),
    tours: tours.map((row) => ({ ...toContentTour(row), startNode: findStartNode(row, nodes) })),
    nodes: nodes.map((row) => toContentNode(row, context)),
    links,
    alignments: await listAlignments(tables, uids),
    hasSurfaces: await service(SiteSurfaces).hasSurfaces(await locations.related(location)),
  };
}
