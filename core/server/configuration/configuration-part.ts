import { getConfiguration } from '#core/api';
import { seedDemoConfiguration } from './seed-demo-configuration.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { ChangeJournal } from '../changes/change-journal.ts';
import { ConfigurationChanges, configurationMigrations, ConfigurationStore } from './configuration-store.ts';
import { DatabaseConfigurationChanges } from './database-configuration-changes.ts';
import { DatabaseConfigurationStore, type SettingTables } from './database-configuration-store.ts';

/** Provides `ConfigurationStore`, the settings that admins change at run time. */
export const configurationPart: CorePart = {
  id: 'configuration',
  migrations: configurationMigrations,
  mount(api, context) {
    const store = new DatabaseConfigurationStore(context.database);
    context.provide(ConfigurationStore, store);
    context.provide(
      ConfigurationChanges,
      new DatabaseConfigurationChanges({
        tables: context.database.of<SettingTables>('core'),
        changes: context.service(ChangeJournal).of<SettingTables>('configuration', 'core'),
        clock: context.clock,
      }),
    );
    api.serve(getConfiguration, () => store.listVisible());
  },
  demo: seedDemoConfiguration,
};
