import type { BundleHeaders, PageFile } from '#core';

/** What the server sends with the pages and files of a build. */
export function bundleHeaders(policies: Readonly<Record<PageFile, string>>): BundleHeaders {
  return {
    all: {
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), accelerometer=(self), fullscreen=(self), gyroscope=(self), magnetometer=(self)',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
    pages: {
      'index.html': { 'content-security-policy': policies['index.html'] },
      'login.html': { 'content-security-policy': policies['login.html'] },
    },
    cacheControl: { namedAfterContent: 'public, max-age=31536000, immutable', other: 'no-cache' },
  };
}
