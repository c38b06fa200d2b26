import type { StoredImage } from '../../web/snapshots/stores/snapshot-image-store.ts';

interface Asked {
  result: unknown;
  onsuccess?: () => void;
}

/**
 * The part of IndexedDB that the picture store uses: one store, whose changes are visible when the transaction has
 * ended. jsdom has none.
 */
export class MemoryDatabase {
  readonly images = new Map<string, StoredImage>();

  open(): Asked {
    const asked: Asked = { result: this };
    queueMicrotask(() => asked.onsuccess?.());
    return asked;
  }

  transaction(): { readonly objectStore: () => unknown; oncomplete?: () => void } {
    const done = <T>(result: T): { readonly result: T } => {
      queueMicrotask(() => transaction.oncomplete?.());
      return { result };
    };
    const store = {
      getAll: () => done([...this.images.values()]),
      put: (picture: StoredImage) => {
        this.images.set(picture.uid, picture);
        return done(picture.uid);
      },
      delete: (uid: string) => done(this.images.delete(uid)),
      clear: () => done(this.images.clear()),
    };
    const transaction: ReturnType<MemoryDatabase['transaction']> = { objectStore: () => store };
    return transaction;
  }
}
