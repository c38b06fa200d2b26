import type { Kysely } from 'kysely';
import type { Master, Masters, MasterType, MasterTypeCode } from '#plugins/masters';
import type { MastersTables } from './tables.ts';

export class DatabaseMasters implements Masters {
  readonly #tables: Kysely<MastersTables>;

  constructor(tables: Kysely<MastersTables>) {
    this.#tables = tables;
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
}
