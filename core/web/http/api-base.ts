import { logError } from '../kernel/log.ts';

/**
 * Base URL of the API, without a trailing slash; empty for the page's own origin. It comes from
 * `<meta name="api-base">`, which the server fills from its environment. An invalid URL is logged and ignored.
 */
export function readApiBase(page: Document = document): string {
  const url = (page.querySelector<HTMLMetaElement>('meta[name="api-base"]')?.content ?? '').trim().replace(/\/+$/, '');
  if (url === '' || /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return url;
  logError(
    `The API's base URL '${url}' is not an http or https URL. The page's own origin is used. Correct the ` +
      "URL in the server's environment.",
  );
  return '';
}
