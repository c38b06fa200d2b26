import { use } from 'react';
import type { PluginManifest, SettingsOf, Token } from '#core';
import { usePluginScope } from './plugin-scope.tsx';

/**
 * The service as the surrounding plugin sees it. Suspends while a plugin's services load; core's are available at once.
 */
export function useService<T>(token: Token<T>): T {
  const { host, plugin } = usePluginScope();
  return host.root.isBound(token) ? host.root.get<T>(token) : use(host.ask(plugin, token));
}

/** The profile's settings of the surrounding plugin: `usePluginSettings<typeof manifest>()`. */
export function usePluginSettings<M extends PluginManifest>(): SettingsOf<M> {
  const { host, plugin } = usePluginScope();
  return host.getSettings(plugin) as SettingsOf<M>;
}
