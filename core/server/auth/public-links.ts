import { addressOf, basePath, type Language, type RouteRef } from '#core';
import type { Preferences } from '#core/api';
import type { Product } from '#core';
import type { ServerConfig } from '../kernel/server-config.ts';

/**
 * Addresses of our own screens for people outside of them. Only ever from the configuration: what a request calls this server (its header `host`) is the sender's choice,
 * and a link made of it would hand a code to whoever forged it.
 */
export class PublicLinks {
  readonly #base: string;

  constructor(config: Pick<ServerConfig, 'publicAddress' | 'host' | 'port'>) {
    this.#base = `${config.publicAddress ?? `http://${config.host}:${config.port}`}${basePath}`;
  }

  to(route: RouteRef, username?: string): string {
    const query = username === undefined ? '' : `?${new URLSearchParams({ username }).toString()}`;
    return `${this.#base}${addressOf(route, {})}${query}`;
  }
}

/** The person's own language, where the product has it; else the product's first. */
export function languageOf(preferences: Preferences, product: Pick<Product, 'languages'>): Language {
  const { language } = preferences;
  return language !== undefined && product.languages.includes(language) ? language : (product.languages[0] ?? 'en');
}
