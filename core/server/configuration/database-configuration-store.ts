import { sql, type ColumnType } from 'kysely';
import { Configuration, configurationKeys, type ConfigurationKey } from '#core/api';
import type { Database } from '../database/database.ts';
import { getCheck, type Check } from '../kernel/body-checks.ts';
import type { ConfigurationStore, ConfigurationValue } from './configuration-store.ts';

export interface SettingTables {
  setting: {
    key: string;
    value: ColumnType<unknown, string, string>;
    updated_by: string | null;
    updated_at: ColumnType<Date, Date | undefined, Date>;
    row_version: ColumnType<number, number | undefined, number>;
  };
}

const visibleKeys = configurationKeys.filter(
  (key): key is ConfigurationKey & keyof Configuration => key in Configuration.properties,
);
const checks = new Map<ConfigurationKey, Check>(
  visibleKeys.map((key) => [key, getCheck(Configuration.properties[key], 'body')]),
);

/** @throws `invalidRequest` (400) if the value does not match the key's schema */
export function assertSetting(key: ConfigurationKey, value: unknown): void {
  const verdict = checks.get(key)?.(value) ?? true;
  if (verdict !== true) throw verdict.error;
}

/** Stores settings in the table `core.setting`, without a cache, because other processes may change them. */
export class DatabaseConfigurationStore implements ConfigurationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get #tables() {
    return this.#database.of<SettingTables>('core');
  }

  async read<K extends ConfigurationKey>(key: K): Promise<ConfigurationValue<K> | undefined> {
    const row = await this.#tables.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value as ConfigurationValue<K> | undefined;
  }

  async write<K extends ConfigurationKey>(key: K, value: ConfigurationValue<K>, author: string | null): Promise<void> {
    assertSetting(key, value);
    const text = JSON.stringify(value);
    await this.#tables
      .insertInto('setting')
      .values({ key, value: text, updated_by: author })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          value: text,
          updated_by: author,
          updated_at: sql<Date>`now()`,
          row_version: sql<number>`setting.row_version + 1`,
        }),
      )
      .execute();
  }

  async remove(key: ConfigurationKey): Promise<void> {
    await this.#tables.deleteFrom('setting').where('key', '=', key).execute();
  }

  async listVisible(): Promise<Configuration> {
    const rows = await this.#tables
      .selectFrom('setting')
      .select(['key', 'value'])
      .where('key', 'in', visibleKeys)
      .execute();
    return Object.fromEntries(rows.map(({ key, value }) => [key, value])) as Configuration;
  }
}
