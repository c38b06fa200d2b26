import { pickLocalizedError, type SiteRecord, type SourceChoice } from '#core';
import { removeOnFailure, type JobOutcome, type JobRun, type ServerContext } from '#core/server';
import type { FileSummary, ScanPose } from '../../../contract/api/admin.ts';
import type { PointCloud } from '../../../contract/api/cloud.ts';
import type { PointBatch, PointSource } from '../../adapters/point-source.ts';
import { ScanUnreadable } from '../../adapters/scan-unreadable.ts';
import { importStations, listScans } from '../../stations/jobs/import-stations.ts';
import { isIdentityPose } from '../../stations/jobs/scan-frame.ts';
import type { ScanTables } from '../../tables.ts';
import { toMetres, type MetreSource } from './convert-sources.ts';
import { describeContents, needsReview } from './describe-contents.ts';
import { openSource, type OpenedFile } from './open-sources.ts';
import { transformPoints } from './transform-points.ts';
import { publishCloud, type OnCloudChanged } from './publish-cloud.ts';
import { putCloud, type StoredCloud } from './put-cloud.ts';

export const importCloudJob = 'scan.import-cloud';
export interface ImportCloudPayload {
  /** Uid of a cloud whose `source_files` are read. */
  readonly cloud: string;
  /** Whether structured scans also become stations. */
  readonly stations: boolean;
  /** The new pose of the delivery, which is saved with its new cloud. Absent if the pose does not change. */
  readonly place?: ScanPose;
}

/** The progress of an import. The point cloud comes first, and then each scan becomes a station or is refused. */
export interface ImportCursor extends StoredCloud {
  readonly kind: PointCloud['kind'];
  /** One entry for each file, in order. */
  readonly contents: readonly FileSummary[];
  /** Present once the cloud is published: the previous file, null if there is none to delete. */
  readonly former?: string | null;
  /** Present once a scan has its report: the number of reports. Earlier versions stored the reports themselves. */
  readonly stations?: number | readonly unknown[];
}

export type ImportContext = Pick<ServerContext<ScanTables>, 'tables' | 'files' | 'jobs'> & {
  readonly sites: { recordAt(location: string): Promise<SiteRecord> };
};
type Row = Pick<ScanTables['cloud'], 'location' | 'data_file'> & {
  readonly source_files: readonly string[];
  readonly place: ScanPose;
  readonly unit: SourceChoice;
};

/**
 * Creates the tiles of one point cloud from its files. The complete folder is stored and saved in the job's cursor
 * before the cloud refers to it, and then the previous folder is deleted. The stations follow, each in one transaction
 * with its report and the cursor. `onReplaced` is called in the transaction that replaces the points or their pose.
 */
