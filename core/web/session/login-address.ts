import { routeAddress, basePath, routes, type Product } from '#core';

export interface LoginWish {
  readonly product: Product;
  readonly isAdmin: boolean;
  /** The requested address within the base path, opened after login. */
  readonly next?: string;
  /** `userData`: the login says "Issue while getting user data". */
  readonly error?: 'userData';
}

/** Address of the login within the base path: the admin login for admins, else the product's login. */
export function loginAddress({ isAdmin, next, error }: Omit<LoginWish, 'product'>): string {
  const search = new URLSearchParams();
  if (next !== undefined && next !== '/') search.set('next', next);
  if (error !== undefined) search.set('error', error);
  const text = search.toString();
  return routeAddress(isAdmin ? routes.adminLogin : routes.login, {}) + (text === '' ? '' : `?${text}`);
}

/** Target of the expired banner's link: the configured logout address, else the login. */
export function loginLink({ product, isAdmin }: LoginWish): string {
  return product.login.logoutAddress ?? basePath + loginAddress({ isAdmin });
}
