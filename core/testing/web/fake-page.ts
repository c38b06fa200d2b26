import { basePath } from '#core';
import type { Page } from '#core/web';

/** Records navigations. */
export class FakePage implements Page {
  readonly opened: string[] = [];
  readonly externalUrls: string[] = [];
  reloads = 0;

  get url(): string {
    return window.location.pathname.slice(basePath.length) + window.location.search;
  }

  open(url: string): void {
    this.opened.push(url);
  }

  openExternal(url: string): void {
    this.externalUrls.push(url);
  }

  reload(): void {
    this.reloads += 1;
  }
}
