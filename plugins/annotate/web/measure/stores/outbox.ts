import type { BrowserStorage } from '#core/web';
import type { WrittenMeasurement } from '#plugins/annotate';

/** A measurement on its way to the server. */
export interface Unsent {
  readonly uid: string;
  readonly location: string;
  /** Null: to be deleted. */
  readonly written: WrittenMeasurement | null;
  /** When it was changed, ISO 8601. */
  readonly at: string;
  /** Of its own for each change: tells whether an answer is to the latest. */
  readonly change: string;
}

const key = 'annotate.outbox';

/** What the server has not confirmed yet, kept in the browser's storage until it has: a page that is closed or a session that ends loses nothing. */
export class Outbox {
  readonly #storage: BrowserStorage;

  constructor(storage: BrowserStorage) {
    this.#storage = storage;
  }

  get all(): readonly Unsent[] {
    return this.#storage.get<readonly Unsent[]>(key) ?? [];
  }

  find(uid: string): Unsent | undefined {
    return this.all.find((unsent) => unsent.uid === uid);
  }

  /** Replaces what was on its way for the same measurement. */
  put(unsent: Unsent): void {
    this.#write([...this.all.filter((other) => other.uid !== unsent.uid), unsent]);
  }

  take(uid: string): void {
    this.#write(this.all.filter((other) => other.uid !== uid));
  }

  #write(all: readonly Unsent[]): void {
    if (all.length === 0) this.#storage.remove(key);
    else this.#storage.set(key, all);
  }
}
