import type { PluginManifest, Product } from '#core';
import type { Profile } from '../../core/common/profile.ts';
import type { ProfileFile } from './read-profile-file.ts';

/** A plugin as the CLI knows it: its manifest and where it lies. */
export interface KnownPlugin {
  readonly manifest: PluginManifest;
  /** Absolute path of the plugin's folder. */
  readonly folder: string;
  /** Which parts exist. A plugin may have one half only. */
  readonly web: boolean;
  readonly server: boolean;
  /** Partners for which `web/bridges/<other>.ts` or `server/bridges/<other>.ts` exists. */
  readonly webBridges: readonly string[];
  readonly serverBridges: readonly string[];
}

/** A profile after `extends`, validation and defaults: everything that the build needs to know. */
export interface ResolvedProfile {
  /** See `profileName`. */
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly profile: Profile;
  /** The head of the profile as the bundle sees it. `logo` and `backgrounds` are addresses under the base path. */
  readonly product: Product;
  /** Ids of the plugins that are on, sorted so that what a plugin requires comes before it, then by id. */
  readonly enabled: readonly string[];
  /** Ids of all known plugins that are off, sorted. */
  readonly disabled: readonly string[];
  /** All known plugins by id. */
  readonly plugins: ReadonlyMap<string, KnownPlugin>;
  /** Settings with defaults filled, by id of the plugins that are on. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Pairs (owner, partner) where the owner lists the partner under `bridges` and both are on. */
  readonly bridges: readonly (readonly [owner: string, partner: string])[];
  /**
   * For each JSON pointer of the merged profile, the file that set it; "default" where a manifest's or the schema's
   * default filled it.
   */
  readonly origins: ReadonlyMap<string, string>;
  /** The profile and those that it extends, the nearest first. */
  readonly files: readonly ProfileFile[];
}

/** Files that branding adds to the bundle's web folder, by path relative to it; and what the pages need. */
export interface Brand {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The theme's CSS variables for light, dark and high contrast; the build decides how it is shipped. */
  readonly themeCss: string;
  /** Tags for the head, such as icons and the web manifest (addresses under the base path), in a fixed order. */
  readonly headTags: readonly string[];
  /** One sentence a theme: which colours buttons and links have, and the contrast of their text. */
  readonly contrasts: readonly string[];
  /** One sentence for each change that contrast forced, such as links in a darker colour. */
  readonly notes: readonly string[];
}
