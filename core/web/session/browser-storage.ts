import { storageKeys } from '#core';
import { logError } from '../kernel/log.ts';
import type { BrowserStorage } from '../kernel/services.ts';

/** Prefix of all our keys: `clear` removes the keys of every plugin and no others. */
const prefix = 'walkdown.';

/** Keys per tab: two tabs may show two tours. */
const keysOfOneTab: ReadonlySet<string> = new Set([
  storageKeys.tourSession,
  storageKeys.tourCategory,
  storageKeys.modelView,
]);

/** Web storage that never throws: if it is full or blocked, it logs and drops the value. */
export class WebBrowserStorage implements BrowserStorage {
  readonly #shared: Storage;
  readonly #ofTab: Storage;

  constructor(shared: Storage = localStorage, ofTab: Storage = sessionStorage) {
    this.#shared = shared;
    this.#ofTab = ofTab;
  }

  get<T>(key: string): T | undefined {
    const text = this.#chooseStorage(key).getItem(prefix + key);
    if (text === null) return undefined;
    try {
      return JSON.parse(text) as T;
    } catch {
      return undefined;
    }
  }

  set(key: string, value: unknown): void {
    try {
      this.#chooseStorage(key).setItem(prefix + key, JSON.stringify(value));
    } catch (cause) {
      logError(`'${key}' could not be kept in the browser's storage: is it full, or forbidden for this site?`, cause);
    }
  }

  remove(key: string): void {
    this.#chooseStorage(key).removeItem(prefix + key);
  }

  clear(): void {
    for (const store of [this.#shared, this.#ofTab]) {
      for (const key of Object.keys(store)) if (key.startsWith(prefix)) store.removeItem(key);
    }
  }

  #chooseStorage(key: string): Storage {
    return keysOfOneTab.has(key) ? this.#ofTab : this.#shared;
  }
}
