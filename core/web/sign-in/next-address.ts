import { routeAddress, basePath, routes } from '#core';

const key = 'walkdown.next';

/**
 * An address within the product (without the base path). Undefined for other origins and protocols, `//host`,
 * `/\\host`, and the sign-in screens, which would cause a redirect loop.
 */
export function innerAddress(address: string | null | undefined, origin = location.origin): string | undefined {
  if (!address?.startsWith('/')) return undefined;
  const inside = address === basePath || address.startsWith(`${basePath}/`) ? address : `${basePath}${address}`;
  const url = URL.canParse(inside, origin) ? new URL(inside, origin) : undefined;
  if (url === undefined || url.origin !== origin || !url.pathname.startsWith(`${basePath}/`)) return undefined;
  const path = url.pathname.slice(basePath.length);
  if (path === '/' || /^\/+(login|adminlogin)(\/|$)/.test(path) || path.startsWith('//')) return undefined;
  return `${path}${url.search}${url.hash}`;
}

/** The address after sign-in, without the base path: the requested one, else the home of this kind of person. */
export function addressAfterSignIn(search: string, admin: boolean): string {
  return (
    innerAddress(new URLSearchParams(search).get('next')) ??
    innerAddress(sessionStorage.getItem(key)) ??
    routeAddress(admin ? routes.admin : routes.home, {})
  );
}

/** Saves the requested address while the browser is at the identity provider. */
export function rememberNext(search: string): void {
  const next = innerAddress(new URLSearchParams(search).get('next'));
  if (next === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, next);
}

export function forgetNext(): void {
  sessionStorage.removeItem(key);
}
