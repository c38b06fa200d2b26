import { getConfiguration } from '#core/api';
import { seedDemoConfiguration } from './seed-demo-configuration.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { configurationMigrations, ConfigurationStore } from './configuration-store.ts';
import { DatabaseConfigurationStore } from './database-configuration-store.ts';

/** Provides `ConfigurationStore`, the settings that admins change at run time. */
export const configurationPart: CorePart = {
  id: 'configuration',
  migrations: configurationMigrations,
  mount(api, context) {
    const store = new DatabaseConfigurationStore(context.database);
    context.provide(ConfigurationStore, store);
    api.serve(getConfiguration, () => store.listVisible());
  },
  demo: seedDemoConfiguration,
};
