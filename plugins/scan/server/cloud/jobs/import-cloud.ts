import { pickLocalizedError, type SiteRecord, type SourceChoice } from '#core';
import { removeOnFailure, type JobOutcome, type JobRun, type ServerContext } from '#core/server';
import type { FileContent, ScanPlace, StationReport } from '../../../contract/api/admin.ts';
import type { PointCloud } from '../../../contract/api/cloud.ts';
import type { PointBatch, PointSource } from '../../adapters/point-source.ts';
import { ScanUnreadable } from '../../adapters/scan-unreadable.ts';
import { importStations, listScans } from '../../stations/jobs/import-stations.ts';
import { isIdentityPose } from '../../stations/jobs/scan-frame.ts';
import type { ScanTables } from '../../tables.ts';
import { toMetres, type MetreSource } from './convert-sources.ts';
import { describeContents, isDoubtful } from './describe-contents.ts';
import { openSource, type OpenedFile } from './open-sources.ts';
import { placedPoints } from './placed-points.ts';
import { publishCloud } from './publish-cloud.ts';
import { putCloud, type StoredCloud } from './put-cloud.ts';

export const importCloudJob = 'scan.import-cloud';
export interface ImportCloudPayload {
  /** Uid of a cloud whose `source_files` are read. */
  readonly cloud: string;
  /** Whether structured scans also become stations. */
  readonly stations: boolean;
  /** The new placement of the delivery once its cloud is made; unchanged if absent. */
  readonly place?: ScanPlace;
}

/** The progress: first the cloud, then each scan that became a station or was refused. */
export interface ImportCursor extends StoredCloud {
  readonly kind: PointCloud['kind'];
  /** One entry for each file, in order. */
  readonly contents: readonly FileContent[];
  /** Present once the cloud is published: the previous file, null if there is none to delete. */
  readonly former?: string | null;
  readonly stations?: readonly StationReport[];
}

export type ImportContext = Pick<ServerContext<ScanTables>, 'tables' | 'files' | 'jobs'> & {
  readonly sites: { recordAt(location: string): Promise<SiteRecord> };
};
type Row = Pick<ScanTables['cloud'], 'location' | 'data_file'> & {
  readonly source_files: readonly string[];
  readonly place: ScanPlace;
  readonly unit: SourceChoice;
};

/**
 * Makes the tiles of one cloud from its files. The folder is stored complete and noted in the job's cursor before the
 * cloud refers to it; the former folder is deleted last. The stations follow, each in one transaction with its report
 * and the cursor.
 */
