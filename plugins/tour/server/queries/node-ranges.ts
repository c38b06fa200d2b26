import { matchesAny, type ServerContext } from '#core/server';
import type { TourTables } from '../tables.ts';

/** A stored range image, and the direction of its centre in degrees. */
export interface NodeRanges {
  readonly file: string;
  readonly heading: number;
}

export const toNodeRanges = ({
  range_file: file,
  heading,
}: {
  readonly range_file: string | null;
  readonly heading: number;
}): NodeRanges | undefined => (file === null ? undefined : { file, heading });

/** Finds the latest earlier range image of each node. It is useful because most parts of a plant do not move. */
export async function findEarlierRanges(
  context: Pick<ServerContext<TourTables>, 'tables'>,
  nodes: readonly string[],
): Promise<ReadonlyMap<string, NodeRanges>> {
  if (nodes.length === 0) return new Map();
  const rows = await context.tables
    .selectFrom('capture')
    .select(['node', 'range_file', 'heading'])
    .where(matchesAny('node', nodes))
    .where('range_file', 'is not', null)
    .orderBy('captured_at')
    .execute();
  return new Map(
    rows.flatMap((row) =>
      row.range_file === null ? [] : [[row.node, { file: row.range_file, heading: row.heading }] as const],
    ),
  );
}
