import { inject, injectable } from 'inversify';
import { reaction } from 'mobx';
import { token } from '#core';
import { BrowserStorage, Session } from '#core/web';

/** A picture that is not uploaded yet. */
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
 * Stores pictures until they are uploaded. It uses IndexedDB, because pictures are too large for the web storage. A
 * logout deletes them.
 */
export const SnapshotImageStore = token<SnapshotImageStore>('annotate.SnapshotImageStore');
export interface SnapshotImageStore {
  loadAll(): Promise<readonly StoredImage[]>;
  put(image: StoredImage): Promise<void>;
  delete(uid: string): Promise<void>;
}

const databaseName = 'walkdown.annotate';
const storeName = 'picture';
/**
 * Key of a marker in the web storage. Each logout clears the web storage, even without an open tour. If the marker is
 * missing, the pictures are deleted.
 */
const markerKey = 'annotate.pictureBox';

/** Uses IndexedDB. Falls back to memory if IndexedDB is missing or full, or if the web storage does not work. */
@injectable()
export class IndexedSnapshotImageStore implements SnapshotImageStore {
  readonly #memory = new Map<string, StoredImage>();
  readonly #storage: BrowserStorage;
  #openedDatabase: Promise<IDBDatabase | undefined> | undefined;

  constructor(@inject(Session) session: Session, @inject(BrowserStorage) storage: BrowserStorage) {
    this.#storage = storage;
    reaction(
      () => session.state,
      (state) => void (state === 'signedOut' && this.#clear()),
    );
  }

  async loadAll(): Promise<readonly StoredImage[]> {
    if (this.#storage.get(markerKey) === undefined) await this.#clearDatabase();
    const storedImages = await this.#run<StoredImage[]>('readonly', (store) => store.getAll()).catch(() => undefined);
    return [...(storedImages ?? []).filter(({ uid }) => !this.#memory.has(uid)), ...this.#memory.values()];
  }

  async put(image: StoredImage): Promise<void> {
    this.#memory.set(image.uid, image);
    if (this.#storage.get(markerKey) === undefined) {
      await this.#clearDatabase();
      this.#storage.set(markerKey, true);
    }
    if (this.#storage.get(markerKey) === undefined) return;
    const key = await this.#run('readwrite', (store) => store.put(image)).catch(() => undefined);
    if (key !== undefined) this.#memory.delete(image.uid);
  }

  async delete(uid: string): Promise<void> {
    this.#memory.delete(uid);
    await this.#run('readwrite', (store) => store.delete(uid)).catch(() => undefined);
  }

  async #clear(): Promise<void> {
    this.#memory.clear();
    await this.#clearDatabase();
  }

  async #clearDatabase(): Promise<void> {
    await this.#run('readwrite', (store) => store.clear()).catch(() => undefined);
  }

  /** Runs a request and resolves when its transaction has ended. Undefined without a database. */
  async #run<T>(
    mode: IDBTransactionMode,
    createRequest: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined> {
    const database = await this.#open();
    if (!database) return undefined;
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = createRequest(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser could not store a picture.'));
    });
  }

  #open(): Promise<IDBDatabase | undefined> {
    this.#openedDatabase ??= new Promise((resolve) => {
      if (!('indexedDB' in globalThis)) return resolve(undefined);
      const request = indexedDB.open(databaseName, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'uid' });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
      request.onblocked = () => resolve(undefined);
    });
    return this.#openedDatabase;
  }
}
