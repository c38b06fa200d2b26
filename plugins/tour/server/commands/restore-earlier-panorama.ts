import { buffer } from 'node:stream/consumers';
import { conflict, removeOnFailure } from '#core/server';
import { tourRefusal } from '../../contract/errors.ts';
import { tilePanoramaJob, type TilePanoramaPayload } from '../jobs/tile-panorama.ts';
import { touchTours } from '../queries/touch-tours.ts';
import { lockNode } from '../queries/lock-node.ts';
import { listFiles } from '../jobs/publish-panorama.ts';
import type { ImportContext } from './receive-panoramas.ts';
import { createThumbnail } from '../jobs/thumbnail.ts';

/**
 * Deletes the current panorama and publishes the latest earlier one with its heading and ranges.
 *
 * @param panorama id of the file of the current panorama
 * @throws 409 if there is no earlier one, or if another import or deletion has changed the panoramas
 */
export async function restoreEarlierPanorama(context: ImportContext, uid: string, panorama: string): Promise<void> {
  const { files, jobs } = context;
  const { tables } = context;
  const findLatest = (database: typeof tables) =>
    database
      .selectFrom('capture')
      .selectAll()
      .where('node', '=', uid)
      .orderBy('captured_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  const createConflict = () => conflict(tourRefusal('tour.refused.panoramasChanged'));
  const [earlier, node] = await Promise.all([
    findLatest(tables),
    tables
      .selectFrom('node')
      .select(['code', 'location', 'view_pan', 'view_tilt'])
      .where('uid', '=', uid)
      .executeTakeFirst(),
  ]);
  if (!earlier || !node) throw createConflict();
  // The thumbnail takes a second, so it is created before the node is locked.
  const image = await createThumbnail(await buffer(await files.read(earlier.panorama_file)), earlier, {
    pan: node.view_pan,
    tilt: node.view_tilt,
  });
  const thumbnail = await files.put(
    { name: `${node.code}.jpg`, mediaType: 'image/jpeg', audience: { kind: 'location', location: node.location } },
    image,
  );
  const unusedFiles = await removeOnFailure(files, [thumbnail.id], () =>
    tables.transaction().execute(async (transaction) => {
      const currentNode = await lockNode(transaction, uid);
      await touchTours(transaction, 'uid', currentNode.tour);
      if (currentNode.panorama_file !== panorama || (await findLatest(transaction))?.uid !== earlier.uid)
        throw createConflict();
      const { uid: _, node: __, pyramid, ...picture } = earlier;
      await transaction.deleteFrom('capture').where('uid', '=', earlier.uid).execute();
      await transaction
        .updateTable('node')
        .set({
          ...picture,
          pyramid: pyramid && JSON.stringify(pyramid),
          thumbnail_file: thumbnail.id,
        })
        .where('uid', '=', uid)
        .execute();
      if (earlier.pyramid_file === null)
        await jobs.start<TilePanoramaPayload>(tilePanoramaJob, { node: uid }, null, transaction);
      return [
        ...listFiles({ ...currentNode, panorama_file: panorama }, earlier.range_file),
        ...(currentNode.thumbnail_file === null ? [] : [currentNode.thumbnail_file]),
      ];
    }),
  );
  for (const file of unusedFiles) await files.remove(file);
}
