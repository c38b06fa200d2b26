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
import { pluginOrder } from '../../cli/profile/plugin-order.ts';
import { resolveProfile } from '../../cli/profile/resolve-profile.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const load = async <T>(...names: readonly string[]): Promise<T> =>
  ((await import(pathToFileURL(path.join(...names)).href)) as { readonly default: T }).default;

/**
 * Server halves of all plugins with the settings of the profiles, and all bridges.
 *
 * @param changes settings by plugin id; they override those of the profiles
 */
export async function loadAllPlugins(changes: Readonly<Record<string, object>> = {}): Promise<{
  readonly plugins: readonly EnabledPlugin[];
  readonly bridges: readonly EnabledBridge[];
}> {
  const known = await loadPlugins(root);
  const ids = pluginOrder([...known.keys()], (id) => known.get(id)!.manifest, 'all plugins');
  const profiles = (await readdir(path.join(root, 'profiles'))).filter((name) => /^[^.]+\.json$/.test(name));
  const settings = Object.assign(
    {},
    ...(await Promise.all(
      profiles.map(async (name) => (await resolveProfile(root, path.basename(name, '.json'), known)).settings),
    )),
  ) as Record<string, object>;
  const halves = ids.flatMap((id) => (known.get(id)?.server ? [known.get(id)!] : []));
  const plugins = await Promise.all(
    halves.map(async ({ manifest, folder }) =>
      enabledPlugin(
        manifest,
        { ...(settings[manifest.id] ?? Object(Value.Create(manifest.settings))), ...changes[manifest.id] },
        await load<ServerPlugin<typeof manifest>>(folder, 'server', 'index.ts'),
      ),
    ),
  );
  const bridges = await Promise.all(
    halves.flatMap(({ manifest, folder, serverBridges }) =>
      serverBridges.map(async (partner) => ({
        owner: manifest.id,
        partner,
        bridge: await load<ServerBridge>(folder, 'server', 'bridges', `${partner}.ts`),
      })),
    ),
  );
  return { plugins, bridges };
}
