import { buffer } from 'node:stream/consumers';
import { pickLocalizedError } from '#core';
import { removeOnFailure, ServerError, type JobOutcome, type JobRun, type ServerContext } from '#core/server';
import { createTiles, type TiledFolder } from './tile-panorama.ts';
import { createCaptureDayConverter } from '../queries/capture-day.ts';
import { findReusableRanges, publishPanorama } from './publish-panorama.ts';
import { createThumbnail } from './thumbnail.ts';
import type { TourTables } from '../tables.ts';

export const importPanoramaJob = 'tour.import-panorama';
export interface ImportPanoramaPayload {
  /** uid of a row of `incoming`. */
  readonly incoming: string;
}

interface Cursor extends TiledFolder {
  readonly thumbnail?: string;
}

/**
 * Creates the tiles of an imported panorama and then publishes the panorama. Until then, the tour shows the former one.
 */
export async function runImportPanorama(
  context: Pick<ServerContext<TourTables>, 'tables' | 'sites' | 'files' | 'jobs'>,
  run: JobRun<ImportPanoramaPayload>,
): Promise<JobOutcome> {
  const { files } = context;
  const { tables } = context;
  const { incoming: uid } = run.payload;
  const row = await tables
    .selectFrom('incoming')
    .innerJoin('node', 'node.uid', 'incoming.node')
    .select([
      'node.code',
      'incoming.node',
      'incoming.captured_at',
      'incoming.heading',
      'incoming.pitch',
      'incoming.roll',
      'incoming.panorama_file',
      'node.location',
      'node.view_pan',
      'node.view_tilt',
    ])
    .where('incoming.uid', '=', uid)
    .executeTakeFirst();
  const recordedCursor = run.cursor as Cursor | undefined;
  if (!row) return discardResults(context, recordedCursor);
  let cursor = recordedCursor;
  try {
    const ranges = await findReusableRanges(tables, row, await createCaptureDayConverter(context, row.location));
    cursor ??= await createTiles(files, row.code, { ...row, ...ranges }, run);
    let { thumbnail } = cursor;
    if (thumbnail === undefined) {
      const image = await createThumbnail(await buffer(await files.read(row.panorama_file)), row, {
        pan: row.view_pan,
        tilt: row.view_tilt,
      });
      const { id } = await files.put(
        { name: `${row.code}.jpg`, mediaType: 'image/jpeg', audience: { kind: 'location', location: row.location } },
        image,
      );
      const nextCursor = { ...cursor, thumbnail: id };
      await removeOnFailure(files, [id], () => run.progress({ done: 1, total: 1, cursor: nextCursor }));
      cursor = nextCursor;
      thumbnail = id;
    }
    // Read before the transaction, which must only use its own connection.
    const toCaptureDay = await createCaptureDayConverter(context, row.location);
    const published = await publishPanorama(context, uid, { ...cursor, thumbnail }, toCaptureDay);
    return published ? { result: 'SUCCESS' } : discardResults(context, cursor);
  } catch (error) {
    if (!(error instanceof ServerError) || error.status >= 500) throw error;
    const { numUpdatedRows } = await tables
      .updateTable('incoming')
      .set({
        message: error.message,
        refusal: typeof error.userMessage === 'string' ? null : JSON.stringify(pickLocalizedError(error.userMessage)),
      })
      .where('uid', '=', uid)
      .executeTakeFirst();
    const outcome = await discardResults(context, cursor);
    // A concurrent deletion of the panorama removes its file during the read.
    return numUpdatedRows === 0n ? outcome : { result: 'FAILED', message: error.userMessage };
  }
}

/**
 * Deletes the results of an import that is not pending any more. Keeps them if the panorama is published: an attempt
 * may have been killed after it published the panorama and before the job's end was recorded.
 */
async function discardResults(
  context: Pick<ServerContext<TourTables>, 'tables' | 'files'>,
  cursor: Cursor | undefined,
): Promise<JobOutcome> {
  const outcome: JobOutcome = {
    result: 'WARNING',
    message: 'Another panorama of that day was imported in the meantime, or this panorama was removed.',
  };
  if (!cursor) return outcome;
  const { tables } = context;
  const [node, capture] = await Promise.all([
    tables.selectFrom('node').select('uid').where('pyramid_file', '=', cursor.folder).executeTakeFirst(),
    tables.selectFrom('capture').select('uid').where('pyramid_file', '=', cursor.folder).executeTakeFirst(),
  ]);
  if (node || capture) return { result: 'SUCCESS' };
  for (const file of [cursor.folder, cursor.thumbnail]) if (file !== undefined) await context.files.remove(file);
  return outcome;
}
