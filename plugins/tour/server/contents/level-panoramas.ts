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
  formerRows: readonly Row[],
): Promise<void> {
  const formerByUid = new Map(formerRows.map((row) => [row['uid'], row]));
  for (const row of nodes) {
    const formerRow = formerByUid.get(row['uid']);
    const { uid, pitch, roll, panorama_file: file } = row;
    if (!formerRow || typeof uid !== 'string' || typeof file !== 'string' || file !== formerRow['panorama_file'])
      continue;
    if (typeof pitch !== 'number' || typeof roll !== 'number') continue;
    if (pitch !== formerRow['pitch'] || roll !== formerRow['roll'])
      await jobs.start<TilePanoramaPayload>(
        tilePanoramaJob,
        { node: uid, levelled: { pitch, roll } },
        null,
        transaction,
      );
  }
}
