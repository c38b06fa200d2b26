import { sql, type Kysely } from 'kysely';
import type { Master, Masters, MasterType, MasterTypeCode, MasterUse } from '#plugins/masters';
import type { MastersTables } from './tables.ts';

export class DatabaseMasters implements Masters {
  readonly #tables: Kysely<MastersTables>;
  readonly #uses: MasterUse[];

  constructor(tables: Kysely<MastersTables>) {
    this.#tables = tables;
    this.#uses = [{ message: 'masters.use.children', count: (master) => this.#countChildren(master) }];
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

  /** What refers to a master, in the order of registration. */
  async listUses(master: string): Promise<{ readonly message: string; readonly count: number }[]> {
    const uses = await Promise.all(
      this.#uses.map(async ({ message, count }) => ({ message, count: await count(master) })),
    );
    return uses.filter(({ count }) => count > 0);
  }

  async #countChildren(master: string): Promise<number> {
    const { count } = await this.#tables
      .selectFrom('master')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('parent', '=', master)
      .executeTakeFirstOrThrow();
    return count;
  }
}
