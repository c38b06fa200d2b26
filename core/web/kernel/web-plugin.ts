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

/** Code behind an `import()`, so that it is fetched when it is needed. */
export type Load<T> = () => Promise<{ readonly default: T }>;

/** Text by message id, in ICU MessageFormat. */
export type Messages = Readonly<Record<string, string>>;

export const routeCategories = ['ADMIN', 'DASHBOARD', 'TOUR'] as const;
export type RouteCategory = (typeof routeCategories)[number];

/** Messages by language. */
export interface MessageSource {
  readonly en: Load<Messages>;
  readonly fr?: Load<Messages>;
}

export interface RouteDeclaration<M extends PluginManifest = PluginManifest> {
  readonly route: RouteRef;
  /** A message id: the page's title and its crumb. */
  readonly title: `${IdOf<M>}.${string}`;
  /** Which shell it stands in; `bare`: none, the screen fills the window (such as the tour). */
  readonly audience: 'user' | 'admin' | 'bare';
  readonly category: RouteCategory;
  /** An admin screen of the category DASHBOARD is open to everybody with this flag; any other to admins with it. */
  readonly access?: FlagOf<M>;
  readonly load: Load<ComponentType>;
}

export type MenuPlace = 'admin.sidebar' | 'user.header' | 'person.menu';

export interface MenuItem<M extends PluginManifest = PluginManifest> {
  readonly id: `${IdOf<M>}.${string}`;
  readonly place: MenuPlace;
  readonly to: RouteRef;
  readonly order: number;
  /** The heading it stands under in the admin sidebar: one of core's, or the id of a contribution to `adminGroups`. */
  readonly group?: 'people' | 'content' | 'configuration' | `${string}.${string}`;
  /** A Fluent icon's element, loaded with the menu. */
  readonly icon?: Load<ComponentType>;
}

/** The web half of a plugin: a table of contents. What is heavy stands behind `() => import()`. */
export interface WebPlugin<M extends PluginManifest = PluginManifest> {
  readonly routes?: readonly RouteDeclaration<M>[];
  readonly menu?: readonly MenuItem<M>[];
  /** In which order the product lists locations. At most one plugin of a product says it; without it, as imported. */
  locationOrder?(settings: SettingsOf<M>): LocationOrder;
  readonly contributions?: readonly BoundContribution[];
  readonly messages?: MessageSource;
  /** What the plugin's server refuses with, from `contract/messages/`, which both halves share. */
  readonly refusals?: MessageSource;
  /** Bindings of the plugin's own child container. */
  readonly services?: Load<ContainerModule>;
  /** Tokens among `services` that other plugins may ask for. */
  readonly provides?: readonly Token<unknown>[];
}

/** Curried, so that the manifest comes along as a type and its schema stays out of the bundle. */
export const webPlugin =
  <M extends PluginManifest>() =>
  (plugin: WebPlugin<M>): WebPlugin<M> =>
    plugin;

/** `web/bridges/<other>.ts` exports one as default. */
export type WebBridge = readonly BoundContribution[];

/** What the generated entry hands to the host for each plugin that is on. */
export interface InstalledPlugin {
  readonly id: string;
  readonly settings: unknown;
  readonly web: WebPlugin;
  readonly bridges: readonly WebBridge[];
}
