import { logError } from '../kernel/log.ts';

/**
 * Base address of the API, without a trailing slash; empty for the page's own origin. It comes from
 * `<meta name="api-base">`, which the server fills from its environment. An invalid address is logged and ignored.
 */
export function readApiBase(page: Document = document): string {
  const address = (page.querySelector<HTMLMetaElement>('meta[name="api-base"]')?.content ?? '')
    .trim()
    .replace(/\/+$/, '');
  if (address === '' || /^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : '')) return address;
  logError(
    `The API's base address '${address}' is no http or https address. The page's own origin is used. Correct the ` +
      "address in the server's environment.",
  );
  return '';
}
