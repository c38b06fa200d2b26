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
 * Deletes the current panorama (`panorama`: id of its file) and publishes the latest earlier one with its direction and
 * ranges. Throws 409 if there is none, or if another import or deletion was faster.
 */
export async function showEarlier(context: ImportContext, uid: string, panorama: string): Promise<void> {
  const { files, jobs } = context;
  const { tables } = context;
  const latest = (from: typeof tables) =>
    from
      .selectFrom('capture')
      .selectAll()
      .where('node', '=', uid)
      .orderBy('captured_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  const changed = () => conflict(tourRefusal('tour.refused.panoramasChanged'));
  const [earlier, node] = await Promise.all([
    latest(tables),
    tables
      .selectFrom('node')
      .select(['code', 'location', 'view_pan', 'view_tilt'])
      .where('uid', '=', uid)
      .executeTakeFirst(),
  ]);
  if (!earlier || !node) throw changed();
  // Created before the node is locked: it takes a second.
  const small = await createThumbnail(await buffer(await files.read(earlier.panorama_file)), earlier.heading, {
    pan: node.view_pan,
    tilt: node.view_tilt,
  });
  const thumbnail = await files.put(
    { name: `${node.code}.jpg`, mediaType: 'image/jpeg', audience: { kind: 'location', location: node.location } },
    small,
  );
  const free = await removeOnFailure(files, [thumbnail.id], () =>
    tables.transaction().execute(async (transaction) => {
      const shown = await lockNode(transaction, uid);
      await touchTours(transaction, 'uid', shown.tour);
      if (shown.panorama_file !== panorama || (await latest(transaction))?.uid !== earlier.uid) throw changed();
      const { captured_at, heading, panorama_file, range_file, pyramid_file, pyramid } = earlier;
      await transaction.deleteFrom('capture').where('uid', '=', earlier.uid).execute();
      await transaction
        .updateTable('node')
        .set({
          captured_at,
          heading,
          panorama_file,
          range_file,
          pyramid_file,
          pyramid: pyramid && JSON.stringify(pyramid),
          thumbnail_file: thumbnail.id,
        })
        .where('uid', '=', uid)
        .execute();
      if (pyramid_file === null)
        await jobs.start<TilePanoramaPayload>(tilePanoramaJob, { node: uid }, null, transaction);
      return [...listFiles(shown, range_file), ...(shown.thumbnail_file === null ? [] : [shown.thumbnail_file])];
    }),
  );
  for (const file of free) await files.remove(file);
}
