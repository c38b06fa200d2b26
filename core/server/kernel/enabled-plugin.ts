import type { DemoPlant, PluginManifest, SettingsOf } from '#core';
import type { Migration } from '../database/migration.ts';
import type { Api, ServerBridge, ServerContext, ServerPlugin } from './server-plugin.ts';

export type CreateContext = <Tables, Settings>(settings: Settings) => ServerContext<Tables, Settings>;

/** An enabled plugin of a profile with its settings, as the generated entry lists it. Created by `enabledPlugin`. */
export interface EnabledPlugin {
  readonly id: string;
  readonly access: readonly string[];
  readonly migrations: readonly Migration[];
  readonly mount: (api: Api, createContext: CreateContext) => void;
  readonly seed: (createContext: CreateContext, plant: DemoPlant) => Promise<void>;
  readonly bridge: (bridge: ServerBridge, api: Api, createContext: CreateContext) => void;
}

export interface EnabledBridge {
  /** The plugin whose folder contains the bridge. */
  readonly owner: string;
  readonly partner: string;
  readonly bridge: ServerBridge;
}

/** The build has validated the profile's `settings` and added defaults. They are frozen for the plugin. */
export function enabledPlugin<M extends PluginManifest, Tables>(
  manifest: M,
  settings: SettingsOf<M>,
  plugin: ServerPlugin<M, Tables> = {},
): EnabledPlugin {
  const frozenSettings = deepFreeze(settings);
  return {
    id: manifest.id,
    access: manifest.access,
    migrations: plugin.migrations ?? [],
    mount: (api, createContext) => plugin.api?.(api, createContext(frozenSettings)),
    seed: async (createContext, plant) => {
      const rows = await plugin.demo?.();
      await rows?.default(createContext(frozenSettings), plant);
    },
    bridge: (bridge, api, createContext) => bridge(api, createContext(frozenSettings)),
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
