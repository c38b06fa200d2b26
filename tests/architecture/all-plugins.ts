import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Value } from 'typebox/value';
import {
  enabledPlugin,
  type EnabledBridge,
  type EnabledPlugin,
  type ServerBridge,
  type ServerPlugin,
} from '#core/server';
import { loadPlugins } from '../../cli/profile/load-plugins.ts';
import { sortPlugins } from '../../cli/profile/plugin-order.ts';
import { resolveProfile } from '../../cli/profile/resolve-profile.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const importDefault = async <T>(...names: readonly string[]): Promise<T> =>
  ((await import(pathToFileURL(path.join(...names)).href)) as { readonly default: T }).default;

/**
 * Loads the server halves of all plugins with the settings of the profiles, and all bridges.
 *
 * @param settingsOverrides settings by plugin id, which override those of the profiles
 */
export async function loadAllPlugins(settingsOverrides: Readonly<Record<string, object>> = {}): Promise<{
  readonly plugins: readonly EnabledPlugin[];
  readonly bridges: readonly EnabledBridge[];
}> {
  const installedPlugins = await loadPlugins(root);
  const ids = sortPlugins([...installedPlugins.keys()], (id) => installedPlugins.get(id)!.manifest, 'all plugins');
  const profiles = (await readdir(path.join(root, 'profiles'))).filter((name) => /^[^.]+\.json$/.test(name));
  const settings = Object.assign(
    {},
    ...(await Promise.all(
      profiles.map(
        async (name) => (await resolveProfile(root, path.basename(name, '.json'), installedPlugins)).settings,
      ),
    )),
  ) as Record<string, object>;
  const serverPlugins = ids.flatMap((id) => (installedPlugins.get(id)?.server ? [installedPlugins.get(id)!] : []));
  const plugins = await Promise.all(
    serverPlugins.map(async ({ manifest, folder }) =>
      enabledPlugin(
        manifest,
        { ...(settings[manifest.id] ?? Object(Value.Create(manifest.settings))), ...settingsOverrides[manifest.id] },
        await importDefault<ServerPlugin<typeof manifest>>(folder, 'server', 'index.ts'),
      ),
    ),
  );
  const bridges = await Promise.all(
    serverPlugins.flatMap(({ manifest, folder, serverBridges }) =>
      serverBridges.map(async (partner) => ({
        owner: manifest.id,
        partner,
        bridge: await importDefault<ServerBridge>(folder, 'server', 'bridges', `${partner}.ts`),
      })),
    ),
  );
  return { plugins, bridges };
}
