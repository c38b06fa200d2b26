import { parse } from 'bowser';

/** In characters. Longer texts are truncated before they are parsed. */
const maxUserAgentLength = 512;
const maxDeviceLength = 60;

/**
 * Returns a readable name of a client that needs no translation, such as "Chrome (Windows)". For a client that is no
 * browser, it is the first product of the user agent ("curl"); without a user agent, it is "unknown".
 */
export function formatDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, maxUserAgentLength).trim();
  if (text === '') return 'unknown';
  const { browser, os } = parse(text);
  const isBrowser = browser.name !== undefined && browser.name !== '';
  const name = isBrowser
    ? `${browser.name}${os.name === undefined ? '' : ` (${os.name})`}`
    : (text.split(/[\s/]/)[0] ?? text);
  return name.replaceAll(/[^\p{L}\p{N} .()+_-]/gu, '').slice(0, maxDeviceLength) || 'unknown';
}
