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
  findPlaceOfChange,
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
  const findPlaces = await createPlaceFinder(context, author, tour, nodes);
  const place = await findPlaceOfChange(context, author, tour, location);
  const [first] = nodes;
  const rows = nodes.map(({ position: [x, y, z], heading, posedAt: _, ...node }) => ({
    ...node,
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
      { action: 'tour.nodesCreated', subject: first!.uid, name: first!.name, location: place },
      async ({ tables, record }) => {
        const uids = nodes.map((node) => node.uid);
        await record('tour', 'uid', [uid]);
        await record('code', 'entity', uids);
        await record('node', 'uid', uids);
        if (!(await tables.selectFrom('tour').select('uid').where('uid', '=', uid).executeTakeFirst()))
          throw notFound('This tour');
        const findPlace = await findPlaces(tables);
        await reserveCodes(
          tables,
          tour.site,
          'NODE',
          nodes.map(({ uid: entity, code }) => ({ code, entity })),
        );
        const last = await tables
          .selectFrom('node')
          .select(({ fn }) => fn.max('position').as('position'))
          .where('tour', '=', uid)
          .executeTakeFirst();
        const position = (last?.position ?? -1) + 1;
        await tables
          .insertInto('node')
          .values(
            rows.map((row, index) => ({
              ...row,
              posed_at: nodes[index]!.posedAt ?? null,
              site: tour.site,
              location: findPlace(row.deck),
              position: position + index,
              view_tilt: 0,
            })),
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
  const findPlaces = await createPlaceFinder(context, author, tour, nodes);
  const place = await findPlaceOfChange(context, author, tour, location);
  const accessible = await context.locations.accessible(author.caller);
  return context.changes.apply(
    author,
    { action: 'tour.nodesChanged', subject: nodes[0]!.uid, name: nodes[0]!.name, location: place },
    async ({ tables, record }) => {
      const uids = nodes.map((node) => node.uid);
      await record('node', 'uid', uids);
      const present = await findNodes(context, accessible, tables, tour.uid, nodes);
      const findPlace = await findPlaces(tables);
      const rows = nodes.map(({ uid: node, name, deck, position: [x, y, z], heading: given }) => {
        const former = present.get(node)!;
        const heading = normalizePan(given);
        return {
          uid: node,
          name,
          deck,
          // A node without a deck stays where it is.
          location: deck === null || deck === former.deck ? former.location : findPlace(deck),
          x,
          y,
          z,
          heading,
          view_pan: normalizePan(former.view_pan + heading - former.heading),
        };
      });
      await sql`
        update tour.node set name = given.name, deck = given.deck, location = given.location, x = given.x, y = given.y,
          z = given.z, heading = given.heading, view_pan = given.view_pan
        from jsonb_populate_recordset(null::tour.node, ${JSON.stringify(rows)}::jsonb) as given
        where node.uid = given.uid`.execute(tables);
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
  const place = await findPlaceOfChange(context, author, tour, location);
  const accessible = await context.locations.accessible(author.caller);
  const named = await context.tables
    .selectFrom('node')
    .select('name')
    .where(matchesAny('uid', uids))
    .executeTakeFirst();
  return context.changes.apply(
    author,
    { action: 'tour.nodesDeleted', subject: uids[0]!, name: named?.name ?? tour.name, location: place },
    async ({ tables, record }) => {
      // Imports lock a node before its tour, too.
      await record('node', 'uid', uids);
      await record('tour', 'uid', [uid]);
      await record('code', 'entity', uids);
      await record('link', 'from_node', uids);
      await record('link', 'to_node', uids);
      await record('alignment', 'node', uids);
      await record('capture', 'node', uids);
      await record('incoming', 'node', uids);
      await record('tag_view', 'node', uids);
      const present = await findNodes(context, accessible, tables, tour.uid, nodes);
      // Its job would end without the node. Failed imports are deleted and restored with the node.
      const pending = await tables
        .selectFrom('incoming')
        .select('node')
        .where(matchesAny('node', uids))
        .where('message', 'is', null)
        .limit(1)
        .executeTakeFirst();
      if (pending)
        throw conflict(tourRefusal('tour.refused.panoramaPending', { name: present.get(pending.node)!.name }));
      await tables.deleteFrom('node').where(matchesAny('uid', uids)).execute();
      await deleteCodes(tables, 'NODE', uids);
    },
  );
}

/**
 * Finds the nodes of a request, which are locked.
 *
 * @throws `notFound` (404); `changedMeanwhile` (409) with the current node
 */
export async function findNodes(
  context: ContentContext,
  accessible: readonly string[],
  tables: Pick<ContentContext['tables'], 'selectFrom'>,
  tour: string,
  given: readonly { readonly uid: string; readonly version: number }[],
): Promise<ReadonlyMap<string, Selectable<TourTables['node']>>> {
  const rows = await tables
    .selectFrom('node')
    .selectAll()
    .where(
      matchesAny(
        'uid',
        given.map(({ uid }) => uid),
      ),
    )
    .where('tour', '=', tour)
    .where(atLocation('location', accessible))
    .execute();
  const present = new Map(rows.map((row) => [row.uid, row]));
  if (present.size < given.length) throw notFound('One of these viewpoints');
  for (const { uid, version } of given) assertVersion(toContentNode(present.get(uid)!, context), version);
  return present;
}

type FindPlace = (deck: string | null) => string;

/**
 * Returns a function that reads the decks of nodes in a transaction. It returns a function from the deck of a node to
 * its location: that of the deck if the tour's location contains it, else that of the tour. The latter throws
 * `noAccess` (403) if the caller may not go there; the former `invalidRequest` (400) for a deck of another site or
 * without access.
 *
 * @throws `invalidRequest` (400) for a node given twice
 */
async function createPlaceFinder(
  { locations }: ContentContext,
  { caller }: CallAuthor,
  tour: { readonly site: string; readonly location: string },
  nodes: NewNodes | ChangedNodes,
): Promise<(tables: Pick<ContentContext['tables'], 'selectFrom'>) => Promise<FindPlace>> {
  if (new Set(nodes.map(({ uid }) => uid)).size < nodes.length) throw invalidRequest('A viewpoint is given twice.');
  const decks = [...new Set(nodes.flatMap(({ deck }) => deck ?? []))];
  const accessible = new Set(await locations.accessible(caller));
  const below = new Set(await locations.descendants(tour.location));
  return async (tables) => {
    const rows = await tables
      .selectFrom('deck')
      .select(['uid', 'location'])
      .where(matchesAny('uid', decks))
      .where('site', '=', tour.site)
      .execute();
    const known = rows.filter(({ location }) => accessible.has(location));
    if (known.length < decks.length) throw invalidRequest('A deck does not exist at this site.');
    const places = new Map(known.map(({ uid, location }) => [uid, below.has(location) ? location : tour.location]));
    return (deck) => {
      const place = deck === null ? tour.location : (places.get(deck) ?? tour.location);
      if (!accessible.has(place)) throw noAccess();
      return place;
    };
  };
}
