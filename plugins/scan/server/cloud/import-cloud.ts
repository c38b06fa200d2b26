import type { JobOutcome, JobRun, ServerContext } from '#core/server';
import type { PointCloud } from '../../contract/cloud/api.ts';
import { openPoints } from '../import/open-points.ts';
import type { PointBatch, PointSource } from '../import/point-source.ts';
import { ScanUnreadable } from '../import/scan-unreadable.ts';
import { cloudTables } from './cloud-tables.ts';
import { putCloud, type StoredCloud } from './put-cloud.ts';
import { storedBytes } from './stored-bytes.ts';

export const importCloudJob = 'scan.import-cloud';
export interface ImportCloudPayload {
  /** Code of a cloud whose `source_files` are read. */
  readonly cloud: string;
}

interface Cursor extends StoredCloud {
  readonly kind: PointCloud['kind'];
}

type Context = Pick<ServerContext, 'database' | 'files'>;

/**
 * Makes what the viewer streams of the files of one cloud. The folder is put whole before the cloud is told of it, and noted in the job's cursor in between, so that a
 * killed attempt leaves no cloud that names half a folder; the former folder goes last.
 */
export async function runImportCloud(context: Context, run: JobRun<ImportCloudPayload>): Promise<JobOutcome> {
  const { cloud: code } = run.payload;
  const row = await cloudTables(context).selectFrom('cloud').select(['location', 'source_files', 'data_file']).where('code', '=', code).executeTakeFirst();
  if (!row) return { result: 'FAILED', message: `The point cloud ${code} does not exist any more.` };
  try {
    const made = (run.cursor as Cursor | undefined) ?? (await make(context, run, code, row.location, row.source_files));
    const { numUpdatedRows } = await cloudTables(context).updateTable('cloud').set({ kind: made.kind, data_file: made.file, extent: JSON.stringify(made.extent) }).where('code', '=', code).executeTakeFirst();
    const left = numUpdatedRows === 0n ? made.file : row.data_file === made.file ? null : row.data_file;
    if (left !== null && !row.source_files.includes(left)) await context.files.remove(left);
    return numUpdatedRows === 0n ? { result: 'FAILED', message: `The point cloud ${code} was removed while it was imported.` } : { result: 'SUCCESS' };
  } catch (error) {
    if (error instanceof ScanUnreadable) return { result: 'FAILED', message: error.message };
    throw error;
  }
}

async function make({ files }: Context, run: JobRun<ImportCloudPayload>, code: string, location: string, sources: readonly string[]): Promise<Cursor> {
  const opened: PointSource[] = [];
  for (const id of sources) opened.push(await openPoints(await storedBytes(files, id)));
  const points = opened.reduce((sum, { count }) => sum + count, 0);
  const total = 2 * points;
  const asDelivered = opened.length === 1 && opened[0]?.format === 'COPC' ? sources[0] : undefined;
  const cursor: Cursor =
    asDelivered === undefined
      ? { kind: 'TILES', ...(await putCloud(files, allPoints(opened), { code, location, attempt: run.id, signal: run.signal, onProgress: (read, written) => run.progress({ done: Math.min(total, read + written), total }) })) }
      : { kind: 'COPC', file: asDelivered, extent: await extentOf(opened[0]!, run) };
  await run.progress({ done: total, total, cursor });
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
  if (points === 0) throw new ScanUnreadable('The file holds no points. Export the scan with its points.');
  return { points, minimum, maximum, colored, withIntensity: true };
}
