import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { shortestTurn } from '#core';
import type { ServerContext } from '#core/server';
import { tilePanoramaJob, type TiledFolder, type TilePanoramaPayload } from './tile-panorama.ts';
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
export const isSameHeading = (heading: number, other: number): boolean =>
  Math.abs(shortestTurn(heading, other)) < maxHeadingDifference;

/**
 * Finds the panorama of the same day, which the imported one will replace. Returns the id of its range image if both
 * have the same heading, because the image then fits the imported panorama too. Otherwise returns null.
 */
export async function findReusableRanges(
  tables: Kysely<TourTables>,
  { node, captured_at, heading }: ImportedPanorama,
  toCaptureDay: ToCaptureDay,
): Promise<string | null> {
  const current = await tables
    .selectFrom('node')
    .select(['captured_at', 'heading', 'range_file'])
    .where('uid', '=', node)
    .where('panorama_file', 'is not', null)
    .$narrowType<{ captured_at: Date }>()
    .execute();
  const earlier = await tables
    .selectFrom('capture')
    .select(['captured_at', 'heading', 'range_file'])
    .where('node', '=', node)
    .execute();
  const replaced = [...current, ...earlier].find(
    (each) => toCaptureDay(each.captured_at) === toCaptureDay(captured_at),
  );
  return replaced && isSameHeading(replaced.heading, heading) ? replaced.range_file : null;
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
    const pending = await transaction.selectFrom('incoming').select('node').where('uid', '=', uid).executeTakeFirst();
    if (!pending) return undefined;
    const node = await lockNode(transaction, pending.node);
    await touchTours(transaction, 'uid', node.tour);
    const incoming = await transaction.deleteFrom('incoming').where('uid', '=', uid).returningAll().executeTakeFirst();
    if (!incoming) return undefined;
    const range_file = await findReusableRanges(transaction, incoming, toCaptureDay);
    const { captured_at, heading, panorama_file } = incoming;
    const picture = {
      captured_at,
      heading,
      panorama_file,
      range_file,
      pyramid_file: tiles.folder,
      pyramid: JSON.stringify(tiles.pyramid),
    };
    const day = toCaptureDay(captured_at);
    const current = toPanorama(node);
    const currentDay = current && toCaptureDay(current.captured_at);
    if (currentDay !== undefined && day < currentDay) {
      const earlier = await transaction.selectFrom('capture').selectAll().where('node', '=', node.uid).execute();
      const sameDay = earlier.find((each) => toCaptureDay(each.captured_at) === day);
      if (sameDay) await transaction.updateTable('capture').set(picture).where('uid', '=', sameDay.uid).execute();
      else
        await transaction
          .insertInto('capture')
          .values({ uid: randomUUID(), node: node.uid, ...picture })
          .execute();
      return { unusedFiles: [tiles.thumbnail, ...(sameDay ? listFiles(sameDay, range_file) : [])] };
    }
    await transaction
      .updateTable('node')
      .set({ ...picture, thumbnail_file: tiles.thumbnail })
      .where('uid', '=', node.uid)
      .execute();
    const formerThumbnail = node.thumbnail_file === null ? [] : [node.thumbnail_file];
    if (!current) return { unusedFiles: formerThumbnail };
    if (day === currentDay) return { unusedFiles: [...formerThumbnail, ...listFiles(current, range_file)] };
    const earlierUid = randomUUID();
    await transaction
      .insertInto('capture')
      .values({
        uid: earlierUid,
        node: node.uid,
        ...current,
        pyramid: current.pyramid && JSON.stringify(current.pyramid),
      })
      .execute();
    if (current.pyramid_file === null)
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

/** The current panorama of a node, if it has one. */
function toPanorama({
  captured_at,
  heading,
  panorama_file,
  range_file,
  pyramid_file,
  pyramid,
}: Selectable<TourTables['node']>) {
  if (captured_at === null || panorama_file === null) return undefined;
  return { captured_at, heading, panorama_file, range_file, pyramid_file, pyramid };
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
