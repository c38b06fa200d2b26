import { parse } from 'bowser';

/** Longer texts are truncated before parsing. Characters. */
const maxUserAgentLength = 512;
const maxDeviceLength = 60;

/**
 * A readable name of a client, such as "Chrome on Windows"; the first product of a user agent that is no browser
 * ("curl"); "unknown" without a user agent.
 */
export function formatDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, maxUserAgentLength).trim();
  if (text === '') return 'unknown';
  const { browser, os } = parse(text);
  const named = browser.name !== undefined && browser.name !== '';
  const name = named
    ? `${browser.name}${os.name === undefined ? '' : ` on ${os.name}`}`
    : (text.split(/[\s/]/)[0] ?? text);
  return name.replaceAll(/[^\p{L}\p{N} .()+_-]/gu, '').slice(0, maxDeviceLength) || 'unknown';
}
