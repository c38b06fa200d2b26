import type { Clock } from './clock.ts';

interface Entry<V> {
  readonly value: Promise<V>;
  readonly until: number;
  /** Known once loaded; what `dropWhere` looks at. */
  settled?: V;
}

/**
 * Values loaded on demand and kept for `lifetime` milliseconds at most, so that a lost announcement of a change heals
 * by itself. A value whose load had begun before it was dropped is handed to who waits for it and is not kept.
 * Concurrent callers share one load. A load that fails is not kept.
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
    const known = this.#entries.get(key);
    const now = this.#clock.now();
    if (known !== undefined && now < known.until) return known.value;

    const value = load();
    const entry: Entry<V> = { value, until: now + this.#lifetime };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    value.then(
      (settled) => {
        entry.settled = settled;
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    if (this.#entries.size > this.#capacity) this.#dropOldest();
    return value;
  }

  drop(key: string): void {
    this.#entries.delete(key);
  }

  /** Drops what matches, and every value still being loaded: nobody can say yet whether it matches. */
  dropWhere(matches: (value: V) => boolean): void {
    for (const [key, entry] of this.#entries)
      if (entry.settled === undefined || matches(entry.settled)) this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #dropOldest(): void {
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }
}
