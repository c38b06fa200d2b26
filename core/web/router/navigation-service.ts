import { actionBound, makeObservable, observableRef } from 'mobx';
import { routeUrl, basePath, type ParamsOf, type RouteRef } from '#core';
import type { Page } from '../kernel/page.ts';
import type { Access, Navigation, Session, RecentScreen } from '../kernel/services.ts';
import type { GuardedHistory } from './guarded-history.ts';
import { isSignInRoute, type RouteTable } from './route-table.ts';

/** Set by the specification. */
export const maxRecentScreens = 10;

export interface NavigationOptions {
  readonly table: RouteTable;
  readonly session: Session;
  readonly access: Access;
  readonly history: Pick<GuardedHistory, 'push' | 'replace' | 'location'>;
  readonly page: Page;
}

export class NavigationService implements Navigation {
  recentScreens: readonly RecentScreen[] = [];
  readonly #options: NavigationOptions;

  constructor(options: NavigationOptions) {
    this.#options = options;
    makeObservable(this, { recentScreens: observableRef, recordScreen: actionBound });
  }

  get url(): string {
    const { pathname, search } = this.#options.history.location;
    return pathname.slice(basePath.length) + search;
  }

  linkTo<R extends RouteRef>(route: R, params: ParamsOf<R>): string | undefined {
    const { table, session, access } = this.#options;
    return table.findUrl(route, params, { access: access.info, isAdmin: session.isAdmin });
  }

  goTo<R extends RouteRef>(route: R, params: ParamsOf<R>, options: { readonly replace?: boolean } = {}): void {
    const url = routeUrl(route, params);
    if (isSignInRoute(route)) this.#options.page.open(url);
    else this.goToUrl(url, options);
  }

  goToUrl(url: string, { replace = false }: { readonly replace?: boolean } = {}): void {
    const path = basePath + (url.startsWith('/') ? url : `/${url}`);
    if (replace) this.#options.history.replace(path);
    else this.#options.history.push(path);
  }

  /**
   * Records an opened screen. A new URL of the same screen replaces the last one, so that turning in a tour does
   * not fill the list.
   */
  recordScreen(screen: RecentScreen): void {
    const lastScreen = this.recentScreens.at(-1);
    const isSameScreen = lastScreen !== undefined && stripQuery(lastScreen.url) === stripQuery(screen.url);
    this.recentScreens = [...(isSameScreen ? this.recentScreens.slice(0, -1) : this.recentScreens), screen].slice(
      -maxRecentScreens,
    );
  }
}

function stripQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? url;
}
