import { routeAddress, hasAccess, routes, type AccessFlag, type AccessInfo, type ParamsOf, type RouteRef } from '#core';
import { matchPath } from 'react-router-dom';
import { byOrder } from '../kernel/by-order.ts';
import type { PluginHost } from '../kernel/plugin-host.ts';
import { isRole } from '../kernel/roles.ts';
import type { MenuItem, MenuPlace, RouteDeclaration } from '../kernel/web-plugin.ts';

/** A screen with its plugin. */
export interface PlacedRoute extends RouteDeclaration {
  readonly plugin: string;
}

/** A menu item that the person may use: label, address and plugin. */
export interface MenuEntry extends MenuItem {
  /** Message id: the title of its screen. */
  readonly title: string;
  readonly address: string;
  readonly plugin: string;
}

/** The person for whom links and menus are computed. */
export interface Viewer {
  readonly access: AccessInfo;
  readonly isAdmin: boolean;
}

const drawnByCore: ReadonlySet<RouteRef> = new Set(Object.values(routes).filter((route) => !isRole(route)));

/** Routes of the sign-in page, a separate entry. */
export function isSignInRoute(route: RouteRef): boolean {
  return route === routes.adminLogin || route.path.startsWith(routes.login.path);
}

/** All screens of the product by route id. */
export class RouteTable {
  readonly all: readonly PlacedRoute[];
  readonly #byId: ReadonlyMap<string, PlacedRoute>;
  readonly #menu: readonly (MenuItem & { readonly plugin: string })[];

  constructor(host: Pick<PluginHost, 'plugins'>) {
    this.all = host.plugins.flatMap(({ id, web }) => (web.routes ?? []).map((route) => ({ ...route, plugin: id })));
    this.#byId = new Map(this.all.map((route) => [route.route.id, route]));
    this.#menu = host.plugins
      .flatMap(({ id, web }) => (web.menu ?? []).map((item) => ({ ...item, plugin: id })))
      .toSorted(byOrder);
  }

  find(id: string): PlacedRoute | undefined {
    return this.#byId.get(id);
  }

  /** The screen at a path within the base path. */
  match(pathname: string): PlacedRoute | undefined {
    return this.all.find(({ route }) => matchPath({ path: `/${route.path}`, end: true }, pathname) !== null);
  }

  /** The address within the base path; undefined if the screen is not in the product or the viewer may not see it. */
  addressFor<R extends RouteRef>(route: R, params: ParamsOf<R>, viewer: Viewer): string | undefined {
    const placed = this.find(route.id);
    if (placed ? !maySee(placed, viewer) : !drawnByCore.has(route)) return undefined;
    return routeAddress(route, params);
  }

  /** Whether the viewer has any admin screen: all admins, and people with a dashboard's flag. */
  admits(viewer: Viewer): boolean {
    return viewer.isAdmin || this.all.some((route) => route.audience === 'admin' && maySee(route, viewer));
  }

  /** Whether a menu position has any item, for any person. */
  offers(place: MenuPlace): boolean {
    return this.#menu.some((item) => item.place === place);
  }

  /** Menu items that the viewer may use, sorted by (`order`, `id`). Omits screens that need parameters. */
  menu(place: MenuPlace, viewer: Viewer): readonly MenuEntry[] {
    return this.#menu.flatMap((item) => {
      const placed = this.find(item.to.id);
      if (item.place !== place || !placed || !maySee(placed, viewer) || item.to.path.includes(':')) return [];
      return [{ ...item, title: placed.title, address: routeAddress(item.to, {}) }];
    });
  }
}

/**
 * Why the person may not see a screen; undefined if they may. A dashboard with a flag requires the flag, not an admin.
 */
export function refusalFor(
  route: Pick<PlacedRoute, 'audience' | 'category'> & { readonly access?: AccessFlag },
  { access, isAdmin }: Viewer,
): 'notAdmin' | AccessFlag | undefined {
  const needsAdmin = route.audience === 'admin' && (route.category !== 'DASHBOARD' || route.access === undefined);
  if (needsAdmin && !isAdmin) return 'notAdmin';
  return hasAccess(access, route.access) ? undefined : route.access;
}

function maySee(route: PlacedRoute, viewer: Viewer): boolean {
  return refusalFor(route, viewer) === undefined;
}

/** Subjects of missing access, each with a message `core.noAccess.<thing>`. */
export type GuardedSubject =
  | 'application'
  | 'dashboards'
  | 'tools'
  | Extract<AccessFlag, 'vrAccess' | 'scanAccess' | 'permitAccess' | 'pidAccess'>;

/** The subject of a missing flag. */
export function toGuardedThing(refusal: 'notAdmin' | AccessFlag): GuardedSubject {
  switch (refusal) {
    case 'tourDashboardAccess':
    case 'permitDashboardAccess':
      return 'dashboards';
    case 'vrAccess':
    case 'scanAccess':
    case 'permitAccess':
    case 'pidAccess':
      return refusal;
    case 'threeDimensionalAccess':
      return 'tools';
    default:
      return 'application';
  }
}
