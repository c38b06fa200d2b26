import { sql } from 'kysely';
import type { JobOutcome, JobRun, ServerContext } from '#core/server';
import { withoutRanges } from '../queries/drop-ranges.ts';
import type { TourTables } from '../tables.ts';

export const dropRangesJob = 'tour.drop-ranges';
export interface DropRangesPayload {
  readonly location: string;
}

/**
 * Removes the computed range images of nodes at a location, its ancestors and its descendants, because surfaces have
 * changed. Until ranges are computed again, measurements use the surfaces themselves. May run again.
 */
export async function runDropRanges(
  { tables, locations }: Pick<ServerContext<TourTables>, 'tables' | 'locations'>,
  { payload }: Pick<JobRun<DropRangesPayload>, 'payload'>,
): Promise<JobOutcome> {
  const locationUids = await locations.related(payload.location);
  await tables.transaction().execute(async (transaction) => {
    // Same order as in imports: nodes are locked before their tour.
    const { rows: nodes } = await sql<{ tour: string }>`
      update tour.node set ${withoutRanges('node')}
      where location = any(${[...locationUids]}::text[]) and range_source is not null
      returning tour`.execute(transaction);
    const { rows: captures } = await sql<{ tour: string }>`
      update tour.capture set ${withoutRanges('capture')} from tour.node
      where node.uid = capture.node and node.location = any(${[...locationUids]}::text[]) and capture.range_source is not null
      returning node.tour`.execute(transaction);
    const tours = [...new Set([...nodes, ...captures].map(({ tour }) => tour))];
    if (tours.length > 0)
      await sql`update tour.tour set version = version + 1 where uid = any(${tours}::text[])`.execute(transaction);
  });
  return { result: 'SUCCESS' };
}
