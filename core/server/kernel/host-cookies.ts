/**
 * HttpOnly cookies. Over https they have the prefix `__Host-`: browsers accept them only from this host over https, so
 * that no other host of the domain can set or replace them. The prefix requires `Path=/`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265bis#name-the-__host-prefix
 */
const hostPrefix = '__Host-';

export type Cookies = Readonly<Record<string, string | undefined>>;

/** Name and path under which a browser stores an HttpOnly cookie. */
export function toHostCookie(
  name: string,
  path: string,
  secure: boolean,
): { readonly name: string; readonly path: string } {
  return secure ? { name: `${hostPrefix}${name}`, path: '/' } : { name, path };
}

/** The HttpOnly cookies of a request by their plain names. Over https, cookies without the prefix are ignored. */
export function fromHostCookies(cookies: Cookies, secure: boolean): Cookies {
  if (!secure) return cookies;
  return Object.fromEntries(
    Object.entries(cookies).flatMap(([name, value]) =>
      name.startsWith(hostPrefix) ? [[name.slice(hostPrefix.length), value] as const] : [],
    ),
  );
}
