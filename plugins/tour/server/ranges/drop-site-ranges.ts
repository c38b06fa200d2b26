import { sql } from 'kysely';
import type { JobOutcome, JobRun, ServerContext } from '#core/server';
import { withoutRanges } from '../queries/drop-ranges.ts';
import type { TourTables } from '../tables.ts';

export const dropRangesJob = 'tour.drop-ranges';
export interface DropRangesPayload {
  readonly location: string;
}

/**
 * Removes the computed range images of nodes at a location, above it and below it, because surfaces there have changed.
 * Panoramas are then measured by the surfaces as they are, until their ranges are computed again. May run again.
 */
export async function runDropRanges(
  { tables, locations }: Pick<ServerContext<TourTables>, 'tables' | 'locations'>,
  { payload }: Pick<JobRun<DropRangesPayload>, 'payload'>,
): Promise<JobOutcome> {
  const places = await locations.related(payload.location);
  await tables.transaction().execute(async (transaction) => {
    // Imports lock a node before its tour, too.
    const { rows: nodes } = await sql<{ tour: string }>`
      update tour.node set ${withoutRanges('node')}
      where location = any(${[...places]}::text[]) and range_source is not null
      returning tour`.execute(transaction);
    const { rows: captures } = await sql<{ tour: string }>`
      update tour.capture set ${withoutRanges('capture')} from tour.node
      where node.uid = capture.node and node.location = any(${[...places]}::text[]) and capture.range_source is not null
      returning node.tour`.execute(transaction);
    const tours = [...new Set([...nodes, ...captures].map(({ tour }) => tour))];
    if (tours.length > 0)
      await sql`update tour.tour set version = version + 1 where uid = any(${tours}::text[])`.execute(transaction);
  });
  return { result: 'SUCCESS' };
}
