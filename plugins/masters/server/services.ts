import { sql, type Kysely, type QueryExecutorProvider } from 'kysely';
import type { Master, Masters, MasterType, MasterTypeCode, MasterUse } from '#plugins/masters';
import type { MastersTables } from './tables.ts';

export class DatabaseMasters implements Masters {
  readonly #tables: Kysely<MastersTables>;
  readonly #uses: MasterUse[];

  constructor(tables: Kysely<MastersTables>) {
    this.#tables = tables;
    this.#uses = [{ message: 'masters.use.children', count: countChildren }];
  }

  listTypes(): Promise<MasterType[]> {
    return this.#tables.selectFrom('master_type').select(['code', 'active']).orderBy('position').execute();
  }

  listActive(type: MasterTypeCode): Promise<Master[]> {
    return this.#tables
      .selectFrom('master')
      .innerJoin('master_type', 'master_type.code', 'master.type')
      .select(['master.uid', 'master.name', 'master.french_name as frenchName'])
      .where('master.type', '=', type)
      .where('master.active', '=', true)
      .where('master_type.active', '=', true)
      .orderBy('master.position')
      .orderBy('master.name')
      .execute();
  }

  registerUse(use: MasterUse): void {
    this.#uses.push(use);
  }

  /** Lists the references to a master, in the order of registration. */
  async listUses(master: string): Promise<{ readonly message: string; readonly count: number }[]> {
    const uses = await Promise.all(
      this.#uses.map(async ({ message, count }) => ({
        message,
        count: (await count(this.#tables, [master])).get(master) ?? 0,
      })),
    );
    return uses.filter(({ count }) => count > 0);
  }

  /**
   * Finds the masters that people or other plugins refer to. Children are left out, because the journal checks its own
   * tables.
   */
  async findUsed(executor: QueryExecutorProvider, masters: readonly string[]): Promise<ReadonlySet<string>> {
    const usedMasters = new Set<string>();
    if (masters.length === 0) return usedMasters;
    for (const { count } of this.#uses) {
      if (count === countChildren) continue;
      for (const [master, number] of await count(executor, masters)) if (number > 0) usedMasters.add(master);
    }
    return usedMasters;
  }
}

async function countChildren(
  executor: QueryExecutorProvider,
  masters: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ parent: string; count: number }>`
    select parent, count(*)::integer as count from masters.master
    where parent = any(${[...masters]}::text[]) group by parent`.execute(executor);
  return new Map(rows.map(({ parent, count }) => [parent, count]));
}
