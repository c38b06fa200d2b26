import type { Kysely, Selectable } from 'kysely';
import { notFound } from '#core/server';
import type { TourTables } from '../tables.ts';

/**
 * Locks the panoramas of a node until the transaction ends. Call it before any of them is written, to avoid deadlocks.
 *
 * @throws 404
 */
export async function lockNode(transaction: Kysely<TourTables>, uid: string): Promise<Selectable<TourTables['node']>> {
  const node = await transaction.selectFrom('node').selectAll().where('uid', '=', uid).forUpdate().executeTakeFirst();
  if (!node) throw notFound('This node');
  return node;
}
