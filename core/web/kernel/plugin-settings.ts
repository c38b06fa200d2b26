import { token, type PluginManifest, type SettingsOf } from '#core';

/**
 * The profile's settings of the injecting plugin, with defaults applied:
 * `@inject(PluginSettings) settings: PluginSettings<typeof manifest>`.
 */
export const PluginSettings = token<unknown>('core.PluginSettings');
export type PluginSettings<M extends PluginManifest = PluginManifest> = SettingsOf<M>;
