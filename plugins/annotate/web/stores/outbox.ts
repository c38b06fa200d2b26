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
  /** How often in a row the server answered it with a fault of its own. */
  readonly faults?: number;
}

/** As it lies in the storage. */
interface Stored<W> extends Unsent<W> {
  /** Username; empty where nobody knew it. */
  readonly author: string;
}

/**
 * What the server has not confirmed yet, kept in the browser's storage until it has: a page that is closed or a session
 * that ends loses nothing. On a shared tablet each person finds their own: what another left unsent waits until that
 * one signs in again.
 */
export class Outbox<W> {
  readonly #storage: BrowserStorage;
  readonly #key: string;
  readonly #me: () => string;

  /** `key`: its name in the storage. `me`: username of who is signed in. */
  constructor(storage: BrowserStorage, key: string, me: () => string) {
    this.#storage = storage;
    this.#key = key;
    this.#me = me;
  }

  get all(): readonly Unsent<W>[] {
    return this.#stored.filter((each) => this.#isMine(each));
  }

  find(uid: string): Unsent<W> | undefined {
    return this.all.find((unsent) => unsent.uid === uid);
  }

  /** Replaces what was on its way for the same thing. */
  put(unsent: Unsent<W>): void {
    this.#write([...this.#without(unsent.uid), { ...unsent, author: this.#me() }]);
  }

  delete(uid: string): void {
    this.#write(this.#without(uid));
  }

  get #stored(): readonly Stored<W>[] {
    return this.#storage.get<readonly Stored<W>[]>(this.#key) ?? [];
  }

  #isMine({ author }: Stored<W>): boolean {
    return author === this.#me() || author === '';
  }

  #without(uid: string): readonly Stored<W>[] {
    return this.#stored.filter((other) => other.uid !== uid || !this.#isMine(other));
  }

  #write(all: readonly Stored<W>[]): void {
    if (all.length === 0) this.#storage.remove(this.#key);
    else this.#storage.set(this.#key, all);
  }
}
