import type { ServerContext } from '#core/server';
import type { TourTables } from '../tables.ts';

/** A range image in the store, and where its centre looks, degrees. */
export interface NodeRanges {
  readonly file: string;
  readonly heading: number;
}

export const rangesIn = ({
  range_file: file,
  heading,
}: {
  readonly range_file: string | null;
  readonly heading: number;
}): NodeRanges | undefined => (file === null ? undefined : { file, heading });

/** Of each node the latest of its earlier panoramas that has a range image: what stands in a plant mostly stays. */
export async function earlierRanges(
  context: Pick<ServerContext<TourTables>, 'tables'>,
  nodes: readonly string[],
): Promise<ReadonlyMap<string, NodeRanges>> {
  if (nodes.length === 0) return new Map();
  const rows = await context.tables
    .selectFrom('capture')
    .select(['node', 'range_file', 'heading'])
    .where('node', 'in', nodes)
    .where('range_file', 'is not', null)
    .orderBy('captured_at')
    .execute();
  return new Map(
    rows.flatMap((row) =>
      row.range_file === null ? [] : [[row.node, { file: row.range_file, heading: row.heading }] as const],
    ),
  );
}
