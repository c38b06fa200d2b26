import { isReachedByTls, type ServerConfig } from './server-config.ts';

/** Nothing is loaded, run or framed. `default-src` covers neither `base-uri` nor `frame-ancestors`. */
export const restrictivePolicy = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** For every answer. The pages of the bundle bring a policy of their own. */
export function securityHeaders(
  config: Pick<ServerConfig, 'allowedOrigins' | 'publicAddress'>,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': restrictivePolicy,
    'cross-origin-opener-policy': 'same-origin',
    // Pictures are shown by the pages of the other origins; they are on the same site, else the cookies would not come
    // along.
    'cross-origin-resource-policy': config.allowedOrigins.length > 0 ? 'same-site' : 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    ...(isReachedByTls(config) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
