import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { shortestTurn } from '#core';
import type { ServerContext } from '#core/server';
import { tilePanoramaJob, type TiledFolder, type TilePanoramaPayload } from './tile-panorama.ts';
import { touchTours } from '../queries/touch-tours.ts';
import type { TourTables } from '../tables.ts';
import type { CaptureDays } from '../queries/capture-day.ts';
import { lockNode } from '../queries/lock-node.ts';

interface Imported {
  readonly node: string;
  readonly captured_at: Date;
  /** Degrees. */
  readonly heading: number;
}

/** Maximum rotation between two pictures that share a range image, degrees. */
const sameTurn = 0.01;
export const looksTheSame = (heading: number, other: number): boolean =>
  Math.abs(shortestTurn(heading, other)) < sameTurn;

/**
 * Id of the range image that stays valid for an imported panorama: that of the replaced panorama of the same day, if
 * both have the same direction.
 */
export async function findReusableRanges(
  tables: Kysely<TourTables>,
  { node, captured_at, heading }: Imported,
  toCaptureDay: CaptureDays,
): Promise<string | null> {
  const present = await tables
    .selectFrom('node')
    .select(['captured_at', 'heading', 'range_file'])
    .where('uid', '=', node)
    .execute();
  const earlier = await tables
    .selectFrom('capture')
    .select(['captured_at', 'heading', 'range_file'])
    .where('node', '=', node)
    .execute();
  const replaced = [...present, ...earlier].find(
    (each) => toCaptureDay(each.captured_at) === toCaptureDay(captured_at),
  );
  return replaced && looksTheSame(replaced.heading, heading) ? replaced.range_file : null;
}

/**
 * Publishes an imported panorama with its tiles, in one transaction. It replaces the panorama of the same day. If it is
 * newer than the current one, it becomes current, and the former current one becomes the latest earlier one with its
 * ranges. If it is older, it becomes an earlier one. Unreferenced files are deleted afterwards. False if it is not
 * pending any more.
 */
export async function publishPanorama(
  context: Pick<ServerContext<TourTables>, 'tables' | 'files' | 'jobs'>,
  uid: string,
  made: TiledFolder & { readonly thumbnail: string },
  toCaptureDay: CaptureDays,
): Promise<boolean> {
  const settled = await context.tables.transaction().execute(async (transaction) => {
    const waited = await transaction.selectFrom('incoming').select('node').where('uid', '=', uid).executeTakeFirst();
    if (!waited) return undefined;
    const node = await lockNode(transaction, waited.node);
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
      pyramid_file: made.folder,
      pyramid: JSON.stringify(made.pyramid),
    };
    const day = toCaptureDay(captured_at);
    const shownDay = toCaptureDay(node.captured_at);
    if (day < shownDay) {
      const earlier = await transaction.selectFrom('capture').selectAll().where('node', '=', node.uid).execute();
      const same = earlier.find((each) => toCaptureDay(each.captured_at) === day);
      if (same) await transaction.updateTable('capture').set(picture).where('uid', '=', same.uid).execute();
      else
        await transaction
          .insertInto('capture')
          .values({ uid: randomUUID(), node: node.uid, ...picture })
          .execute();
      return { free: [made.thumbnail, ...(same ? listFiles(same, range_file) : [])] };
    }
    await transaction
      .updateTable('node')
      .set({ ...picture, thumbnail_file: made.thumbnail })
      .where('uid', '=', node.uid)
      .execute();
    const former = node.thumbnail_file === null ? [] : [node.thumbnail_file];
    if (day === shownDay) return { free: [...former, ...listFiles(node, range_file)] };
    const earlierUid = randomUUID();
    await transaction
      .insertInto('capture')
      .values({
        uid: earlierUid,
        node: node.uid,
        captured_at: node.captured_at,
        heading: node.heading,
        panorama_file: node.panorama_file,
        range_file: node.range_file,
        pyramid_file: node.pyramid_file,
        pyramid: node.pyramid && JSON.stringify(node.pyramid),
      })
      .execute();
    if (node.pyramid_file === null)
      await context.jobs.start<TilePanoramaPayload>(
        tilePanoramaJob,
        { node: node.uid, capture: earlierUid },
        null,
        transaction,
      );
    return { free: former };
  });
  if (!settled) return false;
  for (const file of settled.free) await context.files.remove(file);
  return true;
}

/** The files of a panorama, except for ranges that another one uses. */
export function listFiles(
  {
    panorama_file,
    range_file,
    pyramid_file,
  }: { readonly panorama_file: string; readonly range_file: string | null; readonly pyramid_file: string | null },
  keptRange: string | null = null,
): readonly string[] {
  return [panorama_file, ...(range_file === keptRange ? [] : [range_file]), pyramid_file].filter(
    (file) => file !== null,
  );
}
