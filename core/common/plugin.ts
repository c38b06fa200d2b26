import type { Static, TSchema } from 'typebox';
import type { AccessFlag } from './access.ts';

/** The manifest of a plugin, shared by browser, server and CLI. Data only. */
export interface PluginManifest<
  Id extends string = string,
  Settings extends TSchema = TSchema,
  Flag extends AccessFlag = AccessFlag,
> {
  /** The folder's name. Every other id of the plugin starts with it. */
  readonly id: Id;
  /** A message id. */
  readonly title: `${NoInfer<Id>}.${string}`;
  /** The plugin is part of every product and cannot be turned off. */
  readonly base?: boolean;
  /** Schema of the profile's settings, with defaults; closed to unknown properties. */
  readonly settings: Settings;
  /** The flags that guard this plugin's screens and endpoints. */
  readonly access: readonly Flag[];
  /** Plugins that must be on; otherwise the profile is refused. */
  readonly requires: readonly string[];
  /**
   * Plugins that it integrates if they are on, each by the files `web/bridges/<other>.ts` and
   * `server/bridges/<other>.ts`.
   */
  readonly bridges: readonly string[];
}

export function definePlugin<const Id extends string, Settings extends TSchema, const Flag extends AccessFlag>(
  manifest: PluginManifest<Id, Settings, Flag>,
): PluginManifest<Id, Settings, Flag> {
  return manifest;
}

export type SettingsOf<M extends PluginManifest> = Static<M['settings']>;
export type FlagOf<M extends PluginManifest> = M['access'][number];
export type IdOf<M extends PluginManifest> = M['id'];

/** Database schemas and parts of core whose names no plugin may have. */
const reservedPluginIds = ['core', 'public', 'information-schema'];

/** Explains in one sentence why a plugin cannot have this id; undefined if the id is valid. */
export function describePluginIdProblem(id: string): string | undefined {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
    return `'${id}' is no plugin id: it must be lower case words joined by dashes, such as spare-parts.`;
  if (reservedPluginIds.includes(id) || id.startsWith('pg-'))
    return `'${id}' is reserved for Walkdown and its database, which have a schema or messages of this name.`;
  return undefined;
}
