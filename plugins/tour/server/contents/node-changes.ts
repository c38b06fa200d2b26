import { sql, type Selectable } from 'kysely';
import { normalizePan, type BodyOf } from '#core';
import { atLocation, conflict, invalidRequest, matchesAny, noAccess, notFound, type CallAuthor } from '#core/server';
import type { updateNodes, createNodes, deleteNodes } from '../../contract/api/tour-content.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { deleteCodes, reserveCodes } from '../queries/codes.ts';
import type { TourTables } from '../tables.ts';
import {
  assertVersion,
  createOnce,
  findEntity,
  findChangeLocation,
  toContentNode,
  type ContentContext,
} from './content-context.ts';
import type { TourTarget } from './tour-changes.ts';

type Changed = Promise<{ readonly change: string | null }>;
type NewNodes = BodyOf<typeof createNodes>['nodes'];
type ChangedNodes = BodyOf<typeof updateNodes>['nodes'];

/** @throws `conflict` (409) if a code is taken; `invalidRequest` (400) for an unknown deck */
export async function addNodes(
  context: ContentContext,
  author: CallAuthor,
  { location, tour: uid }: TourTarget,
  { nodes }: BodyOf<typeof createNodes>,
): Changed {
  const tour = await findEntity(context, 'tour', location, uid);
  const loadLocationFinder = await createLocationFinderLoader(context, author, tour, nodes);
  const recordedLocation = await findChangeLocation(context, author, tour, location);
  const [firstNode] = nodes;
  const rows = nodes.map(({ uid: node, code, name, deck, position: [x, y, z], heading }) => ({
    uid: node,
    code,
    name,
    deck,
    tour: uid,
    x,
    y,
    z,
    heading: normalizePan(heading),
    view_pan: normalizePan(heading),
  }));
  return createOnce(context, author, { table: 'node', rows }, () =>
    context.changes.apply(
      author,
      { action: 'tour.nodesCreated', subject: firstNode!.uid, name: firstNode!.name, location: recordedLocation },
      async ({ tables, lockAndRecord }) => {
        const uids = nodes.map((node) => node.uid);
        await lockAndRecord('tour', 'uid', [uid]);
        await lockAndRecord('code', 'entity', uids);
        await lockAndRecord('node', 'uid', uids);
        if (!(await tables.selectFrom('tour').select('uid').where('uid', '=', uid).executeTakeFirst()))
          throw notFound('This tour');
        const findLocation = await loadLocationFinder(tables);
        await reserveCodes(
          tables,
          tour.site,
          'NODE',
          nodes.map(({ uid: entity, code }) => ({ code, entity })),
        );
        const lastNode = await tables
          .selectFrom('node')
          .select(({ fn }) => fn.max('position').as('position'))
          .where('tour', '=', uid)
          .executeTakeFirst();
        const firstPosition = (lastNode?.position ?? -1) + 1;
        await tables
          .insertInto('node')
          .values(
            rows.map((row, index) => {
              const { posedAt = null, posedTilt } = nodes[index]!;
              return {
                ...row,
                posed_at: posedAt,
                posed_tilt: posedTilt === undefined ? null : JSON.stringify(posedTilt),
                site: tour.site,
                location: findLocation(row.deck),
                position: firstPosition + index,
                view_tilt: 0,
              };
            }),
          )
          .execute();
      },
    ),
  );
}

/** @throws `notFound` (404); `changedMeanwhile` (409) with the current node; `invalidRequest` (400) for an unknown deck */
export async function saveNodes(
  context: ContentContext,
  author: CallAuthor,
  { location, tour: uid }: TourTarget,
  { nodes }: BodyOf<typeof updateNodes>,
): Changed {
  const tour = await findEntity(context, 'tour', location, uid);
  const loadLocationFinder = await createLocationFinderLoader(context, author, tour, nodes);
  const recordedLocation = await findChangeLocation(context, author, tour, location);
  const accessibleLocations = await context.locations.accessible(author.caller);
  return context.changes.apply(
    author,
    { action: 'tour.nodesChanged', subject: nodes[0]!.uid, name: nodes[0]!.name, location: recordedLocation },
    async ({ tables, lockAndRecord }) => {
      const uids = nodes.map((node) => node.uid);
      await lockAndRecord('node', 'uid', uids);
      const currentNodes = await getNodes(context, accessibleLocations, tables, tour.uid, nodes);
      const findLocation = await loadLocationFinder(tables);
      const rows = nodes.map(({ uid: node, name, deck, position: [x, y, z], ...pose }) => {
        const formerNode = currentNodes.get(node)!;
        const heading = normalizePan(pose.heading);
        return {
          uid: node,
          name,
          deck,
          // A node without a deck keeps its location.
          location: deck === null || deck === formerNode.deck ? formerNode.location : findLocation(deck),
          x,
          y,
          z,
          heading,
          view_pan: normalizePan(formerNode.view_pan + heading - formerNode.heading),
          posed_at: pose.posedAt === undefined ? formerNode.posed_at : pose.posedAt,
          posed_tilt: pose.posedTilt === undefined ? formerNode.posed_tilt : pose.posedTilt,
        };
      });
      await sql`
        update tour.node set name = input.name, deck = input.deck, location = input.location, x = input.x, y = input.y,
          z = input.z, heading = input.heading, view_pan = input.view_pan, posed_at = input.posed_at,
          posed_tilt = input.posed_tilt
        from jsonb_populate_recordset(null::tour.node, ${JSON.stringify(rows)}::jsonb) as input
        where node.uid = input.uid`.execute(tables);
    },
  );
}

