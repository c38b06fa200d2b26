import { normalizePan } from '#core';
import { conflict, invalidRequest, notFound, type Caller, type ServerContext } from '#core/server';
import { Tours } from '#plugins/tour';
import type { ScanPose } from '../../../contract/api/admin.ts';
import { scanRefusal } from '../../../contract/errors.ts';
import type { LinkMode } from '../../../contract/values/station-links.ts';
import type { CloudContext } from '../../cloud/queries/clouds-at.ts';
import { importCloudJob, type ImportCloudPayload } from '../../cloud/jobs/import-cloud.ts';
import { isSamePose } from '../../cloud/jobs/publish-cloud.ts';

interface DeliveryChanges {
  readonly name: string;
  readonly pose: ScanPose;
  readonly capturedAt: string | null;
}

/**
 * Updates the name and the pose of a delivery at exactly this location. A new pose starts a job that rebuilds the
 * cloud, and its id is returned. Cloud and stations move together when the job succeeds. Throws 404, and 409 during an
 * import.
 */
export async function changeDeliveryAt(
  context: CloudContext,
  caller: Caller,
  location: string,
  uid: string,
  { name, pose, capturedAt }: DeliveryChanges,
): Promise<string | null> {
  const current = await context.tables
    .selectFrom('cloud')
    .select(['place', 'job', 'source_files'])
    .where('uid', '=', uid)
    .where('location', '=', location)
    .executeTakeFirst();
  if (!current) throw notFound('A delivery of this location');
  const hasNewPose = !isSamePose(current.place, pose);
  const latestJob = current.job === null || !hasNewPose ? undefined : await context.jobs.find(current.job);
  if (latestJob?.status === 'INPROGRESS') throw conflict(scanRefusal('scan.refused.stillImported'));
  if (hasNewPose && current.source_files.length === 0) throw conflict(scanRefusal('scan.refused.filesNotKept'));
  const job = await context.tables.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('cloud')
      .select('job')
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw notFound('A delivery of this location');
    await transaction
      .updateTable('cloud')
      .set({ name: name.trim(), captured_at: capturedAt })
      .where('uid', '=', uid)
      .execute();
    if (!hasNewPose) return null;
    if (row.job !== current.job) throw conflict(scanRefusal('scan.refused.placedMeanwhile'));
    const startedJob = await context.jobs.start<ImportCloudPayload>(
      importCloudJob,
      { cloud: uid, stations: false, place: pose },
      caller.uid,
      transaction,
    );
    await transaction
      .updateTable('cloud')
      .set({ job: startedJob, message: null, refusal: null })
      .where('uid', '=', uid)
      .execute();
    return startedJob;
  });
  if (job !== null) await context.jobs.notifyRunners();
  return job;
}

type LinkContext = Pick<CloudContext, 'tables' | 'locations'> & Pick<ServerContext, 'service'>;

interface StationChanges extends ScanPose {
  readonly name: string;
  readonly linkMode?: LinkMode;
  readonly node?: string | null;
}

/**
 * Updates the name, pose and optionally the link of a station at exactly this location. Throws 404 if it does not
 * exist, 400 if the tour there has no such node that the caller can access.
 */
export async function changeStationAt(
  context: LinkContext,
  caller: Caller,
  location: string,
  uid: string,
  { name, position: [x, y, z], heading, linkMode, node }: StationChanges,
): Promise<void> {
  const chosenNode = linkMode === 'CHOSEN' ? (node ?? null) : null;
  if (chosenNode !== null && !(await isLinkable(context, caller, location, uid, chosenNode))) {
    throw invalidRequest(scanRefusal('scan.refused.noSuchPlace'), [
      { pointer: '/node', message: 'core.validation.choice' },
    ]);
  }
  const { numUpdatedRows } = await context.tables
    .updateTable('station')
    .set({
      name: name.trim(),
      x,
      y,
      z,
      heading: normalizePan(heading),
      ...(linkMode === undefined ? {} : { link: linkMode, node: chosenNode }),
    })
    .where('uid', '=', uid)
    .where('location', '=', location)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('A scan station of this location');
}

/** Whether the station may be linked to a node. Its current node is allowed even if the caller cannot access it. */
async function isLinkable(
  { tables, locations, service }: LinkContext,
  caller: Caller,
  location: string,
  station: string,
  node: string,
): Promise<boolean> {
  const candidate = (await service(Tours).nodesAt(location)).find(({ uid }) => uid === node);
  if (!candidate) return false;
  if (await locations.canAccess(caller, candidate.location)) return true;
  const currentLink = await tables
    .selectFrom('station')
    .select('uid')
    .where('uid', '=', station)
    .where('location', '=', location)
    .where('node', '=', node)
    .executeTakeFirst();
  return currentLink !== undefined;
}

/** Deletes a station of exactly this location with its files. Throws 404 if it does not exist. */
export async function removeStationAt(
  { tables, files }: Pick<CloudContext, 'tables' | 'files'>,
  location: string,
  uid: string,
): Promise<void> {
  const row = await tables
    .deleteFrom('station')
    .where('uid', '=', uid)
    .where('location', '=', location)
    .returning(['range_file', 'panorama_file', 'tiles_file'])
    .executeTakeFirst();
  if (!row) throw notFound('A scan station of this location');
  for (const file of [row.range_file, row.panorama_file, row.tiles_file]) if (file !== null) await files.remove(file);
}
