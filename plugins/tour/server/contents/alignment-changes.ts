import { sql } from 'kysely';
import { normalizePan, type BodyOf } from '#core';
import { atLocation, invalidRequest, matchesAny, notFound, type CallAuthor, type Caller } from '#core/server';
import { computeResiduals, type CameraPose } from '../../common/alignment/camera-pose.ts';
import { composeTilt, moveTie } from '../../common/alignment/compose-tilt.ts';
import type { alignNode, SavedTie } from '../../contract/api/alignment.ts';
import type { NodeAlignment } from '../../contract/api/tour-content.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { findChangeLocation, type ContentContext } from './content-context.ts';
import { getNodes } from './node-changes.ts';

/** The path parameters of an alignment. */
export interface NodeTarget {
  readonly location: string;
  readonly node: string;
}

/** Larger residuals are refused, degrees. */
const maxResidualDegrees = 5;

/** Lists the alignments of nodes that still have the aligned pose and picture. */
export async function listAlignments(
  tables: ContentContext['tables'],
  nodes: readonly string[],
): Promise<NodeAlignment[]> {
  const rows = await tables
    .selectFrom('alignment')
    .innerJoin('node', 'node.uid', 'alignment.node')
    .select(['alignment.node', 'residual', 'tie_count', 'aligned_at'])
    .where(matchesAny('alignment.node', nodes))
    .whereRef('node.x', '=', 'alignment.x')
    .whereRef('node.y', '=', 'alignment.y')
    .whereRef('node.z', '=', 'alignment.z')
    .whereRef('node.heading', '=', 'alignment.heading')
    .whereRef('node.panorama_file', '=', 'alignment.panorama_file')
    .orderBy('alignment.node')
    .execute();
  return rows.map(({ node, residual, tie_count: ties, aligned_at: at }) => ({
    node,
    residual,
    ties,
    alignedAt: at.toISOString(),
  }));
}

/**
 * Reads the ties in the current picture of a node.
 *
 * @throws `notFound` (404)
 */
export async function readAlignment(
  context: ContentContext,
  caller: Caller,
  target: NodeTarget,
): Promise<{ ties: SavedTie[] }> {
  await findNode(context, caller, target);
  const row = await context.tables
    .selectFrom('alignment')
    .innerJoin('node', 'node.uid', 'alignment.node')
    .select('ties')
    .where('node', '=', target.node)
    .whereRef('node.panorama_file', '=', 'alignment.panorama_file')
    .executeTakeFirst();
  return { ties: [...(row?.ties ?? [])] };
}

/**
 * @throws `notFound` (404); `changedMeanwhile` (409) with the current node; `invalidRequest` (400) without a panorama, or
 *   if the ties contradict the pose
 */
export async function saveAlignment(
  context: ContentContext,
  author: CallAuthor,
  target: NodeTarget,
  {
    version,
    position,
    heading: requestedHeading,
    pitch = 0,
    roll = 0,
    ties: markedTies,
    correction,
    others,
  }: BodyOf<typeof alignNode>,
): Promise<{ readonly change: string | null }> {
  const targetNode = await findNode(context, author.caller, target);
  const shownOrientation = { heading: normalizePan(requestedHeading), pitch, roll };
  const residual = computeResidual({ position, ...shownOrientation }, markedTies);
  const nodes = [{ uid: target.node, version }, ...others];
  const uids = nodes.map(({ uid }) => uid);
  if (new Set(uids).size < uids.length) throw invalidRequest('A viewpoint is listed twice.');
  const recordedLocation = await findChangeLocation(
    context,
    author,
    { location: targetNode.tourLocation },
    target.location,
  );
  const accessibleLocations = await context.locations.accessible(author.caller);
  return context.changes.apply(
    author,
    { action: 'tour.nodesAligned', subject: target.node, name: targetNode.name, location: recordedLocation },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('node', 'uid', uids);
      await lockAndRecord('alignment', 'node', [target.node]);
      const currentNodes = await getNodes(context, accessibleLocations, tables, targetNode.tour, nodes);
      const formerNode = currentNodes.get(target.node)!;
      if (formerNode.panorama_file === null)
        throw invalidRequest(tourRefusal('tour.refused.alignmentNoPicture', { name: formerNode.name }));
      const { heading, ...tilt } =
        pitch === 0 && roll === 0
          ? { ...shownOrientation, ...toTilt(formerNode) }
          : composeTilt(shownOrientation, formerNode);
      const ties = markedTies.map((tie) => moveTie(tie, formerNode, tilt));
      const turn = heading - formerNode.heading;
      const shift =
        correction === 'POSE'
          ? [position[0] - formerNode.x, position[1] - formerNode.y, position[2] - formerNode.z]
          : [];
      const rows = [...currentNodes.values()].map((node) => {
        const isAligned = node.uid === target.node;
        return {
          uid: node.uid,
          x: isAligned ? position[0] : node.x + (shift[0] ?? 0),
          y: isAligned ? position[1] : node.y + (shift[1] ?? 0),
          z: isAligned ? position[2] : node.z + (shift[2] ?? 0),
          heading: isAligned ? heading : normalizePan(node.heading + turn),
          ...toTilt(isAligned ? tilt : node),
          view_pan: normalizePan(node.view_pan + turn),
        };
      });
      await sql`
        update tour.node set x = input.x, y = input.y, z = input.z, heading = input.heading,
          pitch = input.pitch, roll = input.roll, view_pan = input.view_pan
        from jsonb_populate_recordset(null::tour.node, ${JSON.stringify(rows)}::jsonb) as input
        where node.uid = input.uid`.execute(tables);
      const alignment = {
        x: position[0],
        y: position[1],
        z: position[2],
        heading,
        panorama_file: formerNode.panorama_file,
        residual,
        tie_count: ties.filter(({ used }) => used).length,
        ties: JSON.stringify(ties),
        aligned_at: new Date(),
      };
      await tables
        .insertInto('alignment')
        .values({ node: target.node, ...alignment })
        .onConflict((conflict) => conflict.column('node').doUpdateSet(alignment))
        .execute();
    },
  );
}

const toTilt = ({ pitch, roll }: Pick<CameraPose, 'pitch' | 'roll'>) => ({ pitch, roll });

/** @throws `invalidRequest` (400) if the ties contradict the pose, or none is used */
function computeResidual(pose: CameraPose, ties: readonly SavedTie[]): number {
  const usedTies = ties.filter((tie) => tie.used);
  if (usedTies.length === 0) throw invalidRequest('No tie is used.');
  const residual = Math.max(...computeResiduals(pose, usedTies));
  if (residual > maxResidualDegrees)
    throw invalidRequest(tourRefusal('tour.refused.alignmentDisagrees', { degrees: residual.toFixed(1) }));
  return residual;
}

async function findNode(
  { tables, locations }: ContentContext,
  caller: Caller,
  { location, node }: NodeTarget,
): Promise<{ readonly name: string; readonly tour: string; readonly tourLocation: string }> {
  const locationUids = await locations.accessibleDescendants(caller, location);
  const row = await tables
    .selectFrom('node')
    .innerJoin('tour', 'tour.uid', 'node.tour')
    .select(['node.name', 'node.tour', 'tour.location as tourLocation'])
    .where('node.uid', '=', node)
    .where(atLocation('node.location', locationUids))
    .executeTakeFirst();
  if (!row) throw notFound('This viewpoint');
  return row;
}
