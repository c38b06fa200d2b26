import { atLocation, matchesAny, notFound, type Caller } from '#core/server';
import type { NodePanoramas } from '../../contract/api/admin.ts';
import { toursAt } from '../queries/tour-at.ts';
import { touchTours } from '../queries/touch-tours.ts';
import { createCaptureDayConverter } from '../queries/capture-day.ts';
import { lockNode } from '../queries/lock-node.ts';
import { listFiles } from '../jobs/publish-panorama.ts';
import { restoreEarlierPanorama } from '../commands/restore-earlier-panorama.ts';
import type { ImportContext } from '../commands/receive-panoramas.ts';

/**
 * Lists the accessible nodes of the location's tour (or, if it has none, of all tours below) with the dates of their
 * panoramas.
 */
export async function listPanoramasAt(
  context: ImportContext,
  caller: Caller,
  location: string,
): Promise<NodePanoramas[]> {
  const tours = await toursAt(context, location);
  if (tours.length === 0) return [];
  const { tables } = context;
  const nodes = await tables
    .selectFrom('node')
    .select(['uid', 'code', 'name', 'location', 'tour', 'x', 'y', 'z', 'posed_at', 'posed_tilt'])
    .select(['captured_at', 'heading', 'panorama_file', 'thumbnail_file'])
    .where(matchesAny('tour', tours))
    .where(atLocation('location', await context.locations.accessible(caller)))
    .orderBy('tour')
    .orderBy('position')
    .execute();
  if (nodes.length === 0) return [];
  const toCaptureDay = await createCaptureDayConverter(context, location);
  const uids = nodes.map(({ uid }) => uid);
  const earlierCaptures = await tables
    .selectFrom('capture')
    .select(['uid', 'node', 'captured_at'])
    .where(matchesAny('node', uids))
    .orderBy('captured_at', 'desc')
    .execute();
  const pendingRows = await tables
    .selectFrom('incoming')
    .select(['uid', 'node', 'captured_at', 'job', 'message', 'refusal'])
    .where(matchesAny('node', uids))
    .orderBy('captured_at', 'desc')
    .execute();
  const jobs = await context.jobs.findAll(pendingRows.map(({ job }) => job));
  const incomingPanoramas = pendingRows.map(({ uid, node, captured_at, job: id, message, refusal }) => {
    const job = jobs.get(id);
    const isRunning = job?.status === 'INPROGRESS';
    const panorama = { node, uid, capturedAt: captured_at.toISOString(), day: toCaptureDay(captured_at) };
    if (isRunning) return { ...panorama, job: { id, done: job.done, total: job.total }, message: null, refusal: null };
    if (message !== null) return { ...panorama, job: null, message, refusal };
    return { ...panorama, job: null, message: job?.message ?? null, refusal: job?.refusal ?? null };
  });
  return nodes.map(({ uid: node, captured_at, heading, panorama_file, thumbnail_file, ...row }) => ({
    node,
    code: row.code,
    name: row.name,
    location: row.location,
    tour: row.tour,
    position: [row.x, row.y, row.z],
    posedAt: row.posed_at?.toISOString() ?? null,
    posedTilt: row.posed_tilt,
    uid: earlierCaptures.some((capture) => capture.node === node) ? panorama_file : null,
    capturedAt: captured_at?.toISOString() ?? null,
    day: captured_at && toCaptureDay(captured_at),
    heading,
    thumbnail: thumbnail_file === null ? null : context.files.url(thumbnail_file),
    earlier: earlierCaptures
      .filter((capture) => capture.node === node)
      .map((capture) => ({
        uid: capture.uid,
        capturedAt: capture.captured_at.toISOString(),
        day: toCaptureDay(capture.captured_at),
      })),
    incoming: incomingPanoramas
      .filter((panorama) => panorama.node === node)
      .map(({ node: _, ...panorama }) => panorama),
  }));
}

/**
 * Deletes a panorama with its files: an earlier one, a pending import, or the current one if an earlier one can replace
 * it.
 *
 * @throws 404 if the node is not accessible, 409 if its panoramas were changed concurrently
 */
export async function removeNodePanorama(
  context: ImportContext,
  caller: Caller,
  location: string,
  nodeUid: string,
  uid: string,
): Promise<void> {
  const tours = await toursAt(context, location);
  const { tables } = context;
  const node = await tables
    .selectFrom('node')
    .select(['location', 'tour', 'panorama_file'])
    .where('uid', '=', nodeUid)
    .executeTakeFirst();
  if (!node || !tours.includes(node.tour) || !(await context.locations.canAccess(caller, node.location)))
    throw notFound('This node');
  if (node.panorama_file === uid) return restoreEarlierPanorama(context, nodeUid, uid);
  const unusedFiles = await tables.transaction().execute(async (transaction) => {
    const { tour } = await lockNode(transaction, nodeUid);
    await touchTours(transaction, 'uid', tour);
    const earlierCapture = await transaction
      .deleteFrom('capture')
      .where('uid', '=', uid)
      .where('node', '=', nodeUid)
      .returning(['panorama_file', 'range_file', 'pyramid_file'])
      .executeTakeFirst();
    const incomingPanorama = await transaction
      .deleteFrom('incoming')
      .where('uid', '=', uid)
      .where('node', '=', nodeUid)
      .returning('panorama_file')
      .executeTakeFirst();
    return [
      ...(earlierCapture ? listFiles(earlierCapture) : []),
      ...(incomingPanorama ? [incomingPanorama.panorama_file] : []),
    ];
  });
  for (const file of unusedFiles) await context.files.remove(file);
}
