import { routeUrl, hasAccess, routes, type AccessFlag, type AccessInfo, type ParamsOf, type RouteRef } from '#core';
import { matchPath } from 'react-router-dom';
import { byOrder } from '../kernel/by-order.ts';
import type { PluginHost } from '../kernel/plugin-host.ts';
import { isCoreRouteWithPluginScreen } from '../kernel/provided-routes.ts';
import type { MenuItem, MenuSlot, RouteDeclaration } from '../kernel/web-plugin.ts';

/** The route of a screen with its plugin. */
export interface PluginRoute extends RouteDeclaration {
  readonly plugin: string;
}

/** A menu item that the person may use: label, URL and plugin. */
export interface MenuEntry extends MenuItem {
  /** Message id: the title of its screen. */
  readonly title: string;
  readonly url: string;
  readonly plugin: string;
}

/** The person for whom links and menus are computed. */
export interface RouteAccess {
  readonly access: AccessInfo;
  readonly isAdmin: boolean;
}

const renderedByCore: ReadonlySet<RouteRef> = new Set(
  Object.values(routes).filter((route) => !isCoreRouteWithPluginScreen(route)),
);

/** Routes of the sign-in page, a separate entry. */
export function isSignInRoute(route: RouteRef): boolean {
  return route === routes.adminLogin || route.path.startsWith(routes.login.path);
}

/** All screens of the product by route id. */
export class RouteTable {
  readonly all: readonly PluginRoute[];
  readonly #byId: ReadonlyMap<string, PluginRoute>;
  readonly #menu: readonly (MenuItem & { readonly plugin: string })[];

  constructor(host: Pick<PluginHost, 'plugins'>) {
    this.all = host.plugins.flatMap(({ id, web }) => (web.routes ?? []).map((route) => ({ ...route, plugin: id })));
    this.#byId = new Map(this.all.map((route) => [route.routeRef.id, route]));
    this.#menu = host.plugins
      .flatMap(({ id, web }) => (web.menu ?? []).map((item) => ({ ...item, plugin: id })))
      .toSorted(byOrder);
  }

  find(id: string): PluginRoute | undefined {
    return this.#byId.get(id);
  }

  /** The screen at a path within the base path. */
  match(pathname: string): PluginRoute | undefined {
    return this.all.find(({ routeRef: route }) => matchPath({ path: `/${route.path}`, end: true }, pathname) !== null);
  }

  /** The URL within the base path; undefined if the screen is not in the product or the viewer may not see it. */
  findUrl<R extends RouteRef>(route: R, params: ParamsOf<R>, viewer: RouteAccess): string | undefined {
    const declaredRoute = this.find(route.id);
    if (declaredRoute ? !canSee(declaredRoute, viewer) : !renderedByCore.has(route)) return undefined;
    return routeUrl(route, params);
  }

  /** True if the viewer may see any admin screen, as all admins and people with the flag of a dashboard. */
  hasAdminScreen(viewer: RouteAccess): boolean {
    return viewer.isAdmin || this.all.some((route) => route.audience === 'admin' && canSee(route, viewer));
  }

  /** True if a menu position has an item for anyone. */
  hasMenuItem(slot: MenuSlot): boolean {
    return this.#menu.some((item) => item.slot === slot);
  }

  /** Menu items that the viewer may use, sorted by `order`, then by `id`. Omits screens that need parameters. */
  menu(slot: MenuSlot, viewer: RouteAccess): readonly MenuEntry[] {
    return this.#menu.flatMap((item) => {
      const route = this.find(item.to.id);
      if (item.slot !== slot || !route || !canSee(route, viewer) || item.to.path.includes(':')) return [];
      return [{ ...item, title: route.title, url: routeUrl(item.to, {}) }];
    });
  }
}

/**
 * The reason why the person may not see a screen; undefined if they may. A dashboard with a flag is not restricted to
 * admins.
 */
export function findMissingAccess(
  route: Pick<PluginRoute, 'audience' | 'category'> & { readonly access?: AccessFlag },
  { access, isAdmin }: RouteAccess,
): 'notAdmin' | AccessFlag | undefined {
  const needsAdmin = route.audience === 'admin' && (route.category !== 'DASHBOARD' || route.access === undefined);
  if (needsAdmin && !isAdmin) return 'notAdmin';
  return hasAccess(access, route.access) ? undefined : route.access;
}

function canSee(route: PluginRoute, viewer: RouteAccess): boolean {
  return findMissingAccess(route, viewer) === undefined;
}

/** Areas of the product that can be out of reach, each with a message `core.noAccess.<area>`. */
export type RestrictedArea =
  | 'application'
  | 'dashboards'
  | 'tools'
  | Extract<AccessFlag, 'vrAccess' | 'scanAccess' | 'permitAccess' | 'pidAccess'>;

/** The area that is inaccessible without this flag, or without an admin account. */
export function toRestrictedArea(missingAccess: 'notAdmin' | AccessFlag): RestrictedArea {
  switch (missingAccess) {
    case 'tourDashboardAccess':
    case 'permitDashboardAccess':
      return 'dashboards';
    case 'vrAccess':
    case 'scanAccess':
    case 'permitAccess':
    case 'pidAccess':
      return missingAccess;
    case 'threeDimensionalAccess':
      return 'tools';
    default:
      return 'application';
  }
}
