import type { Clock } from './clock.ts';

interface Entry<V> {
  readonly value: Promise<V>;
  readonly expiresAt: number;
  /** Undefined while loading. */
  loadedValue?: V;
}

/**
 * Values loaded on demand and cached for at most `lifetime` milliseconds, which limits the effect of a lost
 * invalidation. Concurrent callers share one load. Failed loads, and loads that began before a drop, are not cached.
 */
export class TtlCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #clock: Clock;
  readonly #lifetime: number;
  readonly #capacity: number;

  constructor(options: { readonly clock: Clock; readonly lifetime: number; readonly capacity: number }) {
    this.#clock = options.clock;
    this.#lifetime = options.lifetime;
    this.#capacity = options.capacity;
  }

  get(key: string, load: () => Promise<V>): Promise<V> {
    const existingEntry = this.#entries.get(key);
    const now = this.#clock.now();
    if (existingEntry !== undefined && now < existingEntry.expiresAt) return existingEntry.value;

    const loading = load();
    const entry: Entry<V> = { value: loading, expiresAt: now + this.#lifetime };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    loading.then(
      (loadedValue) => {
        entry.loadedValue = loadedValue;
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    if (this.#entries.size > this.#capacity) this.#dropOldest();
    return loading;
  }

  drop(key: string): void {
    this.#entries.delete(key);
  }

  /** Drops matching values and every value still loading, which cannot be tested yet. */
  dropWhere(matches: (value: V) => boolean): void {
    for (const [key, entry] of this.#entries)
      if (entry.loadedValue === undefined || matches(entry.loadedValue)) this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #dropOldest(): void {
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }
}
