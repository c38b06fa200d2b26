import { use } from 'react';
import type { PluginManifest, SettingsOf, Token } from '#core';
import { usePluginScope } from './plugin-scope.tsx';

/**
 * The service as the surrounding plugin sees it. Suspends while the plugin's services load. Core's services do not
 * suspend.
 */
export function useService<T>(token: Token<T>): T {
  const { host, plugin } = usePluginScope();
  return host.root.isBound(token) ? host.root.get<T>(token) : use(host.getService(plugin, token));
}

/** The profile's settings of the surrounding plugin: `usePluginSettings<typeof manifest>()`. */
export function usePluginSettings<M extends PluginManifest>(): SettingsOf<M> {
  const { host, plugin } = usePluginScope();
  return host.getSettings(plugin) as SettingsOf<M>;
}
