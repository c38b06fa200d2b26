import type { Changed } from '#core/api';
import { ChangeSender, type LastChangeStore } from '#core/ui-data';
import { sendFiles, type HttpClient } from '#core/web';
import type { MediaItem } from '#plugins/media';
import type { deleteItem, saveItem } from '#plugins/media/api';
import type { BodyOf } from '#core';

export interface UploadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}
export type ItemValues = BodyOf<typeof saveItem>;

/** Uploads, changes and deletes images and videos, and reports each change so that it can be undone. */
export class ItemMutations {
  readonly #http: HttpClient;
  readonly #sender: ChangeSender;
  /** Uids by file, so that a retry after a lost reply does not add the file twice. */
  readonly #uids = new WeakMap<File, string>();

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#sender = new ChangeSender(http, lastChange, reload);
  }

  add(file: File, options: UploadOptions): Promise<void> {
    const uid = this.#uids.get(file) ?? crypto.randomUUID();
    this.#uids.set(file, uid);
    return this.#send(
      () => sendFiles<Changed>(this.#http, `/api/media/items/${uid}/file`, [file], options),
      'added',
      file.name,
    );
  }

  save({ uid: item }: MediaItem, body: ItemValues): Promise<void> {
    return this.#send(
      () => this.#http.call<typeof saveItem>('PUT', '/api/media/items/:item', { params: { item }, body }),
      'saved',
      body.title,
    );
  }

  saveCaptions({ uid, title, version }: MediaItem, file: File, options: UploadOptions): Promise<void> {
    const query = { version: String(version) };
    return this.#send(
      () => sendFiles<Changed>(this.#http, `/api/media/items/${uid}/captions`, [file], { ...options, query }),
      'saved',
      title,
    );
  }

  delete({ uid: item, title, version }: MediaItem): Promise<void> {
    return this.#send(
      () =>
        this.#http.call<typeof deleteItem>('DELETE', '/api/media/items/:item', {
          params: { item },
          query: { version },
        }),
      'deleted',
      title,
    );
  }

  #send(call: () => Promise<Changed>, kind: 'added' | 'saved' | 'deleted', name: string): Promise<void> {
    return this.#sender.send(call, {
      texts: { done: `media.item.done.${kind}`, undone: `media.item.undone.${kind}` },
      values: { name },
    });
  }
}
