import { actionBound, makeObservable, observableRef } from 'mobx';
import { routeUrl, basePath, type ParamsOf, type RouteRef } from '#core';
import type { Page } from '../kernel/page.ts';
import type { Access, Navigation, Session, TrailEntry } from '../kernel/services.ts';
import type { GuardedHistory } from './guarded-history.ts';
import { isSignInRoute, type RouteTable } from './route-table.ts';

/** Number of URLs in the trail (set by the specification). */
export const trailLength = 10;

export interface NavigationOptions {
  readonly table: RouteTable;
  readonly session: Session;
  readonly access: Access;
  readonly history: Pick<GuardedHistory, 'push' | 'replace' | 'location'>;
  readonly page: Page;
}

export class NavigationService implements Navigation {
  trail: readonly TrailEntry[] = [];
  readonly #options: NavigationOptions;

  constructor(options: NavigationOptions) {
    this.#options = options;
    makeObservable(this, { trail: observableRef, recordVisit: actionBound });
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
   * Records an opened screen. A new URL of the same screen replaces the last entry, so that turning in a tour does
   * not fill the trail.
   */
  recordVisit(entry: TrailEntry): void {
    const lastVisit = this.trail.at(-1);
    const isSameScreen = lastVisit !== undefined && stripQuery(lastVisit.url) === stripQuery(entry.url);
    this.trail = [...(isSameScreen ? this.trail.slice(0, -1) : this.trail), entry].slice(-trailLength);
  }
}

function stripQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? url;
}
