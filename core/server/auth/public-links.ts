import { routeUrl, basePath, type Language, type Product, type RouteRef } from '#core';
import type { Preferences } from '#core/api';

/**
 * Creates URLs of screens for mails. Their base is the configuration or the listening address, never the `host` header,
 * because a forged header would send a code to the attacker.
 */
export class PublicLinks {
  readonly #getPublicUrl: () => string;

  /** `getPublicUrl` is called for each link, because the listening address is known only after the start. */
  constructor(getPublicUrl: () => string) {
    this.#getPublicUrl = getPublicUrl;
  }

  createLink(route: RouteRef, username?: string): string {
    const query = username === undefined ? '' : `?${new URLSearchParams({ username }).toString()}`;
    return `${this.#getPublicUrl()}${basePath}${routeUrl(route, {})}${query}`;
  }
}

/** The person's language if the product supports it, else the product's first. */
export function chooseLanguage(preferences: Preferences, product: Pick<Product, 'languages'>): Language {
  const { language } = preferences;
  return language !== undefined && product.languages.includes(language) ? language : (product.languages[0] ?? 'en');
}
