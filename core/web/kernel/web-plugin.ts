import type { ContainerModule } from 'inversify';
import type { ComponentType } from 'react';
import type {
  BoundContribution,
  FlagOf,
  IdOf,
  LocationOrder,
  PluginManifest,
  RouteRef,
  SettingsOf,
  Token,
} from '#core';

/** Code behind an `import()`, fetched on demand. */
export type Load<T> = () => Promise<{ readonly default: T }>;

/** Texts by message id, in ICU MessageFormat. */
export type Messages = Readonly<Record<string, string>>;

export const routeCategories = ['ADMIN', 'DASHBOARD', 'TOUR'] as const;
export type RouteCategory = (typeof routeCategories)[number];

/** Messages by language. */
export interface MessageSource {
  readonly en: Load<Messages>;
  readonly fr?: Load<Messages>;
}

export interface RouteDeclaration<M extends PluginManifest = PluginManifest> {
  readonly routeRef: RouteRef;
  /** Message id of the page title and the breadcrumb. */
  readonly title: `${IdOf<M>}.${string}`;
  /** The shell around the screen. A `bare` screen, such as the tour, fills the window. */
  readonly audience: 'user' | 'admin' | 'bare';
  readonly category: RouteCategory;
  /**
   * A screen of the category DASHBOARD is open to everybody with this flag, other admin screens only to admins with it.
   */
  readonly access?: FlagOf<M>;
  readonly load: Load<ComponentType>;
}

export type MenuSlot = 'admin.sidebar' | 'user.header' | 'person.menu';

export interface MenuItem<M extends PluginManifest = PluginManifest> {
  readonly id: `${IdOf<M>}.${string}`;
  readonly slot: MenuSlot;
  readonly to: RouteRef;
  readonly order: number;
  /** Heading in the admin sidebar: a heading of core, or the id of a contribution to `adminGroups`. */
  readonly group?: 'people' | 'content' | 'configuration' | `${string}.${string}`;
  /** A Fluent icon element, loaded with the menu. */
  readonly icon?: Load<ComponentType>;
}

/** The web half of a plugin. It only lists what the plugin contains; other code is behind `() => import()`. */
export interface WebPlugin<M extends PluginManifest = PluginManifest> {
  readonly routes?: readonly RouteDeclaration<M>[];
  readonly menu?: readonly MenuItem<M>[];
  /** Order of the product's locations, by default the order of import. At most one plugin sets it. */
  locationOrder?(settings: SettingsOf<M>): LocationOrder;
  readonly contributions?: readonly BoundContribution[];
  readonly messages?: MessageSource;
  /** Refusal messages of the plugin's server, from `contract/messages/`, which both halves share. */
  readonly refusalMessages?: MessageSource;
  /** Bindings of the plugin's own child container. */
  readonly services?: Load<ContainerModule>;
  /** Tokens among `services` that other plugins may use. */
  readonly provides?: readonly Token<unknown>[];
}

/** Type-checks a web half. The manifest is only a type argument, so that its schema stays out of the bundle. */
export const webPlugin =
  <M extends PluginManifest>() =>
  (plugin: WebPlugin<M>): WebPlugin<M> =>
    plugin;

/** Default export of `web/bridges/<other>.ts`. */
export type WebBridge = readonly BoundContribution[];

/** An enabled plugin, as the generated entry passes it to the host. */
export interface InstalledPlugin {
  readonly id: string;
  readonly settings: unknown;
  readonly web: WebPlugin;
  readonly bridges: readonly WebBridge[];
}
