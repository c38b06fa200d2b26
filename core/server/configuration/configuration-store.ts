import { token } from '#core';
import type { Configuration, ConfigurationKey } from '#core/api';
import type { ChangeAuthor } from '../changes/content-changes.ts';
import type { Migration } from '../database/migration.ts';

export type ConfigurationValue<K extends ConfigurationKey> = K extends keyof Configuration
  ? NonNullable<Configuration[K]>
  : unknown;

/**
 * Settings that admins change at run time. Every part of the server may read them. Only the plugin with the settings
 * screen writes them.
 */
export interface ConfigurationStore {
  read<K extends ConfigurationKey>(key: K): Promise<ConfigurationValue<K> | undefined>;
  /**
   * `author` is the uid of the admin, or null for the system itself.
   *
   * @throws `invalidRequest` if the value does not match the key's schema
   */
  write<K extends ConfigurationKey>(key: K, value: ConfigurationValue<K>, author: string | null): Promise<void>;
  remove(key: ConfigurationKey): Promise<void>;
  /** The settings that signed-in people may see. They do not include `oauthConfig`. */
  listVisible(): Promise<Configuration>;
}
/** A setting with its version, and the person who last changed it. */
export interface StoredSetting<K extends ConfigurationKey = ConfigurationKey> {
  readonly value: ConfigurationValue<K>;
  readonly version: number;
  /** Uid of the admin. Null for the system itself. */
  readonly updatedBy: string | null;
  readonly updatedAt: Date;
}

/** Changes of settings by admins, with audit entry and undo. */
export const ConfigurationChanges = token<ConfigurationChanges>('core.ConfigurationChanges');
export interface ConfigurationChanges {
  find<K extends ConfigurationKey>(key: K): Promise<StoredSetting<K> | undefined>;
  /**
   * Writes a value that is based on `version`, which is 0 for a setting without a value. `name` is the name of the
   * setting in the audit log.
   *
   * @throws `onConflict` if another request has changed the value; `invalidRequest` (400) if it does not match the
   *   key's schema
   */
  save<K extends ConfigurationKey>(
    author: ChangeAuthor,
    setting: {
      readonly key: K;
      readonly value: ConfigurationValue<K>;
      readonly version: number;
      readonly name: string;
    },
    onConflict: (current: StoredSetting<K> | undefined) => Error,
  ): Promise<{ readonly change: string | null }>;
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
  {
    id: 'configuration-0002-count-changes',
    up: `alter table setting add column row_version integer not null default 1;`,
  },
];
