import { routeAddress, basePath, type Language, type RouteRef } from '#core';
import type { Preferences } from '#core/api';
import type { Product } from '#core';

/**
 * Addresses of our own screens for people outside of them. Only ever from the configuration and from where the server
 * listens: what a request calls this server (its header `host`) is the sender's choice, and a link made of it would
 * hand a code to whoever forged it.
 */
export class PublicLinks {
  readonly #publicAddress: () => string;

  /**
   * `publicAddress` is asked for each link: where the configuration names none, it is known once the server listens.
   */
  constructor(publicAddress: () => string) {
    this.#publicAddress = publicAddress;
  }

  to(route: RouteRef, username?: string): string {
    const query = username === undefined ? '' : `?${new URLSearchParams({ username }).toString()}`;
    return `${this.#publicAddress()}${basePath}${routeAddress(route, {})}${query}`;
  }
}

/** The person's own language, where the product has it; else the product's first. */
export function chooseLanguage(preferences: Preferences, product: Pick<Product, 'languages'>): Language {
  const { language } = preferences;
  return language !== undefined && product.languages.includes(language) ? language : (product.languages[0] ?? 'en');
}
