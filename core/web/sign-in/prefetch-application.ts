import { basePath } from '#core';

/** Prefetches the application's first files while the person types, for a fast start after login. Ignores failures. */
export async function prefetchApplication(): Promise<void> {
  const response = await fetch(`${basePath}/index.html`, { credentials: 'same-origin' });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const prefetchSources: readonly (readonly [selector: string, attribute: string, as: string])[] = [
    ['link[rel=modulepreload]', 'href', 'script'],
    ['script[type=module][src]', 'src', 'script'],
    ['link[rel=stylesheet]', 'href', 'style'],
  ];
  for (const [selector, attribute, as] of prefetchSources) {
    for (const element of page.querySelectorAll(selector)) {
      const href = element.getAttribute(attribute);
      if (
        href === null ||
        document.querySelector(`[href=${JSON.stringify(href)}], [src=${JSON.stringify(href)}]`) !== null
      )
        continue;
      const link = document.createElement('link');
      Object.assign(link, { rel: 'prefetch', as, crossOrigin: 'anonymous', href });
      document.head.append(link);
    }
  }
}
