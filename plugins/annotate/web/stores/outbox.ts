import type { BrowserStorage } from '#core/web';

/** A change that the server has not confirmed. */
export interface UnsentChange<Input> {
  readonly uid: string;
  readonly location: string;
  /** The new input, or null for a deletion. */
  readonly written: Input | null;
  /** Time of the change, ISO 8601. */
  readonly at: string;
  /** A unique id that tells whether a reply belongs to this change or to an earlier one. */
  readonly change: string;
  /** Consecutive server errors of this change. */
  readonly faults?: number;
}

/** A change as it is stored, with its author. */
interface StoredChange<Input> extends UnsentChange<Input> {
  /** Username of the author, which is empty if unknown. */
  readonly author: string;
}

/**
 * Stores changes in the browser until the server has confirmed them, so that they survive a closed page and an expired
 * session. On a shared device, each change waits until its author signs in again.
 */
export class Outbox<Input> {
  readonly #storage: BrowserStorage;
  readonly #key: string;
  readonly #getUsername: () => string;

  /** @param getUsername returns the username of the signed-in person */
  constructor(storage: BrowserStorage, key: string, getUsername: () => string) {
    this.#storage = storage;
    this.#key = key;
    this.#getUsername = getUsername;
  }

  get all(): readonly UnsentChange<Input>[] {
    return this.#stored.filter((stored) => this.#isByUser(stored));
  }

  find(uid: string): UnsentChange<Input> | undefined {
    return this.all.find((unsent) => unsent.uid === uid);
  }

  /** Replaces the pending change of the same item. */
  put(unsent: UnsentChange<Input>): void {
    this.#write([...this.#omit(unsent.uid), { ...unsent, author: this.#getUsername() }]);
  }

  delete(uid: string): void {
    this.#write(this.#omit(uid));
  }

  /** Calls `listener` after another tab has changed the outbox. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#storage.onChange(this.#key, listener);
  }

  get #stored(): readonly StoredChange<Input>[] {
    return this.#storage.get<readonly StoredChange<Input>[]>(this.#key) ?? [];
  }

  #isByUser({ author }: StoredChange<Input>): boolean {
    return author === this.#getUsername() || author === '';
  }

  #omit(uid: string): readonly StoredChange<Input>[] {
    return this.#stored.filter((stored) => stored.uid !== uid || !this.#isByUser(stored));
  }

  #write(all: readonly StoredChange<Input>[]): void {
    if (all.length === 0) this.#storage.remove(this.#key);
    else this.#storage.set(this.#key, all);
  }
}