export async function runImportCloud(
  context: ImportContext,
  run: JobRun<ImportCloudPayload>,
  onReplaced: OnCloudChanged = () => Promise.resolve(),
): Promise<JobOutcome> {
  const { cloud: uid, stations } = run.payload;
  const { tables } = context;
  const row = await tables
    .selectFrom('cloud')
    .select(['location', 'source_files', 'data_file', 'place', 'unit'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  const savedCursor = run.cursor as ImportCursor | undefined;
  if (!row) {
    if (savedCursor) await context.files.remove(savedCursor.file);
    return { result: 'FAILED', message: `The point cloud ${uid} does not exist any more.` };
  }
  try {
    const openedFiles: OpenedFile[] = [];
    for (const id of row.source_files) openedFiles.push(await openSource(context, id, row.source_files.length > 1));
    const { frame } = await context.sites.recordAt(row.location);
    const metreSources: MetreSource[] = [];
    for (const file of openedFiles) metreSources.push(await toMetres(file, row.unit, frame));
    const sources = metreSources.map(({ source }) => source);
    const scans = stations ? listScans(sources) : [];
    // Points are read and written once for the cloud, and read twice for stations.
    const total = 2 * countPoints(sources) + 2 * scans.reduce((sum, { scan }) => sum + scan.count, 0);
    const place = run.payload.place ?? row.place;
    const cursor =
      savedCursor ?? (await storeCloud(context, run, uid, { ...row, place }, openedFiles, metreSources, total));
    const publishedCloud =
      cursor.former === undefined
        ? await publishCloud(
            context,
            uid,
            cursor,
            place,
            (transaction) => onReplaced(row.location, transaction),
            (publishedCursor, transaction) =>
              run.progress({ done: 2 * countPoints(sources), total, cursor: publishedCursor }, transaction),
          )
        : cursor;
    const obsoleteFile = publishedCloud ? (publishedCloud.former ?? null) : cursor.file;
    if (obsoleteFile !== null && !row.source_files.includes(obsoleteFile)) await context.files.remove(obsoleteFile);
    if (!publishedCloud) return { result: 'FAILED', message: `The point cloud ${uid} was deleted during its import.` };
    await context.jobs.notifyRunners();
    const reports =
      scans.length === 0
        ? []
        : await importStations(context, run, uid, scans, publishedCloud, { done: 2 * countPoints(sources), total });
    const refusedCount = reports.filter(({ station }) => station === null).length;
    return {
      result: refusedCount > 0 || needsReview(cursor.contents) ? 'WARNING' : 'SUCCESS',
      message: [
        ...(reports.length === 0
          ? []
          : [`${reports.length - refusedCount} of ${reports.length} scans became stations.`]),
        ...describeContents(cursor.contents),
      ].join(' '),
    };
  } catch (error) {
    if (!(error instanceof ScanUnreadable)) throw error;
    await tables
      .updateTable('cloud')
      .set({ message: error.message, refusal: JSON.stringify(pickLocalizedError(error.refusal)) })
      .where('uid', '=', uid)
      .execute();
    return { result: 'FAILED', message: error.refusal };
  }
}

const countPoints = (sources: readonly PointSource[]): number => sources.reduce((sum, { count }) => sum + count, 0);

async function storeCloud(
  { files }: ImportContext,
  run: JobRun<ImportCloudPayload>,
  uid: string,
  { location, source_files: ids, place }: Row,
  openedFiles: readonly OpenedFile[],
  metreSources: readonly MetreSource[],
  total: number,
): Promise<ImportCursor> {
  const sources = metreSources.map(({ source }) => source);
  const cloudSteps = 2 * countPoints(sources);
  const [single] = metreSources.length === 1 ? metreSources : [];
  const isUsedAsIs = single?.source.format === 'COPC' && single.unchanged && isIdentityPose(place);
  const uploadedFile = isUsedAsIs ? ids[0] : undefined;
  const storedCloud: StoredCloud & Pick<ImportCursor, 'kind'> =
    uploadedFile === undefined
      ? {
          kind: 'TILES',
          ...(await putCloud(files, transformPoints(readAllPoints(sources), place), {
            uid,
            location,
            attempt: run.id,
            signal: run.signal,
            onProgress: (readCount, writtenCount) =>
              run.progress({ done: Math.min(cloudSteps, readCount + writtenCount), total }),
          })),
        }
      : { kind: 'COPC', file: uploadedFile, extent: await computeExtent(sources[0]!, run) };
  const contents = openedFiles.map(({ source: { declared }, readCount }, index): FileSummary => ({
    declared,
    read: readCount,
    system: metreSources[index]!.system,
  }));
  const cursor: ImportCursor = { ...storedCloud, contents };
  const unpublishedFiles = uploadedFile === undefined ? [storedCloud.file] : [];
  await removeOnFailure(files, unpublishedFiles, () => run.progress({ done: cloudSteps, total, cursor }));
  return cursor;
}

async function* readAllPoints(sources: readonly PointSource[]): AsyncGenerator<PointBatch> {
  for (const source of sources) yield* source.readPoints();
}

/** Decodes all points once, so that a damaged file is refused by the import and does not fail in the viewer. */
async function computeExtent(source: PointSource, run: JobRun<ImportCloudPayload>): Promise<StoredCloud['extent']> {
  const minimum: [number, number, number] = [Infinity, Infinity, Infinity];
  const maximum: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let points = 0;
  let reportedCount = 0;
  let colored = false;
  for await (const batch of source.readPoints()) {
    run.signal.throwIfAborted();
    colored ||= batch.colors !== undefined;
    for (let k = 0; k < batch.count * 3; k++) {
      const axis = (k % 3) as 0 | 1 | 2;
      minimum[axis] = Math.min(minimum[axis], batch.positions[k]!);
      maximum[axis] = Math.max(maximum[axis], batch.positions[k]!);
    }
    points += batch.count;
    if (points - reportedCount > 200_000)
      await run.progress({ done: (reportedCount = points), total: 2 * source.count });
  }
  if (points === 0) throw new ScanUnreadable('scan.refused.noPoints');
  return { points, minimum, maximum, colored, withIntensity: true };
}
