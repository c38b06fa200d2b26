import type { PluginManifest, Product } from '#core';
import type { Profile } from '../../core/common/profile.ts';
import type { ProfileFile } from './read-profile-file.ts';

/** A plugin in one of the plugins folders. */
export interface KnownPlugin {
  readonly manifest: PluginManifest;
  /** Absolute path of the plugin's folder. */
  readonly folder: string;
  /** Which halves exist. A plugin may have only one. */
  readonly web: boolean;
  readonly server: boolean;
  /** Partners for which `web/bridges/<partner>.ts` or `server/bridges/<partner>.ts` exists. */
  readonly webBridges: readonly string[];
  readonly serverBridges: readonly string[];
}

/** A validated profile, merged with the profiles that it extends and with all defaults filled in. */
export interface ResolvedProfile {
  /** The name of the product; see `getProfileName`. */
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly profile: Profile;
  /** The profile's top-level settings for the bundle. `logo` and `backgrounds` are URLs under the base path. */
  readonly product: Product;
  /** Ids of the enabled plugins, sorted by requirement, then by id. */
  readonly enabled: readonly string[];
  /** Ids of all disabled plugins, sorted. */
  readonly disabled: readonly string[];
  /** All known plugins by id. */
  readonly plugins: ReadonlyMap<string, KnownPlugin>;
  /** Settings with defaults filled, by id of the enabled plugins. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Pairs (owner, partner) where the owner lists the partner under `bridges` and both are enabled. */
  readonly bridges: readonly (readonly [owner: string, partner: string])[];
  /**
   * For each JSON pointer of the merged profile, the file that set the value, or "default" if a manifest or the schema
   * did.
   */
  readonly origins: ReadonlyMap<string, string>;
  /** The files of the profile and of the profiles that it extends, nearest first. */
  readonly files: readonly ProfileFile[];
}

/** The theme, the files and the head tags of a customer's brand. */
export interface Brand {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The theme's CSS variables for light, dark and high contrast. */
  readonly themeCss: string;
  /** Tags for the head, such as icons and the web manifest (with URLs under the base path), in a fixed order. */
  readonly headTags: readonly string[];
  /** One sentence per theme: the colours of buttons and links, with their contrast. */
  readonly contrasts: readonly string[];
  /** One sentence per change that contrast required, such as links in a darker colour. */
  readonly notes: readonly string[];
}
