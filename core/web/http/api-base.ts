import { logError } from '../kernel/log.ts';

/**
 * Base address of the API, without a trailing slash: from `<meta name="api-base">`, which the server fills from its
 * environment; empty for the page's own origin. An invalid address is logged and ignored.
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
