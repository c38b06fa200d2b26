import { routeUrl, basePath, type Language, type Product, type RouteRef } from '#core';
import type { Preferences } from '#core/api';

/**
 * Creates addresses of our screens for mails. They are built from the configuration or the listening address. They
 * never use the `host` header, because a forged header would send a code to the attacker.
 */
export class PublicLinks {
  readonly #publicAddress: () => string;

  /** `publicAddress` is called for each link, because the listening address is known only after the start. */
  constructor(publicAddress: () => string) {
    this.#publicAddress = publicAddress;
  }

  createLink(route: RouteRef, username?: string): string {
    const query = username === undefined ? '' : `?${new URLSearchParams({ username }).toString()}`;
    return `${this.#publicAddress()}${basePath}${routeUrl(route, {})}${query}`;
  }
}

/** The person's language if the product supports it, else the product's first. */
export function chooseLanguage(preferences: Preferences, product: Pick<Product, 'languages'>): Language {
  const { language } = preferences;
  return language !== undefined && product.languages.includes(language) ? language : (product.languages[0] ?? 'en');
}
