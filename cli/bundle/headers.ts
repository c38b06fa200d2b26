import { contentHashedFolder, type PageFile } from '#core';

const security = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), accelerometer=(self), fullscreen=(self), ' +
    'gyroscope=(self), magnetometer=(self)',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** A drawing opened by itself executes and fetches nothing, whatever it contains. */
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/** `headers.json`: headers for the page of the sign-in paths, the app's page, content-addressed files and drawings. */
export type BundleHeaders = Readonly<
  Record<
    '/login' | '/' | `/${typeof contentHashedFolder}` | `/${typeof contentHashedFolder}*.svg` | '/*.svg',
    Readonly<Record<string, string>>
  >
>;

export function bundleHeaders(policies: Readonly<Record<PageFile, string>>): BundleHeaders {
  const named = { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' };
  const drawing = { 'content-security-policy': drawingPolicy, 'x-content-type-options': 'nosniff' };
  return {
    '/login': { 'cache-control': 'no-cache', 'content-security-policy': policies['login.html'], ...security },
    '/': { 'cache-control': 'no-cache', 'content-security-policy': policies['index.html'], ...security },
    [`/${contentHashedFolder}`]: named,
    [`/${contentHashedFolder}*.svg`]: { ...named, ...drawing },
    '/*.svg': { 'cache-control': 'no-cache', ...drawing },
  } as BundleHeaders;
}
