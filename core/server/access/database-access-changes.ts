import type { Database } from '../database/database.ts';
import type { AccessChange, AccessChanges } from './access-changes.ts';

const channel = 'core_access';

export class DatabaseAccessChanges implements AccessChanges {
  readonly #database: Database;
  readonly #listeners = new Set<(change: AccessChange) => void>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Subscribes to the changes of other processes. Resolves to a function that unsubscribes. */
  start(): Promise<() => Promise<void>> {
    return this.#database.listen(channel, (payload) => this.#notify(JSON.parse(payload) as AccessChange), {
      onMissed: () => this.#notify({ kind: 'anything' }),
    });
  }

  onChange(listener: (change: AccessChange) => void): void {
    this.#listeners.add(listener);
  }

  async announce(change: AccessChange): Promise<void> {
    this.#notify(change);
    await this.#database.notify(channel, JSON.stringify(change));
  }

  #notify(change: AccessChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
