import { toldOf } from '#core';
import type { JobOutcome, JobRun, ServerContext } from '#core/server';
import type { ScanPlace, StationReport } from '../../contract/admin/api.ts';
import type { PointCloud } from '../../contract/cloud/api.ts';
import { openPoints } from '../import/open-points.ts';
import type { PointBatch, PointSource } from '../import/point-source.ts';
import { ScanUnreadable } from '../import/scan-unreadable.ts';
import { importStations, scansOf } from '../stations/import-stations.ts';
import { isStanding } from '../stations/scan-frame.ts';
import { cloudTables, type CloudTables } from './cloud-tables.ts';
import { placedPoints } from './placed-points.ts';
import { publishCloud } from './publish-cloud.ts';
import { putCloud, type StoredCloud } from './put-cloud.ts';
import { storedBytes } from './stored-bytes.ts';

export const importCloudJob = 'scan.import-cloud';
export interface ImportCloudPayload {
  /** Code of a cloud whose `source_files` are read. */
  readonly cloud: string;
  /** Whether scans become stations too. */
  readonly stations: boolean;
  /** Where the delivery is placed once its cloud is made; absent: where it is. */
  readonly place?: ScanPlace;
}

/**
 * What is made already: the cloud, and then the scans that stations were made of, or were refused, one after the other.
 */
export interface ImportCursor extends StoredCloud {
  readonly kind: PointCloud['kind'];
  readonly stations?: readonly StationReport[];
}

export type ImportContext = Pick<ServerContext, 'database' | 'files' | 'jobs'>;
type Row = Pick<CloudTables['cloud'], 'location' | 'data_file'> & {
  readonly source_files: readonly string[];
  readonly place: ScanPlace;
};

/**
 * Makes what the viewers stream of the files of one cloud. The folder is put whole before the cloud is told of it, and
 * noted in the job's cursor in between, so that a killed attempt leaves no cloud that names half a folder; the former
 * folder goes last. The stations come after it, each with its report and the cursor in one transaction.
 */
export async function runImportCloud(context: ImportContext, run: JobRun<ImportCloudPayload>): Promise<JobOutcome> {
  const { cloud: code, stations } = run.payload;
  const tables = cloudTables(context);
  const row = await tables
    .selectFrom('cloud')
    .select(['location', 'source_files', 'data_file', 'place'])
    .where('code', '=', code)
    .executeTakeFirst();
  if (!row) return { result: 'FAILED', message: `The point cloud ${code} does not exist any more.` };
  try {
    const opened: PointSource[] = [];
    for (const id of row.source_files) opened.push(await openSource(context, id, row.source_files.length > 1));
    const scans = stations ? scansOf(opened) : [];
    // Points are read and written for the cloud, and read twice for stations.
    const total = 2 * pointsOf(opened) + 2 * scans.reduce((sum, { scan }) => sum + scan.count, 0);
    const place = run.payload.place ?? row.place;
    const made =
      (run.cursor as ImportCursor | undefined) ??
      (await makeCloud(context, run, code, { ...row, place }, opened, total));
    const published = await publishCloud(context, code, made, place);
    const left = !published ? made.file : row.data_file === made.file ? null : row.data_file;
    if (left !== null && !row.source_files.includes(left)) await context.files.remove(left);
    if (!published) return { result: 'FAILED', message: `The point cloud ${code} was removed while it was imported.` };
    const reports =
      scans.length === 0
        ? []
        : await importStations(context, run, code, scans, made, { done: 2 * pointsOf(opened), total });
    const refused = reports.filter(({ station }) => station === null).length;
    if (reports.length === 0) return { result: 'SUCCESS' };
    return {
      result: refused > 0 ? 'WARNING' : 'SUCCESS',
      message: `${reports.length - refused} of ${reports.length} scans became stations.`,
    };
  } catch (error) {
    if (!(error instanceof ScanUnreadable)) throw error;
    await tables
      .updateTable('cloud')
      .set({ message: error.message, refusal: JSON.stringify(toldOf(error.words)) })
      .where('code', '=', code)
      .execute();
    return { result: 'FAILED', message: error.words };
  }
}

/** A file of the delivery; what is refused of one of several names it. */
async function openSource({ files }: ImportContext, id: string, oneOfSeveral: boolean): Promise<PointSource> {
  const bytes = await storedBytes(files, id);
  if (!oneOfSeveral) return openPoints(bytes);
  const name = (await files.find(id))?.name ?? id;
  const inFile = (error: unknown): unknown => (error instanceof ScanUnreadable ? error.in(name) : error);
  try {
    const source = await openPoints(bytes);
    return { ...source, points: () => pointsIn(source, inFile) };
  } catch (error) {
    throw inFile(error);
  }
}

async function* pointsIn(source: PointSource, inFile: (error: unknown) => unknown): AsyncGenerator<PointBatch> {
  try {
    yield* source.points();
  } catch (error) {
    throw inFile(error);
  }
}

const pointsOf = (sources: readonly PointSource[]): number => sources.reduce((sum, { count }) => sum + count, 0);

async function makeCloud(
  { files }: ImportContext,
  run: JobRun<ImportCloudPayload>,
  code: string,
  { location, source_files: sources, place }: Row,
  opened: readonly PointSource[],
  total: number,
): Promise<ImportCursor> {
  const most = 2 * pointsOf(opened);
  const asDelivered = opened.length === 1 && opened[0]?.format === 'COPC' && isStanding(place) ? sources[0] : undefined;
  const cursor: ImportCursor =
    asDelivered === undefined
      ? {
          kind: 'TILES',
          ...(await putCloud(files, placedPoints(allPoints(opened), place), {
            code,
            location,
            attempt: run.id,
            signal: run.signal,
            onProgress: (read, written) => run.progress({ done: Math.min(most, read + written), total }),
          })),
        }
      : { kind: 'COPC', file: asDelivered, extent: await extentOf(opened[0]!, run) };
  await run.progress({ done: most, total, cursor });
  return cursor;
}

async function* allPoints(sources: readonly PointSource[]): AsyncGenerator<PointBatch> {
  for (const source of sources) yield* source.points();
}

/** All points are decoded once: what is damaged shall be refused now, and not to the person who looks at it. */
async function extentOf(source: PointSource, run: JobRun<ImportCloudPayload>): Promise<StoredCloud['extent']> {
  const minimum: [number, number, number] = [Infinity, Infinity, Infinity];
  const maximum: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let points = 0;
  let told = 0;
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
    if (points - told > 200_000) await run.progress({ done: (told = points), total: 2 * source.count });
  }
  if (points === 0) throw new ScanUnreadable('scan.refused.noPoints');
  return { points, minimum, maximum, colored, withIntensity: true };
}
