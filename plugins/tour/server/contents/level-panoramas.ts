import type { Transaction } from 'kysely';
import type { ServerContext } from '#core/server';
import { tilePanoramaJob, type TilePanoramaPayload } from '../jobs/tile-panorama.ts';
import type { TourTables } from '../tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** Starts jobs that level the pictures of nodes whose pitch or roll was changed, including changes by an undo. */
export async function levelPanoramas(
  { jobs }: Pick<ServerContext<TourTables>, 'jobs'>,
  transaction: Transaction<TourTables>,
  nodes: readonly Row[],
  former: readonly Row[],
): Promise<void> {
  const formerByUid = new Map(former.map((row) => [row['uid'], row]));
  for (const row of nodes) {
    const old = formerByUid.get(row['uid']);
    const { uid, pitch, roll, panorama_file: file } = row;
    if (!old || typeof uid !== 'string' || typeof file !== 'string' || file !== old['panorama_file']) continue;
    if (typeof pitch !== 'number' || typeof roll !== 'number') continue;
    if (pitch !== old['pitch'] || roll !== old['roll'])
      await jobs.start<TilePanoramaPayload>(
        tilePanoramaJob,
        { node: uid, levelled: { pitch, roll } },
        null,
        transaction,
      );
  }
}
