import { logError } from '../kernel/log.ts';

/**
 * Base address of the API, without a trailing slash: what the server's environment wrote into the page (`<meta
 * name="api-base">`); empty for the page's own origin. An address that is none is logged, and the default stands.
 */
export function apiBase(page: Document = document): string {
  const given = (page.querySelector<HTMLMetaElement>('meta[name="api-base"]')?.content ?? '')
    .trim()
    .replace(/\/+$/, '');
  if (given === '' || /^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : '')) return given;
  logError(
    `The API's base address '${given}' is no http or https address: the page's own origin is used. Mend it in the ` +
      "server's environment.",
  );
  return '';
}
