import { AsyncLocalStorage } from 'node:async_hooks';

interface OpenTransaction {
  open: boolean;
}

/**
 * Detects queries that bypass their transaction. The embedded database has one session, so such a query
 * would deadlock. On PostgreSQL it would run outside the transaction.
 */
export class TransactionGuard {
  readonly #current = new AsyncLocalStorage<OpenTransaction>();
  readonly #byConnection = new WeakMap<object, OpenTransaction>();
  readonly #isEnabled: boolean;

  constructor(isEnabled: boolean) {
    this.#isEnabled = isEnabled;
    // Node tracks async contexts from the first use. A transaction as the first use would leak into pending operations.
    if (isEnabled) this.#current.run({ open: false }, () => undefined);
  }

  begin(connection: object): void {
    if (!this.#isEnabled) return;
    const transaction = { open: true };
    this.#byConnection.set(connection, transaction);
    this.#current.enterWith(transaction);
  }

  end(connection: object): void {
    const transaction = this.#byConnection.get(connection);
    if (transaction) transaction.open = false;
  }

  check(): void {
    if (!this.#isEnabled || !this.#current.getStore()?.open) return;
    throw new Error(
      'A query inside a transaction does not use the transaction. Use it for every query inside, and call functions ' +
        'that need another connection (events, jobs, other services) after the commit.',
    );
  }
}
