import { sql, type Kysely } from 'kysely';
import type { FeedbackTables } from '../tables.ts';

/** Counts the answered forms with a master as type of work or activity. */
export async function countFormsWithMaster(tables: Kysely<FeedbackTables>, master: string): Promise<number> {
  const { count } = await tables
    .selectFrom('form')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where((where) => where.or([where('type_of_work', '=', master), where('activity', '=', master)]))
    .executeTakeFirstOrThrow();
  return count;
}
