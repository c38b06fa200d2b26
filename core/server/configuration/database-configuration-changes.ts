import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { ConfigurationKey } from '#core/api';
import type { ChangeAuthor, ContentChanges } from '../changes/content-changes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ConfigurationChanges, ConfigurationValue, StoredSetting } from './configuration-store.ts';
import { assertSetting, type SettingTables } from './database-configuration-store.ts';

interface Options {
  readonly tables: Kysely<SettingTables>;
  readonly changes: ContentChanges<SettingTables>;
  readonly clock: Clock;
}

/**
 * Writes settings through the change journal. Settings affect everybody, so undoing requires access to all locations.
 */
export class DatabaseConfigurationChanges implements ConfigurationChanges {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    options.changes.register({
      tables: { setting: { key: ['key'], version: 'row_version' } },
      listLocationsRequiredForUndo: async () => [null],
    });
  }

  find<K extends ConfigurationKey>(key: K): Promise<StoredSetting<K> | undefined> {
    return findSetting(this.#options.tables, key);
  }

  async save<K extends ConfigurationKey>(
    author: ChangeAuthor,
    {
      key,
      value,
      version,
      name,
    }: { readonly key: K; readonly value: ConfigurationValue<K>; readonly version: number; readonly name: string },
    onConflict: (current: StoredSetting<K> | undefined) => Error,
  ): Promise<{ readonly change: string | null }> {
    assertSetting(key, value);
    const { changes, clock } = this.#options;
    return changes.apply(
      author,
      { action: 'configuration.settingSaved', subject: key, name, location: '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('setting', 'key', [key]);
        const currentSetting = await findSetting(tables, key);
        if ((currentSetting?.version ?? 0) !== version) throw onConflict(currentSetting);
        if (isDeepStrictEqual(currentSetting?.value, value)) return;
        const row = { value: JSON.stringify(value), updated_by: author.caller.uid, updated_at: new Date(clock.now()) };
        await tables
          .insertInto('setting')
          .values({ key, ...row })
          .onConflict((builder) => builder.column('key').doUpdateSet(row))
          .execute();
      },
    );
  }
}

async function findSetting<K extends ConfigurationKey>(
  tables: Pick<Kysely<SettingTables>, 'selectFrom'>,
  key: K,
): Promise<StoredSetting<K> | undefined> {
  const row = await tables.selectFrom('setting').selectAll().where('key', '=', key).executeTakeFirst();
  return (
    row && {
      value: row.value as ConfigurationValue<K>,
      version: row.row_version,
      updatedBy: row.updated_by,
      updatedAt: row.updated_at,
    }
  );
}
