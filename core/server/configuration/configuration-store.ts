import { token } from '#core';
import type { Configuration, ConfigurationKey } from '#core/api';
import type { Migration } from '../database/migration.ts';

export type ConfigurationValue<K extends ConfigurationKey> = K extends keyof Configuration
  ? NonNullable<Configuration[K]>
  : unknown;

/** Settings that admins change at run time. Every part of the server may read them; the plugin with their screen writes. */
export interface ConfigurationStore {
  read<K extends ConfigurationKey>(key: K): Promise<ConfigurationValue<K> | undefined>;
  /**
   * `by` is the uid of the admin, or null for the system itself.
   *
   * @throws `invalidRequest` if the value does not match the key's schema
   */
  write<K extends ConfigurationKey>(key: K, value: ConfigurationValue<K>, by: string | null): Promise<void>;
  remove(key: ConfigurationKey): Promise<void>;
  /** The settings that signed-in people may see. They do not include `oauthConfig`. */
  listVisible(): Promise<Configuration>;
}
export const ConfigurationStore = token<ConfigurationStore>('core.ConfigurationStore');

export const configurationMigrations: readonly Migration[] = [
  {
    id: 'configuration-0001-create-settings',
    up: `
      create table setting (
        key text primary key,
        value jsonb not null,
        updated_by text,
        updated_at timestamptz not null default now()
      );
    `,
  },
];
