import { inject, injectable } from 'inversify';
import { reaction } from 'mobx';
import { token } from '#core';
import { BrowserStorage, Session } from '#core/web';

/** A picture that the server does not have yet. */
export interface StoredImage {
  /** Of its snapshot. */
  readonly uid: string;
  readonly location: string;
  /** Username of who took it: another person at the same browser does not send it. */
  readonly author: string;
  readonly picture: Blob;
  readonly thumbnail: Blob;
}

/** Pictures on their way to the server: too large for the web storage that keeps the words. Empty after a logout. */
export const SnapshotImageStore = token<SnapshotImageStore>('annotate.SnapshotImageStore');
export interface SnapshotImageStore {
  all(): Promise<readonly StoredImage[]>;
  put(held: StoredImage): Promise<void>;
  delete(uid: string): Promise<void>;
}

const databaseName = 'walkdown.annotate';
const storeName = 'picture';
/**
 * In the web storage, which every logout clears, also one at which no tour was open: where it is gone, so shall the
 * pictures be.
 */
const sign = 'annotate.pictureBox';

/**
 * In the browser's database; where it has none or no room, or keeps nothing in its web storage, in memory, as long as
 * the page lives.
 */
@injectable()
export class IndexedSnapshotImageStore implements SnapshotImageStore {
  readonly #memory = new Map<string, StoredImage>();
  readonly #storage: BrowserStorage;
  #opened: Promise<IDBDatabase | undefined> | undefined;

  constructor(@inject(Session) session: Session, @inject(BrowserStorage) storage: BrowserStorage) {
    this.#storage = storage;
    reaction(
      () => session.state,
      (state) => void (state === 'signedOut' && this.#clear()),
    );
  }

  async all(): Promise<readonly StoredImage[]> {
    if (this.#storage.get(sign) === undefined) await this.#clearDatabase();
    const kept = await this.#use<StoredImage[]>('readonly', (store) => store.getAll()).catch(() => undefined);
    return [...(kept ?? []).filter(({ uid }) => !this.#memory.has(uid)), ...this.#memory.values()];
  }

  async put(held: StoredImage): Promise<void> {
    this.#memory.set(held.uid, held);
    if (this.#storage.get(sign) === undefined) {
      await this.#clearDatabase();
      this.#storage.set(sign, true);
    }
    if (this.#storage.get(sign) === undefined) return;
    const kept = await this.#use('readwrite', (store) => store.put(held)).catch(() => undefined);
    if (kept !== undefined) this.#memory.delete(held.uid);
  }

  async delete(uid: string): Promise<void> {
    this.#memory.delete(uid);
    await this.#use('readwrite', (store) => store.delete(uid)).catch(() => undefined);
  }

  async #clear(): Promise<void> {
    this.#memory.clear();
    await this.#clearDatabase();
  }

  async #clearDatabase(): Promise<void> {
    await this.#use('readwrite', (store) => store.clear()).catch(() => undefined);
  }

  /** Resolves when the transaction has ended; undefined without a database. */
  async #use<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
    const database = await this.#open();
    if (!database) return undefined;
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = ask(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser gave up keeping a picture.'));
    });
  }

  #open(): Promise<IDBDatabase | undefined> {
    this.#opened ??= new Promise((resolve) => {
      if (!('indexedDB' in globalThis)) return resolve(undefined);
      const request = indexedDB.open(databaseName, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'uid' });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
      request.onblocked = () => resolve(undefined);
    });
    return this.#opened;
  }
}
