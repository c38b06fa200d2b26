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

/** A drawing that is opened by itself runs and fetches nothing, whatever is in it. */
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/**
 * `headers.json`: what a server sends with the sign-in paths' page, with the app's, with all that is named after its
 * content, and with drawings, be they named so or not.
 */
export type BundleHeaders = Readonly<
  Record<
    '/login' | '/' | `/${typeof namedAfterContent}` | `/${typeof namedAfterContent}*.svg` | '/*.svg',
    Readonly<Record<string, string>>
  >
>;

export function bundleHeaders(policies: Readonly<Record<PageFile, string>>): BundleHeaders {
  const named = { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' };
  const drawing = { 'content-security-policy': drawingPolicy, 'x-content-type-options': 'nosniff' };
  return {
    '/login': { 'cache-control': 'no-cache', 'content-security-policy': policies['login.html'], ...security },
    '/': { 'cache-control': 'no-cache', 'content-security-policy': policies['index.html'], ...security },
    [`/${namedAfterContent}`]: named,
    [`/${namedAfterContent}*.svg`]: { ...named, ...drawing },
    '/*.svg': { 'cache-control': 'no-cache', ...drawing },
  } as BundleHeaders;
}
