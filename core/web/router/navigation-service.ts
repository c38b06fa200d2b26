import { actionBound, makeObservable, observableRef } from 'mobx';
import { routeAddress, basePath, type ParamsOf, type RouteRef } from '#core';
import type { Page } from '../kernel/page.ts';
import type { Access, Navigation, Session, TrailEntry } from '../kernel/services.ts';
import type { GuardedHistory } from './guarded-history.ts';
import { isSignInRoute, type RouteTable } from './route-table.ts';

/** Number of addresses in the trail (set by the specification). */
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

  get address(): string {
    const { pathname, search } = this.#options.history.location;
    return pathname.slice(basePath.length) + search;
  }

  linkTo<R extends RouteRef>(route: R, params: ParamsOf<R>): string | undefined {
    const { table, session, access } = this.#options;
    return table.findAddress(route, params, { access: access.info, isAdmin: session.isAdmin });
  }

  goTo<R extends RouteRef>(route: R, params: ParamsOf<R>, options: { readonly replace?: boolean } = {}): void {
    const address = routeAddress(route, params);
    if (isSignInRoute(route)) this.#options.page.open(address);
    else this.goToAddress(address, options);
  }

  goToAddress(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
    const path = basePath + (address.startsWith('/') ? address : `/${address}`);
    if (replace) this.#options.history.replace(path);
    else this.#options.history.push(path);
  }

  /**
   * Records an opened screen. A new address of the same screen replaces the last entry, so that turning in a tour does
   * not fill the trail.
   */
  recordVisit(entry: TrailEntry): void {
    const last = this.trail.at(-1);
    const isSameScreen = last !== undefined && stripQuery(last.address) === stripQuery(entry.address);
    this.trail = [...(isSameScreen ? this.trail.slice(0, -1) : this.trail), entry].slice(-trailLength);
  }
}

function stripQuery(address: string): string {
  return address.split(/[?#]/)[0] ?? address;
}
