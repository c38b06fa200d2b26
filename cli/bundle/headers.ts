import { namedAfterContent, type PageFile } from '#core';

const security = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), accelerometer=(self), fullscreen=(self), ' +
    'gyroscope=(self), magnetometer=(self)',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/**
 * `headers.json`: what a server sends with the sign-in paths' page, with the app's, and with all that is named after
 * its content.
 */
export type BundleHeaders = Readonly<
  Record<'/login' | '/' | `/${typeof namedAfterContent}`, Readonly<Record<string, string>>>
>;

export function bundleHeaders(policies: Readonly<Record<PageFile, string>>): BundleHeaders {
  return {
    '/login': { 'cache-control': 'no-cache', 'content-security-policy': policies['login.html'], ...security },
    '/': { 'cache-control': 'no-cache', 'content-security-policy': policies['index.html'], ...security },
    [`/${namedAfterContent}`]: {
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
  } as BundleHeaders;
}
