import type { BrowserStorage } from '#core/web';

/** Something on its way to the server. */
export interface Unsent<W> {
  readonly uid: string;
  readonly location: string;
  /** Null: to be deleted. */
  readonly written: W | null;
  /** When it was changed, ISO 8601. */
  readonly at: string;
  /** Of its own for each change: tells whether an answer is to the latest. */
  readonly change: string;
}

/** What the server has not confirmed yet, kept in the browser's storage until it has: a page that is closed or a session that ends loses nothing. */
export class Outbox<W> {
  readonly #storage: BrowserStorage;
  readonly #key: string;

  /** `key`: its name in the storage. */
  constructor(storage: BrowserStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  get all(): readonly Unsent<W>[] {
    return this.#storage.get<readonly Unsent<W>[]>(this.#key) ?? [];
  }

  find(uid: string): Unsent<W> | undefined {
    return this.all.find((unsent) => unsent.uid === uid);
  }

  /** Replaces what was on its way for the same thing. */
  put(unsent: Unsent<W>): void {
    this.#write([...this.all.filter((other) => other.uid !== unsent.uid), unsent]);
  }

  take(uid: string): void {
    this.#write(this.all.filter((other) => other.uid !== uid));
  }

  #write(all: readonly Unsent<W>[]): void {
    if (all.length === 0) this.#storage.remove(this.#key);
    else this.#storage.set(this.#key, all);
  }
}
