import type { BrowserStorage } from '#core/web';

/** A browser storage that a test can pass to two pages in turn. */
export class MemoryStorage implements BrowserStorage {
  readonly #values = new Map<string, string>();
  get<T>(key: string): T | undefined {
    const text = this.#values.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }
  set(key: string, value: unknown): void {
    this.#values.set(key, JSON.stringify(value));
  }
  remove(key: string): void {
    this.#values.delete(key);
  }
  clear(): void {
    this.#values.clear();
  }
}
