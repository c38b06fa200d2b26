import type { BrowserStorage } from '#core/web';

interface SharedValues {
  readonly values: Map<string, string>;
  readonly listeners: Map<() => void, { readonly tab: MemoryStorage; readonly key: string }>;
}

/** A browser storage that a test can pass to two pages in turn. */
export class MemoryStorage implements BrowserStorage {
  readonly #shared: SharedValues;

  constructor(shared: SharedValues = { values: new Map(), listeners: new Map() }) {
    this.#shared = shared;
  }

  /** Returns the same storage as another tab sees it. */
  openOtherTab(): MemoryStorage {
    return new MemoryStorage(this.#shared);
  }

  get<T>(key: string): T | undefined {
    const text = this.#shared.values.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }
  set(key: string, value: unknown): void {
    this.#shared.values.set(key, JSON.stringify(value));
    this.#notifyOtherTabs(key);
  }
  remove(key: string): void {
    this.#shared.values.delete(key);
    this.#notifyOtherTabs(key);
  }
  clear(): void {
    for (const key of [...this.#shared.values.keys()]) this.remove(key);
  }
  onChange(key: string, listener: () => void): () => void {
    this.#shared.listeners.set(listener, { tab: this, key });
    return () => void this.#shared.listeners.delete(listener);
  }

  #notifyOtherTabs(changedKey: string): void {
    for (const [listener, { tab, key }] of this.#shared.listeners) if (tab !== this && key === changedKey) listener();
  }
}
