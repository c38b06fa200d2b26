import { randomUUID } from 'node:crypto';
import { normalizePan } from '#core';
import { removeOnFailure, type JobRun } from '#core/server';
import type { StationReport } from '../../../contract/api/admin.ts';
import type { ImportCloudPayload, ImportContext, ImportCursor } from '../../cloud/jobs/import-cloud.ts';
import type { E57ScanDescription } from '../../adapters/e57/e57-description.ts';
import type { E57File } from '../../adapters/e57/open-e57.ts';
import type { PointSource } from '../../adapters/point-source.ts';
import { ScanUnreadable } from '../../adapters/scan-unreadable.ts';
import { tileStationJob, type TileStationPayload } from './tile-station.ts';
import { scanAudience } from '../../queries/scan-token.ts';
import { createStation, type ImportedStation } from './make-station.ts';
import { toSiteFrame } from './scan-frame.ts';

export interface ScanInFile {
  readonly file: E57File;
  readonly scan: E57ScanDescription;
}

/** Lists the scans of all E57 files of a delivery, in order. */
export function listScans(sources: readonly PointSource[]): readonly ScanInFile[] {
  return sources.flatMap((source) => (isE57(source) ? source.scans.map((scan) => ({ file: source, scan })) : []));
}

const isE57 = (source: PointSource): source is E57File => source.format === 'E57';
const pointsPerReport = 200_000;
/** The epoch of E57 timestamps (GPS time). Leap seconds do not matter for a date. */
const gpsEpoch = Date.UTC(1980, 0, 6);

/**
 * Creates stations from the scans that this import has not reported yet. Station, tile job, report and cursor are one
 * transaction, so a killed attempt neither duplicates nor omits a station. Returns the outcome of each scan, also of a
 * damaged one.
 */
export async function importStations(
  context: ImportContext,
  run: JobRun<ImportCloudPayload>,
  cloud: string,
  scans: readonly ScanInFile[],
  cloudCursor: ImportCursor,
  { done, total }: { readonly done: number; readonly total: number },
): Promise<readonly StationReport[]> {
  const reports = cloudCursor.stations === undefined ? [] : await loadReports(context, cloud);
  let readCount = done + 2 * scans.slice(0, reports.length).reduce((sum, { scan }) => sum + scan.count, 0);
  let reportedCount = readCount;
  const onRead = async (points: number): Promise<void> => {
    run.signal.throwIfAborted();
    readCount += points;
    if (readCount - reportedCount >= pointsPerReport)
      await run.progress({ done: Math.min(total, (reportedCount = readCount)), total });
  };
  for (const [index, { file, scan }] of scans.entries()) {
    if (index < reports.length) continue;
    const name = scan.name ?? scan.guid ?? String(index + 1);
    const station = await createStation(file, scan, onRead, run.signal).catch((error: unknown) => {
      if (error instanceof ScanUnreadable) return 'DAMAGED' as const;
      throw error;
    });
    const uid = randomUUID();
    if (typeof station === 'string')
      reports.push({ name, station: null, skipReason: station, pictureSource: null, tooFarPixels: 0 });
    else
      reports.push({
        name,
        station: uid,
        skipReason: null,
        pictureSource: station.pictureSource,
        tooFarPixels: station.tooFarPixels,
      });
    readCount = reportedCount =
      done + 2 * scans.slice(0, index + 1).reduce((sum, { scan: { count } }) => sum + count, 0);
    const step = {
      done: Math.min(total, readCount),
      total,
      cursor: { ...cloudCursor, stations: reports.length } satisfies ImportCursor,
    };
    if (typeof station === 'string') await saveReport(context, run, cloud, reports, step);
    else await saveStation(context, run, cloud, { uid, name, scan, station }, reports, step);
  }
  await context.jobs.notifyRunners();
  return reports;
}

/** Loads the stored reports. Migrations update these, but not the reports in the cursors of jobs. */
async function loadReports({ tables }: ImportContext, cloud: string): Promise<StationReport[]> {
  const row = await tables.selectFrom('cloud').select('stations').where('uid', '=', cloud).executeTakeFirst();
  return [...(row?.stations ?? [])];
}

type Step = Parameters<JobRun<ImportCloudPayload>['progress']>[0];

async function saveReport(
  context: ImportContext,
  run: JobRun<ImportCloudPayload>,
  cloud: string,
  reports: readonly StationReport[],
  step: Step,
): Promise<void> {
  await context.tables.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('cloud')
      .set({ stations: JSON.stringify(reports) })
      .where('uid', '=', cloud)
      .execute();
    await run.progress(step, transaction);
  });
}

interface NewStation {
  readonly uid: string;
  readonly name: string;
  readonly scan: E57ScanDescription;
  readonly station: ImportedStation;
}

async function saveStation(
  context: ImportContext,
  run: JobRun<ImportCloudPayload>,
  cloud: string,
  { uid, name, scan, station }: NewStation,
  reports: readonly StationReport[],
  step: Step,
): Promise<void> {
  const row = await context.tables
    .selectFrom('cloud')
    .select(['location', 'captured_at', 'place'])
    .where('uid', '=', cloud)
    .executeTakeFirst();
  if (!row) return;
  const audience = scanAudience(row.location);
  const range = await context.files.put({ name: `${uid} ranges.png`, mediaType: 'image/png', audience }, station.range);
  const panorama = await removeOnFailure(context.files, [range.id], () =>
    context.files.put({ name: `${uid}.jpg`, mediaType: 'image/jpeg', audience }, station.panorama),
  );
  const [x, y, z] = toSiteFrame(row.place, station.position);
  await removeOnFailure(context.files, [range.id, panorama.id], () =>
    context.tables.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('station')
        .values({
          uid,
          name: name.slice(0, 120),
          node: null,
          location: row.location,
          x,
          y,
          z,
          heading: normalizePan(station.heading + row.place.heading),
          captured_at: row.captured_at ?? parseInstant(scan) ?? new Date(),
          range_file: range.id,
          sigma: station.sigma,
          panorama_file: panorama.id,
          tiles_file: null,
          pyramid: null,
          ranges: null,
          delivery: cloud,
        })
        .execute();
      await transaction
        .updateTable('cloud')
        .set({ stations: JSON.stringify(reports) })
        .where('uid', '=', cloud)
        .execute();
      await context.jobs.start<TileStationPayload>(tileStationJob, { station: uid }, null, transaction);
      await run.progress(step, transaction);
    }),
  );
}

/** Returns the time of the scan that the file states, if it is plausible. */
function parseInstant({ acquiredAt }: E57ScanDescription): Date | undefined {
  const instant = new Date(acquiredAt === undefined ? Number.NaN : gpsEpoch + acquiredAt * 1000);
  const year = instant.getUTCFullYear();
  return year > 1990 && year < 2200 ? instant : undefined;
}
