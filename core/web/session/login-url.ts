import { routeUrl, basePath, routes, type Product } from '#core';

export interface LoginUrlOptions {
  readonly product: Product;
  readonly isAdmin: boolean;
  /** The requested URL within the base path, opened after login. */
  readonly next?: string;
  /** With `userData`, the login page shows "Issue while getting user data". */
  readonly error?: 'userData';
}

/** The URL of the admin login or of the product's login, within the base path. */
export function buildLoginUrl({ isAdmin, next, error }: Omit<LoginUrlOptions, 'product'>): string {
  const search = new URLSearchParams();
  if (next !== undefined && next !== '/') search.set('next', next);
  if (error !== undefined) search.set('error', error);
  const text = search.toString();
  return routeUrl(isAdmin ? routes.adminLogin : routes.login, {}) + (text === '' ? '' : `?${text}`);
}

/** The URL that the banner of an expired session links to: the configured logout URL, else the login. */
export function buildExpiredBannerUrl({ product, isAdmin }: LoginUrlOptions): string {
  return product.login.logoutAddress ?? basePath + buildLoginUrl({ isAdmin });
}
