import { isServedOverHttps, type ServerConfig } from './server-config.ts';

/** Forbids loading, running and framing. `default-src` covers neither `base-uri` nor `frame-ancestors`. */
export const restrictivePolicy = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Creates the headers of every reply. Pages of the bundle have their own policy. */
export function buildSecurityHeaders(
  config: Pick<ServerConfig, 'allowedOrigins' | 'publicUrl'>,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': restrictivePolicy,
    'cross-origin-opener-policy': 'same-origin',
    // Pages of the other origins display images; they are on the same site, otherwise cookies would not be sent.
    'cross-origin-resource-policy': config.allowedOrigins.length > 0 ? 'same-site' : 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    ...(isServedOverHttps(config) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
