import { sql, type QueryExecutorProvider } from 'kysely';

/** Counts the answered forms with each of these masters as type of work or activity. */
export async function countFormsWithMaster(
  executor: QueryExecutorProvider,
  masters: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ master: string; count: number }>`
    select master, count(*)::integer as count
    from feedback.form cross join lateral (select type_of_work::text union select activity::text) as answer (master)
    where master = any(${[...masters]}::text[]) group by master`.execute(executor);
  return new Map(rows.map(({ master, count }) => [master, count]));
}
