import { storageKeys } from '#core';
import { logError } from '../kernel/log.ts';
import type { BrowserStorage } from '../kernel/services.ts';

/** Prefix of all our keys, by which `clear` finds them. */
const prefix = 'walkdown.';

/** Keys that each tab stores for itself, because two tabs may show two tours. */
const tabKeys: ReadonlySet<string> = new Set([
  storageKeys.tourSession,
  storageKeys.tourCategory,
  storageKeys.modelView,
]);

/** Web storage that never throws. If it is full or blocked, it logs an error and drops the value. */
export class WebBrowserStorage implements BrowserStorage {
  readonly #sharedStorage: Storage;
  readonly #tabStorage: Storage;

  constructor(sharedStorage: Storage = localStorage, tabStorage: Storage = sessionStorage) {
    this.#sharedStorage = sharedStorage;
    this.#tabStorage = tabStorage;
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
      logError(
        `'${key}' could not be saved in the browser's storage. It may be full, or blocked for this site.`,
        cause,
      );
    }
  }

  remove(key: string): void {
    this.#chooseStorage(key).removeItem(prefix + key);
  }

  clear(): void {
    for (const store of [this.#sharedStorage, this.#tabStorage]) {
      for (const key of Object.keys(store)) if (key.startsWith(prefix)) store.removeItem(key);
    }
  }

  onChange(key: string, listener: () => void): () => void {
    const storage = this.#chooseStorage(key);
    const handleStorage = (event: StorageEvent): void => {
      // The key is null if the other tab has cleared the storage.
      if (event.storageArea === storage && (event.key === null || event.key === prefix + key)) listener();
    };
    window.addEventListener('storage', handleStorage);
    return () => window.removeEventListener('storage', handleStorage);
  }

  #chooseStorage(key: string): Storage {
    return tabKeys.has(key) ? this.#tabStorage : this.#sharedStorage;
  }
}
