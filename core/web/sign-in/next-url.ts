import { routeUrl, basePath, routes } from '#core';

const key = 'walkdown.next';

/**
 * A URL within the product, without the base path. Undefined for other origins and protocols, for `//host` and
 * `/\\host`, and for the sign-in screens, because they would cause a redirect loop.
 */
export function parseInnerUrl(text: string | null | undefined, origin = location.origin): string | undefined {
  if (!text?.startsWith('/')) return undefined;
  const prefixedUrl = text === basePath || text.startsWith(`${basePath}/`) ? text : `${basePath}${text}`;
  const url = URL.canParse(prefixedUrl, origin) ? new URL(prefixedUrl, origin) : undefined;
  if (url === undefined || url.origin !== origin || !url.pathname.startsWith(`${basePath}/`)) return undefined;
  const path = url.pathname.slice(basePath.length);
  if (path === '/' || /^\/+(login|adminlogin)(\/|$)/.test(path) || path.startsWith('//')) return undefined;
  return `${path}${url.search}${url.hash}`;
}

/** The URL after sign-in without the base path: the requested URL, else the user or admin home. */
export function findUrlAfterSignIn(search: string, admin: boolean): string {
  return (
    parseInnerUrl(new URLSearchParams(search).get('next')) ??
    parseInnerUrl(sessionStorage.getItem(key)) ??
    routeUrl(admin ? routes.admin : routes.home, {})
  );
}

/** Saves the requested URL while the browser is at the identity provider. */
export function saveNextUrl(search: string): void {
  const nextUrl = parseInnerUrl(new URLSearchParams(search).get('next'));
  if (nextUrl === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, nextUrl);
}

export function clearNextUrl(): void {
  sessionStorage.removeItem(key);
}
