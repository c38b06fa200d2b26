import { routeAddress, basePath, routes, type Product } from '#core';

export interface LoginLinkOptions {
  readonly product: Product;
  readonly isAdmin: boolean;
  /** The requested address within the base path, opened after login. */
  readonly next?: string;
  /** With `userData`, the login page shows "Issue while getting user data". */
  readonly error?: 'userData';
}

/** The address of the admin login or of the product's login, within the base path. */
export function buildLoginAddress({ isAdmin, next, error }: Omit<LoginLinkOptions, 'product'>): string {
  const search = new URLSearchParams();
  if (next !== undefined && next !== '/') search.set('next', next);
  if (error !== undefined) search.set('error', error);
  const text = search.toString();
  return routeAddress(isAdmin ? routes.adminLogin : routes.login, {}) + (text === '' ? '' : `?${text}`);
}

/** The address that the banner of an expired session links to: the configured logout address, else the login. */
export function buildLoginLink({ product, isAdmin }: LoginLinkOptions): string {
  return product.login.logoutAddress ?? basePath + buildLoginAddress({ isAdmin });
}
