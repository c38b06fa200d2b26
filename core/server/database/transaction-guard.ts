import { AsyncLocalStorage } from 'node:async_hooks';

interface OpenTransaction {
  open: boolean;
}

/**
 * Detects queries that bypass the handle of their transaction. The embedded database has one session, so such a query
 * would deadlock. On PostgreSQL it would run outside the transaction.
 */
export class TransactionGuard {
  readonly #current = new AsyncLocalStorage<OpenTransaction>();
  readonly #byConnection = new WeakMap<object, OpenTransaction>();
  readonly #watches: boolean;

  /** `watches`: false disables the guard, at no cost. */
  constructor(watches: boolean) {
    this.#watches = watches;
  }

  begin(connection: object): void {
    if (!this.#watches) return;
    const transaction = { open: true };
    this.#byConnection.set(connection, transaction);
    this.#current.enterWith(transaction);
  }

  end(connection: object): void {
    const transaction = this.#byConnection.get(connection);
    if (transaction) transaction.open = false;
  }

  check(): void {
    if (!this.#watches || !this.#current.getStore()?.open) return;
    throw new Error(
      'The database was asked inside a transaction, but not through the handle that the transaction gave. Use that ' +
        'handle for every query in it, and do what needs another connection (events, jobs, other services) after ' +
        'the commit.',
    );
  }
}
