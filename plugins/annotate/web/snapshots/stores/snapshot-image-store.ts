import { inject, injectable } from 'inversify';
import { reaction } from 'mobx';
import { token } from '#core';
import { BrowserStorage, Session } from '#core/web';

/** A picture that the server does not have yet. */
export interface StoredImage {
  /** Uid of its snapshot. */
  readonly uid: string;
  readonly location: string;
  /** Username of its author. Another person in the same browser does not send it. */
  readonly author: string;
  readonly picture: Blob;
  readonly thumbnail: Blob;
}

/**
 * Pictures that wait for upload, in IndexedDB because they are too large for the web storage that contains the other
 * data. A logout deletes them.
 */
export const SnapshotImageStore = token<SnapshotImageStore>('annotate.SnapshotImageStore');
export interface SnapshotImageStore {
  all(): Promise<readonly StoredImage[]>;
  put(image: StoredImage): Promise<void>;
  delete(uid: string): Promise<void>;
}

const databaseName = 'walkdown.annotate';
const storeName = 'picture';
/**
 * Marker in the web storage, which every logout clears, also without an open tour. Without the marker the pictures are
 * deleted.
 */
const sign = 'annotate.pictureBox';

/** Uses IndexedDB. Falls back to memory if IndexedDB is missing or full, or if the web storage does not work. */
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
    const saved = await this.#use<StoredImage[]>('readonly', (store) => store.getAll()).catch(() => undefined);
    return [...(saved ?? []).filter(({ uid }) => !this.#memory.has(uid)), ...this.#memory.values()];
  }

  async put(image: StoredImage): Promise<void> {
    this.#memory.set(image.uid, image);
    if (this.#storage.get(sign) === undefined) {
      await this.#clearDatabase();
      this.#storage.set(sign, true);
    }
    if (this.#storage.get(sign) === undefined) return;
    const saved = await this.#use('readwrite', (store) => store.put(image)).catch(() => undefined);
    if (saved !== undefined) this.#memory.delete(image.uid);
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
