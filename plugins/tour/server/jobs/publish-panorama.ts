import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { computeShortestTurn } from '#core';
import type { CameraTilt, ServerContext } from '#core/server';
import { tilePanoramaJob, type TiledFolder, type TilePanoramaPayload } from './tile-panorama.ts';
import type { Pyramid } from './pyramid.ts';
import { touchTours } from '../queries/touch-tours.ts';
import type { TourTables } from '../tables.ts';
import type { ToCaptureDay } from '../queries/capture-day.ts';
import { lockNode } from '../queries/lock-node.ts';

interface ImportedPanorama {
  readonly node: string;
  readonly captured_at: Date;
  /** Degrees. */
  readonly heading: number;
}

/** Maximum rotation between two pictures that share a range image, degrees. */
const maxHeadingDifference = 0.01;
const isSameAngle = (angle: number, otherAngle: number): boolean =>
  Math.abs(computeShortestTurn(angle, otherAngle)) < maxHeadingDifference;
type PictureRotation = CameraTilt & { readonly heading: number };
export const isSameRotation = (a: PictureRotation, b: PictureRotation): boolean =>
  isSameAngle(a.heading, b.heading) && isSameAngle(a.pitch, b.pitch) && isSameAngle(a.roll, b.roll);
type Ranges = Pick<Selectable<TourTables['node']>, 'range_file' | 'range_source' | 'range_pose'>;
const noRanges: Ranges = { range_file: null, range_source: null, range_pose: null };

/**
 * Finds the panorama of the same day, which the imported one will replace. Returns the range image of that panorama if
 * both have the same heading, because range images are level. Otherwise null.
 */
export async function findReusableRanges(
  tables: Kysely<TourTables>,
  { node, captured_at, heading }: ImportedPanorama,
  toCaptureDay: ToCaptureDay,
): Promise<Ranges> {
  const currentPanoramas = await tables
    .selectFrom('node')
    .select(['captured_at', 'heading', 'range_file', 'range_source', 'range_pose'])
    .where('uid', '=', node)
    .where('panorama_file', 'is not', null)
    .$narrowType<{ captured_at: Date }>()
    .execute();
  const earlierCaptures = await tables
    .selectFrom('capture')
    .select(['captured_at', 'heading', 'range_file', 'range_source', 'range_pose'])
    .where('node', '=', node)
    .execute();
  const replacedPanorama = [...currentPanoramas, ...earlierCaptures].find(
    (panorama) => toCaptureDay(panorama.captured_at) === toCaptureDay(captured_at),
  );
  if (!replacedPanorama || !isSameAngle(replacedPanorama.heading, heading)) return noRanges;
  const { range_file, range_source, range_pose } = replacedPanorama;
  return { range_file, range_source, range_pose };
}

/**
 * Publishes an imported panorama with its tiles, in one transaction. It replaces the panorama of the same day. If it is
 * newer than the node's current panorama, it becomes the current one, and the former one is kept as a capture together
 * with its range image. If it is older, it is stored as a capture. Unreferenced files are deleted afterwards. Returns
 * false if the panorama is not pending any more.
 */
