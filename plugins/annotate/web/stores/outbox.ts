import type { BrowserStorage } from '#core/web';

/** A change that is not confirmed yet. */
export interface Unsent<W> {
  readonly uid: string;
  readonly location: string;
  /** Null to delete it. */
  readonly written: W | null;
  /** Time of the change, ISO 8601. */
  readonly at: string;
  /** Unique for each change; identifies the change that a reply belongs to. */
  readonly change: string;
  /** Consecutive server errors of this change. */
  readonly faults?: number;
}

/** The stored format. */
interface Stored<W> extends Unsent<W> {
  /** Username; empty if unknown. */
  readonly author: string;
}

/**
 * Changes that the server has not confirmed, in the browser's storage, so that neither a closed page nor an expired
 * session loses them. On a shared device each change waits until its own author signs in again.
 */
export class Outbox<W> {
  readonly #storage: BrowserStorage;
  readonly #key: string;
  readonly #me: () => string;

  /** `key`: name in the storage. `me`: username of the signed-in person. */
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

  /** Replaces the pending change of the same item. */
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