export async function runImportCloud(context: ImportContext, run: JobRun<ImportCloudPayload>): Promise<JobOutcome> {
  const { cloud: uid, stations } = run.payload;
  const { tables } = context;
  const row = await tables
    .selectFrom('cloud')
    .select(['location', 'source_files', 'data_file', 'place', 'unit'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  const reached = run.cursor as ImportCursor | undefined;
  if (!row) {
    if (reached) await context.files.remove(reached.file);
    return { result: 'FAILED', message: `The point cloud ${uid} does not exist any more.` };
  }
  try {
    const opened: OpenedFile[] = [];
    for (const id of row.source_files) opened.push(await openSource(context, id, row.source_files.length > 1));
    const { frame } = await context.sites.recordAt(row.location);
    const converted: MetreSource[] = [];
    for (const file of opened) converted.push(await toMetres(file, row.unit, frame));
    const sources = converted.map(({ source }) => source);
    const scans = stations ? listScans(sources) : [];
    // Points are read and written once for the cloud, and read twice for stations.
    const total = 2 * countPoints(sources) + 2 * scans.reduce((sum, { scan }) => sum + scan.count, 0);
    const place = run.payload.place ?? row.place;
    const made = reached ?? (await createCloud(context, run, uid, { ...row, place }, opened, converted, total));
    const published =
      made.former === undefined
        ? await publishCloud(context, uid, made, place, (cursor, transaction) =>
            run.progress({ done: 2 * countPoints(sources), total, cursor }, transaction),
          )
        : made;
    const left = published ? (published.former ?? null) : made.file;
    if (left !== null && !row.source_files.includes(left)) await context.files.remove(left);
    if (!published) return { result: 'FAILED', message: `The point cloud ${uid} was removed while it was imported.` };
    const reports =
      scans.length === 0
        ? []
        : await importStations(context, run, uid, scans, published, { done: 2 * countPoints(sources), total });
    const refused = reports.filter(({ station }) => station === null).length;
    return {
      result: refused > 0 || isDoubtful(made.contents) ? 'WARNING' : 'SUCCESS',
      message: [
        ...(reports.length === 0 ? [] : [`${reports.length - refused} of ${reports.length} scans became stations.`]),
        ...describeContents(made.contents),
      ].join(' '),
    };
  } catch (error) {
    if (!(error instanceof ScanUnreadable)) throw error;
    await tables
      .updateTable('cloud')
      .set({ message: error.message, refusal: JSON.stringify(pickLocalizedError(error.userMessage)) })
      .where('uid', '=', uid)
      .execute();
    return { result: 'FAILED', message: error.userMessage };
  }
}

const countPoints = (sources: readonly PointSource[]): number => sources.reduce((sum, { count }) => sum + count, 0);

async function createCloud(
  { files }: ImportContext,
  run: JobRun<ImportCloudPayload>,
  uid: string,
  { location, source_files: ids, place }: Row,
  opened: readonly OpenedFile[],
  converted: readonly MetreSource[],
  total: number,
): Promise<ImportCursor> {
  const sources = converted.map(({ source }) => source);
  const cloudSteps = 2 * countPoints(sources);
  const [only] = converted.length === 1 ? converted : [];
  const asDelivered = only?.source.format === 'COPC' && only.unchanged && isIdentityPose(place) ? ids[0] : undefined;
  const stored: StoredCloud & Pick<ImportCursor, 'kind'> =
    asDelivered === undefined
      ? {
          kind: 'TILES',
          ...(await putCloud(files, placedPoints(allPoints(sources), place), {
            uid,
            location,
            attempt: run.id,
            signal: run.signal,
            onProgress: (read, written) => run.progress({ done: Math.min(cloudSteps, read + written), total }),
          })),
        }
      : { kind: 'COPC', file: asDelivered, extent: await computeExtent(sources[0]!, run) };
  const contents = opened.map(({ source: { declared }, read }, index): FileContent => ({
    declared,
    read,
    system: converted[index]!.system,
  }));
  const cursor: ImportCursor = { ...stored, contents };
  const unshown = asDelivered === undefined ? [stored.file] : [];
  await removeOnFailure(files, unshown, () => run.progress({ done: cloudSteps, total, cursor }));
  return cursor;
}

async function* allPoints(sources: readonly PointSource[]): AsyncGenerator<PointBatch> {
  for (const source of sources) yield* source.points();
}

/** Decodes all points once, so that damage is refused at the import and not in the viewer. */
async function computeExtent(source: PointSource, run: JobRun<ImportCloudPayload>): Promise<StoredCloud['extent']> {
  const minimum: [number, number, number] = [Infinity, Infinity, Infinity];
  const maximum: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let points = 0;
  let reported = 0;
  let colored = false;
  for await (const batch of source.points()) {
    run.signal.throwIfAborted();
    colored ||= batch.colors !== undefined;
    for (let k = 0; k < batch.count * 3; k++) {
      const axis = (k % 3) as 0 | 1 | 2;
      minimum[axis] = Math.min(minimum[axis], batch.positions[k]!);
      maximum[axis] = Math.max(maximum[axis], batch.positions[k]!);
    }
    points += batch.count;
    if (points - reported > 200_000) await run.progress({ done: (reported = points), total: 2 * source.count });
  }
  if (points === 0) throw new ScanUnreadable('scan.refused.noPoints');
  return { points, minimum, maximum, colored, withIntensity: true };
}