export async function publishPanorama(
  context: Pick<ServerContext<TourTables>, 'tables' | 'files' | 'jobs'>,
  uid: string,
  tiles: TiledFolder & { readonly thumbnail: string },
  toCaptureDay: ToCaptureDay,
): Promise<boolean> {
  const result = await context.tables.transaction().execute(async (transaction) => {
    const pendingPanorama = await transaction
      .selectFrom('incoming')
      .select('node')
      .where('uid', '=', uid)
      .executeTakeFirst();
    if (!pendingPanorama) return undefined;
    const node = await lockNode(transaction, pendingPanorama.node);
    await touchTours(transaction, 'uid', node.tour);
    const incomingPanorama = await transaction
      .deleteFrom('incoming')
      .where('uid', '=', uid)
      .returningAll()
      .executeTakeFirst();
    if (!incomingPanorama) return undefined;
    const reusableRanges = await findReusableRanges(transaction, incomingPanorama, toCaptureDay);
    // The node may have been moved while its tiles were created.
    const ranges = reusableRanges.range_file === tiles.ranges ? reusableRanges : noRanges;
    const { range_file } = ranges;
    const { captured_at, heading, pitch, roll, panorama_file } = incomingPanorama;
    const picture = {
      captured_at,
      heading,
      pitch,
      roll,
      panorama_file,
      ...ranges,
      pyramid_file: tiles.folder,
      pyramid: JSON.stringify(range_file === null ? withoutRanges(tiles.pyramid) : tiles.pyramid),
    };
    const day = toCaptureDay(captured_at);
    const currentPanorama = toPanorama(node);
    const currentDay = currentPanorama && toCaptureDay(currentPanorama.captured_at);
    if (currentDay !== undefined && day < currentDay) {
      const earlierCaptures = await transaction
        .selectFrom('capture')
        .selectAll()
        .where('node', '=', node.uid)
        .execute();
      const sameDayCapture = earlierCaptures.find((capture) => toCaptureDay(capture.captured_at) === day);
      if (sameDayCapture)
        await transaction.updateTable('capture').set(picture).where('uid', '=', sameDayCapture.uid).execute();
      else
        await transaction
          .insertInto('capture')
          .values({ uid: randomUUID(), node: node.uid, ...picture })
          .execute();
      return { unusedFiles: [tiles.thumbnail, ...(sameDayCapture ? listFiles(sameDayCapture, range_file) : [])] };
    }
    await transaction
      .updateTable('node')
      .set({ ...picture, thumbnail_file: tiles.thumbnail })
      .where('uid', '=', node.uid)
      .execute();
    const formerThumbnail = node.thumbnail_file === null ? [] : [node.thumbnail_file];
    if (!currentPanorama) return { unusedFiles: formerThumbnail };
    if (day === currentDay) return { unusedFiles: [...formerThumbnail, ...listFiles(currentPanorama, range_file)] };
    const earlierUid = randomUUID();
    await transaction
      .insertInto('capture')
      .values({
        uid: earlierUid,
        node: node.uid,
        ...currentPanorama,
        pyramid: currentPanorama.pyramid && JSON.stringify(currentPanorama.pyramid),
      })
      .execute();
    if (currentPanorama.pyramid_file === null)
      await context.jobs.start<TilePanoramaPayload>(
        tilePanoramaJob,
        { node: node.uid, capture: earlierUid },
        null,
        transaction,
      );
    return { unusedFiles: formerThumbnail };
  });
  if (!result) return false;
  for (const file of result.unusedFiles) await context.files.remove(file);
  return true;
}

/** Removes the ranges from the description of a pyramid, so that viewers do not read them. */
export const withoutRanges = ({ tileSize, levels }: Pyramid): Pyramid => ({ tileSize, levels, mesh: false });

/** Returns the current panorama of a node, if any. */
function toPanorama({
  captured_at,
  heading,
  pitch,
  roll,
  panorama_file,
  range_file,
  range_source,
  range_pose,
  pyramid_file,
  pyramid,
}: Selectable<TourTables['node']>) {
  if (captured_at === null || panorama_file === null) return undefined;
  return {
    captured_at,
    heading,
    pitch,
    roll,
    panorama_file,
    range_file,
    range_source,
    range_pose,
    pyramid_file,
    pyramid,
  };
}

/** Lists the files of a panorama, except the range image that another panorama still uses. */
export function listFiles(
  {
    panorama_file,
    range_file,
    pyramid_file,
  }: { readonly panorama_file: string; readonly range_file: string | null; readonly pyramid_file: string | null },
  usedRange: string | null = null,
): readonly string[] {
  return [panorama_file, ...(range_file === usedRange ? [] : [range_file]), pyramid_file].filter(
    (file) => file !== null,
  );
}
