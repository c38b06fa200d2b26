import { sql } from 'kysely';
import type { BodyOf } from '#core';
import { atLocation, invalidRequest, matchesAny, notFound, type CallAuthor, type Caller } from '#core/server';
import { proposeLinkPairs } from '../../common/propose-links.ts';
import type { ContentLink, LinkProposals, saveLinks } from '../../contract/api/tour-content.ts';
import { checkSight } from './check-sight.ts';
import { findEntity, findChangeLocation, type ContentContext } from './content-context.ts';
import type { TourTarget } from './tour-changes.ts';

/** Links and unlinks nodes of a tour in both directions. @throws `notFound` (404) for a node of another tour */
export async function changeLinks(
  context: ContentContext,
  author: CallAuthor,
  { location, tour: uid }: TourTarget,
  { saved, removed }: BodyOf<typeof saveLinks>,
): Promise<{ readonly change: string | null }> {
  const tour = await findEntity(context, 'tour', location, uid);
  const uids = [...new Set([...saved, ...removed].flatMap(({ a, b }) => [a, b]))];
  if ([...saved, ...removed].some(({ a, b }) => a === b)) throw invalidRequest('A viewpoint is linked to itself.');
  const accessibleLocations = await context.locations.accessible(author.caller);
  const pairs = [...saved, ...removed].map(({ a, b }) => [a, b].toSorted().join(' '));
  if (new Set(pairs).size < pairs.length) throw invalidRequest('A pair of viewpoints is listed twice.');
  const recordedLocation = await findChangeLocation(context, author, tour, location);
  return context.changes.apply(
    author,
    { action: 'tour.linksChanged', subject: uid, name: tour.name, location: recordedLocation },
    async ({ tables, lockAndRecord }) => {
      const nodes = await tables
        .selectFrom('node')
        .select('uid')
        .where(matchesAny('uid', uids))
        .where('tour', '=', uid)
        .where(atLocation('location', accessibleLocations))
        .execute();
      if (nodes.length < uids.length) throw notFound('One of these viewpoints');
      await lockAndRecord('link', 'from_node', uids);
      const ends = removed.flatMap(({ a, b }) => [
        { from_node: a, to_node: b },
        { from_node: b, to_node: a },
      ]);
      await sql`
        delete from tour.link using jsonb_populate_recordset(null::tour.link, ${JSON.stringify(ends)}::jsonb) as input
        where link.from_node = input.from_node and link.to_node = input.to_node`.execute(tables);
      const linkRows = saved.flatMap(({ a, b, kind }) => [
        { from_node: a, to_node: b, kind, pan: 0, tilt: 0, distance: 0 },
        { from_node: b, to_node: a, kind, pan: 0, tilt: 0, distance: 0 },
      ]);
      for (let start = 0; start < linkRows.length; start += rowsPerInsert)
        await tables
          .insertInto('link')
          .values(linkRows.slice(start, start + rowsPerInsert))
          .onConflict((builder) =>
            builder.columns(['from_node', 'to_node']).doUpdateSet(({ ref }) => ({ kind: ref('excluded.kind') })),
          )
          .execute();
    },
  );
}
const rowsPerInsert = 1000;

/** Proposes links between nodes that see each other, or whose line of sight is unknown. Changes nothing. */
export async function findLinkProposals(
  context: ContentContext,
  caller: Caller,
  { location, tour: uid }: TourTarget,
  maxDistance: number,
): Promise<LinkProposals> {
  const tour = await findEntity(context, 'tour', location, uid);
  const nodes = await context.tables
    .selectFrom('node')
    .select(['uid', 'deck', 'x', 'y', 'z', 'heading', 'range_file'])
    .where('tour', '=', tour.uid)
    .where(atLocation('location', await context.locations.accessible(caller)))
    .orderBy('position')
    .orderBy('code')
    .execute();
  const links = await context.tables
    .selectFrom('link')
    .innerJoin('node', 'node.uid', 'link.from_node')
    .select(['from_node', 'to_node'])
    .where('node.tour', '=', tour.uid)
    .execute();
  const linkedPairs = new Set(links.map(({ from_node, to_node }) => `${from_node} ${to_node}`));
  const placedNodes = nodes.map(({ x, y, z, ...node }) => ({ ...node, position: [x, y, z] as const }));
  const pairs = proposeLinkPairs(placedNodes, maxDistance).filter(
    ([a, b]) => !linkedPairs.has(`${a} ${b}`) && !linkedPairs.has(`${b} ${a}`),
  );
  const sights = await checkSight(context.files, new Map(placedNodes.map((node) => [node.uid, node])), pairs);
  return {
    links: pairs.flatMap(([a, b], index): ContentLink[] => {
      if (sights[index] === 'BLOCKED') return [];
      return [a < b ? { a, b, kind: 'WALK' } : { a: b, b: a, kind: 'WALK' }];
    }),
    blocked: sights.filter((sight) => sight === 'BLOCKED').length,
    unknown: sights.filter((sight) => sight === 'UNKNOWN').length,
  };
}
