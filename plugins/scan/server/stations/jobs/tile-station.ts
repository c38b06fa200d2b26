import { buffer } from 'node:stream/consumers';
import {
  removeOnFailure,
  tilePanorama,
  tileRange,
  type FileStore,
  type FolderEntry,
  type JobRun,
  type ServerContext,
} from '#core/server';
import { scanAudience } from '../../queries/scan-token.ts';
import type { Pyramid, RangeGrid, ScanTables } from '../../tables.ts';

export const tileStationJob = 'scan.tile-station';
export interface TileStationPayload {
  /** Uid of a station. The job tiles its `range_file` and, if present, its `panorama_file`. */
  readonly station: string;
}

interface Cursor {
  readonly folder: string;
  readonly ranges: RangeGrid;
  readonly pyramid: Pyramid | null;
}

type Context = Pick<ServerContext<ScanTables>, 'tables' | 'files'>;
type Station = Pick<ScanTables['station'], 'location' | 'range_file' | 'panorama_file'>;

/**
 * Makes the tiles of one station. The complete folder is stored and saved in the job's cursor before the station refers
 * to it, so no station ever refers to an incomplete folder.
 */
export async function runTileStation(
  context: Context,
  run: JobRun<TileStationPayload>,
): Promise<{ readonly result: 'SUCCESS' | 'FAILED'; readonly message?: string }> {
  const tables = context.tables;
  const { station: uid } = run.payload;
  const station = await tables
    .selectFrom('station')
    .select(['location', 'range_file', 'panorama_file', 'tiles_file'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (!station) return { result: 'FAILED', message: `The station ${uid} does not exist any more.` };
  const cursor = (run.cursor as Cursor | undefined) ?? (await createTiles(context.files, uid, station, run));
  const previousFolder = station.tiles_file;
  const { numUpdatedRows } = await tables
    .updateTable('station')
    .set({
      tiles_file: cursor.folder,
      ranges: JSON.stringify(cursor.ranges),
      pyramid: cursor.pyramid && JSON.stringify(cursor.pyramid),
    })
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    await context.files.remove(cursor.folder);
    return { result: 'FAILED', message: `The station ${uid} was deleted while its tiles were being created.` };
  }
  if (previousFolder !== null && previousFolder !== cursor.folder) await context.files.remove(previousFolder);
  return { result: 'SUCCESS' };
}

async function createTiles(
  files: FileStore,
  uid: string,
  station: Station,
  run: JobRun<TileStationPayload>,
): Promise<Cursor> {
  const range = await tileRange(await buffer(await files.read(station.range_file)));
  const panorama =
    station.panorama_file === null
      ? undefined
      : await tilePanorama(await buffer(await files.read(station.panorama_file)));
  const { width, height, tileSize, columns, rows } = range.description;
  const levels = panorama?.description.levels.map(
    ({ width: across, height: down, columns: tilesAcross, rows: tilesDown }) => ({
      width: across,
      height: down,
      columns: tilesAcross,
      rows: tilesDown,
    }),
  );
  const total = columns * rows + 1 + (levels?.reduce((sum, level) => sum + level.columns * level.rows, 1) ?? 0);

  async function* tileEntries(): AsyncGenerator<FolderEntry> {
    let doneCount = 0;
    for (const entries of panorama ? [range.entries, panorama.entries] : [range.entries]) {
      for await (const entry of entries) {
        run.signal.throwIfAborted();
        yield entry;
        doneCount += 1;
        if (doneCount % 8 === 0) await run.progress({ done: doneCount, total });
      }
    }
  }

  const folder = await files.putFolder(
    { name: `${uid} scan`, mediaType: 'application/octet-stream', audience: scanAudience(station.location) },
    tileEntries(),
  );
  const cursor: Cursor = {
    folder: folder.id,
    ranges: { width, height, tileSize },
    pyramid: panorama && levels ? { tileSize: panorama.description.tileSize, levels, mesh: true } : null,
  };
  await removeOnFailure(files, [folder.id], () => run.progress({ done: total, total, cursor }));
  return cursor;
}
