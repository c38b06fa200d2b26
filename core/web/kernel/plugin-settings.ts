import { token, type PluginManifest, type SettingsOf } from '#core';

/**
 * The profile's settings of the plugin that asks, with defaults filled: `@inject(PluginSettings) settings:
 * PluginSettings<typeof manifest>`.
 */
export const PluginSettings = token<unknown>('core.PluginSettings');
export type PluginSettings<M extends PluginManifest = PluginManifest> = SettingsOf<M>;
