import { basePath, token } from '#core';

/** The browser's page, replaceable in tests. Addresses are within the base path. */
export const Page = token<Page>('core.Page');
export interface Page {
  /** Loads an address of the product as a new page, such as the login page. */
  open(address: string): void;
  /** Loads an address outside the product. */
  openExternal(url: string): void;
  reload(): void;
  /** Current path within the base path, search and hash. */
  readonly address: string;
}

export class BrowserPage implements Page {
  get address(): string {
    const { pathname, search, hash } = window.location;
    return `${pathname.startsWith(basePath) ? pathname.slice(basePath.length) || '/' : pathname}${search}${hash}`;
  }

  open(address: string): void {
    window.location.assign(basePath + address);
  }

  openExternal(url: string): void {
    window.location.assign(url);
  }

  reload(): void {
    window.location.reload();
  }
}
