import type { StoredImage } from '../../web/snapshots/stores/snapshot-image-store.ts';

interface FakeRequest {
  result: unknown;
  onsuccess?: () => void;
}

/**
 * Replaces IndexedDB, which jsdom does not have. It supports only what the picture store uses: one object store, whose
 * changes are visible when the transaction has ended.
 */
export class MemoryDatabase {
  readonly images = new Map<string, StoredImage>();

  open(): FakeRequest {
    const request: FakeRequest = { result: this };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  }

  transaction(): { readonly objectStore: () => unknown; oncomplete?: () => void } {
    const complete = <T>(result: T): { readonly result: T } => {
      queueMicrotask(() => transaction.oncomplete?.());
      return { result };
    };
    const store = {
      getAll: () => complete([...this.images.values()]),
      put: (picture: StoredImage) => {
        this.images.set(picture.uid, picture);
        return complete(picture.uid);
      },
      delete: (uid: string) => complete(this.images.delete(uid)),
      clear: () => complete(this.images.clear()),
    };
    const transaction: ReturnType<MemoryDatabase['transaction']> = { objectStore: () => store };
    return transaction;
  }
}
