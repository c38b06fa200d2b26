import { sql, type QueryExecutorProvider } from 'kysely';
import type { StoredLocation, StoredTree } from './location-tree.ts';

/**
 * Finds a position before the sibling at `index`, or after all siblings if there is none. Undefined if no number is
 * left between it and the previous sibling.
 */
export function findPosition(siblings: readonly StoredLocation[], index: number): number | undefined {
  const previous = siblings[index - 1]?.position;
  const nextPosition = siblings[index]?.position;
  if (nextPosition === undefined) return (previous ?? 0) + 1;
  if (previous === undefined) return nextPosition - 1;
  const middle = (previous + nextPosition) / 2;
  return previous < middle && middle < nextPosition ? middle : undefined;
}

/**
 * Renumbers siblings, so that there are free positions between them. Returns the position before the sibling at
 * `index`.
 */
export async function spreadSiblings(
  transaction: QueryExecutorProvider,
  tree: StoredTree,
  siblings: readonly StoredLocation[],
  index: number,
): Promise<number> {
  await sql`
    update core.location set position = ${tree.lastPosition} + sibling.number
    from unnest(${siblings.map(({ uid }) => uid)}::text[]) with ordinality as sibling (uid, number)
    where location.uid = sibling.uid`.execute(transaction);
  return tree.lastPosition + index + 0.5;
}
