import { AsyncLocalStorage } from 'node:async_hooks';

interface OpenTransaction {
  open: boolean;
}

/**
 * Notices a query beside the handle of the transaction it is written in. The embedded database has one session: such a
 * query would wait for itself for ever. On PostgreSQL it would run, outside the transaction: wrong too. So both can
 * refuse.
 */
export class TransactionGuard {
  readonly #current = new AsyncLocalStorage<OpenTransaction>();
  readonly #byConnection = new WeakMap<object, OpenTransaction>();
  readonly #watches: boolean;

  /** `watches`: false refuses nothing and costs nothing. */
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
