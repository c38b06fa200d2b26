import { basePath, token } from '#core';

/** The browser's page, replaceable in tests. URLs are within the base path. */
export const Page = token<Page>('core.Page');
export interface Page {
  /** Loads a URL of the product as a new page, such as the login page. */
  open(url: string): void;
  /** Loads a URL outside the product. */
  openExternal(url: string): void;
  reload(): void;
  /** Current path within the base path, search and hash. */
  readonly url: string;
}

export class BrowserPage implements Page {
  get url(): string {
    const { pathname, search, hash } = window.location;
    return `${pathname.startsWith(basePath) ? pathname.slice(basePath.length) || '/' : pathname}${search}${hash}`;
  }

  open(url: string): void {
    window.location.assign(basePath + url);
  }

  openExternal(url: string): void {
    window.location.assign(url);
  }

  reload(): void {
    window.location.reload();
  }
}
