import { contentHashedFolder, type PageFile } from '#core';

const securityHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), accelerometer=(self), fullscreen=(self), ' +
    'gyroscope=(self), magnetometer=(self)',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Prevents an SVG file that is opened as a page from running scripts and loading other files. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/** The content of `headers.json`: response headers by path. */
export type BundleHeaders = Readonly<
  Record<
    '/login' | '/' | `/${typeof contentHashedFolder}` | `/${typeof contentHashedFolder}*.svg` | '/*.svg',
    Readonly<Record<string, string>>
  >
>;

export function createBundleHeaders(policies: Readonly<Record<PageFile, string>>): BundleHeaders {
  const immutableHeaders = {
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  };
  const svgHeaders = { 'content-security-policy': svgPolicy, 'x-content-type-options': 'nosniff' };
  return {
    '/login': { 'cache-control': 'no-cache', 'content-security-policy': policies['login.html'], ...securityHeaders },
    '/': { 'cache-control': 'no-cache', 'content-security-policy': policies['index.html'], ...securityHeaders },
    [`/${contentHashedFolder}`]: immutableHeaders,
    [`/${contentHashedFolder}*.svg`]: { ...immutableHeaders, ...svgHeaders },
    '/*.svg': { 'cache-control': 'no-cache', ...svgHeaders },
  } as BundleHeaders;
}
