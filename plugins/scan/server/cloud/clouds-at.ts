import { randomBytes } from 'node:crypto';
import { Check } from 'typebox/value';
import { isSourceChoice, locationPath, type SourceChoice } from '#core';
import {
  invalidRequest,
  notFound,
  removeOnFailure,
  type Caller,
  type NewFile,
  type ReceivedUpload,
  type ServerContext,
} from '#core/server';
import { ScanPlace } from '../../contract/admin/api.ts';
import type { PointCloud } from '../../contract/cloud/api.ts';
import { scanRefusal } from '../../contract/refusals.ts';
import { standing } from '../stations/scan-frame.ts';
import { scanAudience } from '../queries/scan-token.ts';
import { cloudTables, newCloud } from './cloud-tables.ts';
import { importCloudJob, type ImportCloudPayload } from './import-cloud.ts';

export type CloudContext = Pick<ServerContext, 'database' | 'locations' | 'files' | 'jobs'>;

/**
 * The clouds of a location, and of all above and below it, that the caller reaches and whose scans may be seen now; the
 * newest first.
 */
export async function cloudsAt(
  context: CloudContext,
  caller: Caller,
  location: string,
  mayBeSeen: (location: string) => Promise<boolean>,
): Promise<PointCloud[]> {
  const rows = new Map((await context.locations.all()).map((row) => [row.uid, row]));
  const above = new Set(locationPath(rows, location).map((row) => row.uid));
  const clouds = await cloudTables(context)
    .selectFrom('cloud')
    .selectAll()
    .orderBy('captured_at', 'desc')
    .orderBy('code')
    .execute();
  const related = clouds.filter(
    (cloud) => above.has(cloud.location) || locationPath(rows, cloud.location).some((row) => row.uid === location),
  );
  const reached = await Promise.all(
    related.map(
      async (cloud) => (await context.locations.canAccess(caller, cloud.location)) && mayBeSeen(cloud.location),
    ),
  );
  return related
    .filter((_, index) => reached[index])
    .map(({ code, name, location: at, captured_at, kind, data_file, extent }) => ({
      code,
      name,
      location: at,
      capturedAt: captured_at?.toISOString() ?? null,
      kind,
      address: data_file === null ? null : context.files.address(data_file),
      extent,
    }));
}

const toNewFile = (name: string, location: string): NewFile => ({
  name,
  mediaType: 'application/octet-stream',
  audience: scanAudience(location),
});

/** Keeps the files, and starts the job that makes a cloud of them. */
export async function takeCloud(
  context: CloudContext,
  caller: Caller,
  location: string,
  what: { readonly name: string; readonly capturedAt?: string },
  { files, fields }: ReceivedUpload,
): Promise<{ readonly code: string; readonly job: string }> {
  const place = placeOf(fields['place']);
  const unit = parseUnit(fields['unit']);
  const sources: string[] = [];
  const code = randomBytes(8).toString('hex');
  const job = await removeOnFailure(context.files, sources, async () => {
    for (const file of files) sources.push((await context.files.put(toNewFile(file.name, location), file.stream())).id);
    return cloudTables(context)
      .transaction()
      .execute(async (transaction) => {
        const started = await context.jobs.start<ImportCloudPayload>(
          importCloudJob,
          { cloud: code, stations: fields['stations'] !== 'false' },
          caller.uid,
          transaction,
        );
        await transaction
          .insertInto('cloud')
          .values({
            code,
            name: what.name,
            location,
            captured_at: what.capturedAt ?? null,
            kind: 'TILES',
            source_files: JSON.stringify(sources),
            data_file: null,
            extent: null,
            ...newCloud(place),
            unit,
            job: started,
          })
          .execute();
        return started;
      });
  });
  await context.jobs.look();
  return { code, job };
}

/** Removes a cloud of exactly this location. Throws 404 where there is none. */
export async function removeCloudAt(context: CloudContext, location: string, code: string): Promise<void> {
  const row = await cloudTables(context)
    .deleteFrom('cloud')
    .where('code', '=', code)
    .where('location', '=', location)
    .returning(['source_files', 'data_file'])
    .executeTakeFirst();
  if (!row) throw notFound('A point cloud of this location');
  for (const file of new Set([...row.source_files, ...(row.data_file === null ? [] : [row.data_file])]))
    await context.files.remove(file);
}

function parseUnit(text = 'FILE'): SourceChoice {
  if (isSourceChoice(text)) return text;
  throw invalidRequest(scanRefusal('scan.refused.unit'), [{ pointer: '/unit', message: 'core.validation.choice' }]);
}

function placeOf(text: string | undefined): ScanPlace {
  if (text === undefined || text.trim() === '') return standing;
  let place: unknown;
  try {
    place = JSON.parse(text);
  } catch {
    place = undefined;
  }
  if (!Check(ScanPlace, place))
    throw invalidRequest(scanRefusal('scan.refused.place'), [{ pointer: '/place', message: 'core.validation.format' }]);
  return place;
}
