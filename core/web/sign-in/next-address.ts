import { routeAddress, basePath, routes } from '#core';

const key = 'walkdown.next';

/**
 * An address within the product, without the base path. Undefined for other origins and protocols, `//host`,
 * `/\\host`, and the sign-in screens, which would cause a redirect loop.
 */
export function parseInnerAddress(address: string | null | undefined, origin = location.origin): string | undefined {
  if (!address?.startsWith('/')) return undefined;
  const prefixedAddress =
    address === basePath || address.startsWith(`${basePath}/`) ? address : `${basePath}${address}`;
  const url = URL.canParse(prefixedAddress, origin) ? new URL(prefixedAddress, origin) : undefined;
  if (url === undefined || url.origin !== origin || !url.pathname.startsWith(`${basePath}/`)) return undefined;
  const path = url.pathname.slice(basePath.length);
  if (path === '/' || /^\/+(login|adminlogin)(\/|$)/.test(path) || path.startsWith('//')) return undefined;
  return `${path}${url.search}${url.hash}`;
}

/** The address after sign-in without the base path: the requested address, else the user or admin home. */
export function findAddressAfterSignIn(search: string, admin: boolean): string {
  return (
    parseInnerAddress(new URLSearchParams(search).get('next')) ??
    parseInnerAddress(sessionStorage.getItem(key)) ??
    routeAddress(admin ? routes.admin : routes.home, {})
  );
}

/** Saves the requested address while the browser is at the identity provider. */
export function saveNextAddress(search: string): void {
  const next = parseInnerAddress(new URLSearchParams(search).get('next'));
  if (next === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, next);
}

export function clearNextAddress(): void {
  sessionStorage.removeItem(key);
}
