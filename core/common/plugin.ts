import type { Static, TSchema } from 'typebox';
import type { AccessFlag } from './access.ts';

/** What is true of a plugin in the browser, on the server and in the CLI alike. Data only. */
export interface PluginManifest<
  Id extends string = string,
  Settings extends TSchema = TSchema,
  Flag extends AccessFlag = AccessFlag,
> {
  /** The folder's name. Every other id of the plugin starts with it. */
  readonly id: Id;
  /** A message id, never text. */
  readonly title: `${NoInfer<Id>}.${string}`;
  /** Belongs to every product and cannot be turned off. */
  readonly base?: boolean;
  /** What a profile may set, with defaults; closed to unknown properties. */
  readonly settings: Settings;
  /** The flags by which this plugin guards its screens and endpoints. */
  readonly access: readonly Flag[];
  /** Plugins that must be on, or the profile is refused. */
  readonly requires: readonly string[];
  /**
   * Plugins that it meets only when they are on, each by the files `web/bridges/<other>.ts` and
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

/** Schemas of the database and parts of core that no plugin may be named after. */
const reservedPluginIds = ['core', 'public', 'information-schema'];

/** Why no plugin may have this id, as a sentence; undefined where it may. */
export function pluginIdProblem(id: string): string | undefined {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
    return `'${id}' is no plugin id: it must be lower case words joined by dashes, such as spare-parts.`;
  if (reservedPluginIds.includes(id) || id.startsWith('pg-'))
    return `'${id}' is reserved for Walkdown and its database: the plugin's schema and messages would be theirs.`;
  return undefined;
}
