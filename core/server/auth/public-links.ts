import { routeAddress, basePath, type Language, type RouteRef } from '#core';
import type { Preferences } from '#core/api';
import type { Product } from '#core';

/**
 * Addresses of our screens for mails. Built from the configuration or the listening address, never from the `host`
 * header: a forged header would send a code to the attacker.
 */
export class PublicLinks {
  readonly #publicAddress: () => string;

  /** `publicAddress` is called for each link: without a configured address it is known only once the server listens. */
  constructor(publicAddress: () => string) {
    this.#publicAddress = publicAddress;
  }

  to(route: RouteRef, username?: string): string {
    const query = username === undefined ? '' : `?${new URLSearchParams({ username }).toString()}`;
    return `${this.#publicAddress()}${basePath}${routeAddress(route, {})}${query}`;
  }
}

/** The person's language if the product supports it, else the product's first. */
export function chooseLanguage(preferences: Preferences, product: Pick<Product, 'languages'>): Language {
  const { language } = preferences;
  return language !== undefined && product.languages.includes(language) ? language : (product.languages[0] ?? 'en');
}
