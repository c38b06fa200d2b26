import { randomUUID } from 'node:crypto';
import { Check } from 'typebox/value';
import { isSourceChoice, type SourceChoice } from '#core';
import {
  atLocation,
  invalidRequest,
  notFound,
  removeOnFailure,
  type Caller,
  type NewFile,
  type ReceivedUpload,
  type ServerContext,
} from '#core/server';
import { ScanPose } from '../../../contract/api/admin.ts';
import type { PointCloud } from '../../../contract/api/cloud.ts';
import { scanRefusal } from '../../../contract/errors.ts';
import { identityPose } from '../../stations/jobs/scan-frame.ts';
import { findTokenAndUnblockedLocations, scanAudience } from '../../queries/scan-token.ts';
import type { ScanTables } from '../../tables.ts';
import { importCloudJob, type ImportCloudPayload } from '../jobs/import-cloud.ts';
import type { OnCloudChanged } from '../jobs/publish-cloud.ts';

export type CloudContext = Pick<ServerContext<ScanTables>, 'tables' | 'locations' | 'files' | 'jobs'>;

/**
 * Lists the point clouds of a location, its ancestors and its descendants that the caller can access, newest first.
 * Empty without a valid token.
 */
export async function cloudsAt(
  context: CloudContext,
  caller: Caller,
  location: string,
  tokenRequired: boolean,
): Promise<PointCloud[]> {
  const accessibleLocations = await context.locations.accessibleRelated(caller, location);
  const { unblocked } = await findTokenAndUnblockedLocations(context, location, accessibleLocations, tokenRequired);
  if (unblocked.length === 0) return [];
  const clouds = await context.tables
    .selectFrom('cloud')
    .select(['uid', 'name', 'location', 'captured_at', 'kind', 'data_file', 'extent'])
    .where(atLocation('location', unblocked))
    .orderBy('captured_at', 'desc')
    .orderBy('name')
    .orderBy('uid')
    .execute();
  return clouds.map(({ captured_at, data_file, ...cloud }) => ({
    ...cloud,
    capturedAt: captured_at?.toISOString() ?? null,
    address: data_file === null ? null : context.files.url(data_file),
  }));
}

/** Creates the default columns of a new row. */
export const createDefaultCloudColumns = (place: ScanPose) => ({
  place: JSON.stringify(place),
  job: null,
  message: null,
  refusal: null,
  stations: '[]',
});

const toNewFile = (name: string, location: string): NewFile => ({
  name,
  mediaType: 'application/octet-stream',
  audience: scanAudience(location),
});

/** Stores the files and starts the job that creates a point cloud from them. */
export async function createCloud(
  context: CloudContext,
  caller: Caller,
  location: string,
  options: { readonly name: string; readonly capturedAt?: string },
  { files, fields }: ReceivedUpload,
): Promise<{ readonly uid: string; readonly job: string }> {
  const place = parsePlace(fields['place']);
  const unit = parseUnit(fields['unit']);
  const sources: string[] = [];
  const uid = randomUUID();
  const job = await removeOnFailure(context.files, sources, async () => {
    for (const file of files) sources.push((await context.files.put(toNewFile(file.name, location), file.stream())).id);
    return context.tables.transaction().execute(async (transaction) => {
      const jobId = await context.jobs.start<ImportCloudPayload>(
        importCloudJob,
        { cloud: uid, stations: fields['stations'] !== 'false' },
        caller.uid,
        transaction,
      );
      await transaction
        .insertInto('cloud')
        .values({
          uid,
          name: options.name,
          location,
          captured_at: options.capturedAt ?? null,
          kind: 'TILES',
          source_files: JSON.stringify(sources),
          data_file: null,
          extent: null,
          ...createDefaultCloudColumns(place),
          unit,
          job: jobId,
        })
        .execute();
      return jobId;
    });
  });
  await context.jobs.notifyRunners();
  return { uid, job };
}

/** Deletes a point cloud of exactly this location. Throws 404 if it does not exist. */
export async function removeCloudAt(
  context: CloudContext,
  location: string,
  uid: string,
  onRemoved: OnCloudChanged,
): Promise<void> {
  const row = await context.tables.transaction().execute(async (transaction) => {
    const deletedRow = await transaction
      .deleteFrom('cloud')
      .where('uid', '=', uid)
      .where('location', '=', location)
      .returning(['source_files', 'data_file'])
      .executeTakeFirst();
    if (!deletedRow) throw notFound('A point cloud of this location');
    await onRemoved(location, transaction);
    return deletedRow;
  });
  await context.jobs.notifyRunners();
  for (const file of new Set([...row.source_files, ...(row.data_file === null ? [] : [row.data_file])]))
    await context.files.remove(file);
}

function parseUnit(text = 'FILE'): SourceChoice {
  if (isSourceChoice(text)) return text;
  throw invalidRequest(scanRefusal('scan.refused.unit'), [{ pointer: '/unit', message: 'core.validation.choice' }]);
}

function parsePlace(text: string | undefined): ScanPose {
  if (text === undefined || text.trim() === '') return identityPose;
  let place: unknown;
  try {
    place = JSON.parse(text);
  } catch {
    place = undefined;
  }
  if (!Check(ScanPose, place))
    throw invalidRequest(scanRefusal('scan.refused.place'), [{ pointer: '/place', message: 'core.validation.format' }]);
  return place;
}