/**
 * @throws `notFound` (404); `changedMeanwhile` (409) with the current node; `conflict` (409) while a panorama of a node
 *   is being imported
 */
export async function removeNodes(
  context: ContentContext,
  author: CallAuthor,
  { location, tour: uid }: TourTarget,
  { nodes }: BodyOf<typeof deleteNodes>,
): Changed {
  const tour = await findEntity(context, 'tour', location, uid);
  const uids = nodes.map((node) => node.uid);
  const recordedLocation = await findChangeLocation(context, author, tour, location);
  const accessibleLocations = await context.locations.accessible(author.caller);
  const namedNode = await context.tables
    .selectFrom('node')
    .select('name')
    .where(matchesAny('uid', uids))
    .executeTakeFirst();
  return context.changes.apply(
    author,
    { action: 'tour.nodesDeleted', subject: uids[0]!, name: namedNode?.name ?? tour.name, location: recordedLocation },
    async ({ tables, lockAndRecord }) => {
      // Same order as in imports: nodes are locked before their tour.
      await lockAndRecord('node', 'uid', uids);
      await lockAndRecord('tour', 'uid', [uid]);
      await lockAndRecord('code', 'entity', uids);
      await lockAndRecord('link', 'from_node', uids);
      await lockAndRecord('link', 'to_node', uids);
      await lockAndRecord('alignment', 'node', uids);
      await lockAndRecord('capture', 'node', uids);
      await lockAndRecord('incoming', 'node', uids);
      await lockAndRecord('tag_view', 'node', uids);
      const currentNodes = await getNodes(context, accessibleLocations, tables, tour.uid, nodes);
      // A running import would fail without its node. Failed imports are deleted and restored with the node.
      const pendingPanorama = await tables
        .selectFrom('incoming')
        .select('node')
        .where(matchesAny('node', uids))
        .where('message', 'is', null)
        .limit(1)
        .executeTakeFirst();
      if (pendingPanorama)
        throw conflict(
          tourRefusal('tour.refused.panoramaPending', { name: currentNodes.get(pendingPanorama.node)!.name }),
        );
      await tables.deleteFrom('node').where(matchesAny('uid', uids)).execute();
      await deleteCodes(tables, 'NODE', uids);
    },
  );
}

/**
 * Finds the nodes of a request and checks their versions. Call it after `record`, which locks them.
 *
 * @throws `notFound` (404); `changedMeanwhile` (409) with the current node
 */
export async function getNodes(
  context: ContentContext,
  accessibleLocations: readonly string[],
  tables: Pick<ContentContext['tables'], 'selectFrom'>,
  tour: string,
  input: readonly { readonly uid: string; readonly version: number }[],
): Promise<ReadonlyMap<string, Selectable<TourTables['node']>>> {
  const rows = await tables
    .selectFrom('node')
    .selectAll()
    .where(
      matchesAny(
        'uid',
        input.map(({ uid }) => uid),
      ),
    )
    .where('tour', '=', tour)
    .where(atLocation('location', accessibleLocations))
    .execute();
  const currentNodes = new Map(rows.map((row) => [row.uid, row]));
  if (currentNodes.size < input.length) throw notFound('One of these viewpoints');
  for (const { uid, version } of input) assertVersion(toContentNode(currentNodes.get(uid)!, context), version);
  return currentNodes;
}

type FindLocation = (deck: string | null) => string;

/**
 * Returns a function that loads the decks of the nodes in a transaction and returns a `FindLocation`. A node is at the
 * location of its deck if the location of the tour contains it, otherwise at the location of the tour. Loading throws
 * `invalidRequest` (400) for a deck of another site or without access. Finding throws `noAccess` (403) for an
 * inaccessible location.
 *
 * @throws `invalidRequest` (400) for a node that is listed twice
 */
async function createLocationFinderLoader(
  { locations }: ContentContext,
  { caller }: CallAuthor,
  tour: { readonly site: string; readonly location: string },
  nodes: NewNodes | ChangedNodes,
): Promise<(tables: Pick<ContentContext['tables'], 'selectFrom'>) => Promise<FindLocation>> {
  if (new Set(nodes.map(({ uid }) => uid)).size < nodes.length) throw invalidRequest('A viewpoint is listed twice.');
  const decks = [...new Set(nodes.flatMap(({ deck }) => deck ?? []))];
  const accessibleLocations = new Set(await locations.accessible(caller));
  const tourLocations = new Set(await locations.descendants(tour.location));
  return async (tables) => {
    const rows = await tables
      .selectFrom('deck')
      .select(['uid', 'location'])
      .where(matchesAny('uid', decks))
      .where('site', '=', tour.site)
      .execute();
    const accessibleDecks = rows.filter(({ location }) => accessibleLocations.has(location));
    if (accessibleDecks.length < decks.length) throw invalidRequest('A deck does not exist at this site.');
    const locationByDeck = new Map(
      accessibleDecks.map(({ uid, location }) => [uid, tourLocations.has(location) ? location : tour.location]),
    );
    return (deck) => {
      const nodeLocation = deck === null ? tour.location : (locationByDeck.get(deck) ?? tour.location);
      if (!accessibleLocations.has(nodeLocation)) throw noAccess();
      return nodeLocation;
    };
  };
}
