import { action, makeObservable, observableRef } from 'mobx';
import { ApiError, type HttpClient } from '#core/web';
import type { Snapshot, SnapshotInput } from '#plugins/annotate';
import type { deleteSnapshot, listSnapshots, putSnapshot, snapshotChanged } from '#plugins/annotate/api';
import {
  isRefused,
  toStoredFields,
  maxFaults,
  SyncedList,
  type Listed,
  type SyncedListOptions,
} from '../../stores/synced-list.ts';
import type { TakenPicture } from '../viewer/snapshot-camera.ts';
import type { StoredImage, SnapshotImageStore } from './snapshot-image-store.ts';

export type ListedSnapshot = Listed<Snapshot>;

/**
 * State of a picture that the server does not have: uploading (progress 0 to 1), waiting for the connection, refused,
 * or failed after repeated server errors.
 */
export type PictureSending =
  | { readonly state: 'sending'; readonly share: number }
  | { readonly state: 'waiting' | 'refused' | 'failed' };

/** Milliseconds, enough for a large picture over a slow connection. */
const uploadTimeout = 10 * 60_000;

/**
 * The snapshots of a tour. Their data is synchronized as in other lists. Each picture has its snapshot's uid and is
 * uploaded after the data.
 */
export class SnapshotList extends SyncedList<SnapshotInput, Snapshot> {
  /** States of the pictures in this browser, by uid. */
  sendings: ReadonlyMap<string, PictureSending> = new Map();
  /** Addresses of the thumbnails in this browser, by uid. */
  thumbnails: ReadonlyMap<string, string> = new Map();
  readonly #http: HttpClient;
  readonly #images: SnapshotImageStore;
  readonly #author: () => string;
  #sending: Promise<void> | undefined;
  #again = false;
  /**
   * Pictures whose data is not in the outbox yet. The server would refuse them as if their snapshot had been deleted.
   */
  readonly #withoutText = new Set<string>();
  /** Consecutive server errors of each picture. */
  readonly #faults = new Map<string, number>();

  constructor(options: SyncedListOptions, box: SnapshotImageStore) {
    const { http, me } = options;
    super(
      {
        outbox: 'annotate.snapshotOutbox',
        topic: 'annotate.snapshotChanged' satisfies (typeof snapshotChanged)['topic'],
        list: (location, query) =>
          http.call<typeof listSnapshots>('GET', '/api/annotate/:location/snapshots', {
            params: { location },
            query,
          }),
        put: (location, uid, body) =>
          http.call<typeof putSnapshot>('PUT', '/api/annotate/:location/snapshots/:uid', {
            params: { location, uid },
            body,
          }),
        remove: (location, uid) =>
          http.call<typeof deleteSnapshot>('DELETE', '/api/annotate/:location/snapshots/:uid', {
            params: { location, uid },
          }),
        toInput: ({ name, text, tag, marks, tour, node, view, shared, version }) => ({
          name,
          text,
          tag,
          marks,
          tour,
          node,
          view,
          shared,
          version,
        }),
        toItem: (written, kept, known) => ({
          ...written,
          ...toStoredFields(kept),
          tagNumber: known?.tagNumber ?? null,
          picture: known?.picture ?? null,
        }),
        isComplete: ({ picture }) => picture !== null,
      },
      options,
    );
    this.#http = http;
    this.#images = box;
    this.#author = () => me().username;
    makeObservable<this, 'setSending' | 'setThumbnail'>(this, {
      sendings: observableRef,
      thumbnails: observableRef,
      setSending: action,
      setThumbnail: action,
    });
  }

  /** Adds a snapshot with its picture. */
  async add(uid: string, location: string, written: SnapshotInput, taken: TakenPicture): Promise<void> {
    const held = { uid, location, author: this.#author(), ...taken };
    this.#hold(held);
    this.#withoutText.add(uid);
    await this.#images.put(held);
    const sent = this.save(uid, location, written);
    this.#withoutText.delete(uid);
    await sent;
    await this.#sendPictures();
  }

  /** Deletes a snapshot and its picture for good. */
  async discard(uid: string): Promise<void> {
    this.setThumbnail(uid, undefined);
    this.setSending(uid, undefined);
    await Promise.all([this.#images.delete(uid), this.remove(uid)]);
  }

  override async sendWaiting(): Promise<void> {
    await super.sendWaiting();
    await this.#sendPictures();
  }

  override async resendAll(): Promise<void> {
    this.#faults.clear();
    for (const [uid, { state }] of this.sendings) if (state === 'failed') this.setSending(uid, { state: 'waiting' });
    await super.resendAll();
  }

  /** The bytes, from this browser or the server. Rejects with an `ApiError` if neither has them. */
  async loadPicture({ uid, picture }: Snapshot): Promise<Blob> {
    if (picture) return this.#http.raw<Blob>({ method: 'GET', url: picture.address, responseType: 'blob' });
    const held = (await this.#images.all()).find((each) => each.uid === uid);
    if (!held) throw new ApiError(404, undefined);
    return held.picture;
  }

  #sendPictures(): Promise<void> {
    this.#again = true;
    this.#sending ??= this.#sendRounds().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #sendRounds(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const mine = (await this.#images.all()).filter(
        ({ uid, author }) => author === this.#author() && !this.#withoutText.has(uid),
      );
      for (const held of mine) await this.#sendPicture(held);
    }
  }

  async #sendPicture(held: StoredImage): Promise<void> {
    const { uid, location } = held;
    if (this.all.find((each) => each.uid === uid)?.picture) return this.#arrived(uid);
    const before = this.sendings.get(uid)?.state;
    if (before === 'refused' || before === 'failed') return;
    this.#hold(held);
    // The data goes first: the server refuses a picture of an unknown snapshot.
    if (this.waits(uid) || this.isHeldBack) return;
    const form = new FormData();
    form.append('picture', held.picture, 'picture.jpg');
    form.append('thumbnail', held.thumbnail, 'thumbnail.jpg');
    this.setSending(uid, { state: 'sending', share: 0 });
    try {
      const { picture } = await this.#http.raw<Snapshot>({
        method: 'PUT',
        url: `/api/annotate/${encodeURIComponent(location)}/snapshots/${uid}/picture`,
        data: form,
        timeout: uploadTimeout,
        onUploadProgress: ({ loaded, total }) =>
          this.setSending(uid, { state: 'sending', share: total ? loaded / total : 0 }),
      });
      this.replace(uid, (each) => ({ ...each, picture }));
      await this.#arrived(uid);
    } catch (cause) {
      const status = cause instanceof ApiError ? cause.status : 0;
      if (cause instanceof ApiError) this.scheduleRetry(cause);
      // Deleted meanwhile, here or in another tab.
      if (status === 404) await this.#arrived(uid);
      else this.setSending(uid, { state: isRefused(status) ? 'refused' : this.#stateAfter(uid, status) });
    }
  }

  #stateAfter(uid: string, status: number): 'waiting' | 'failed' {
    if (status < 500) return 'waiting';
    const faults = (this.#faults.get(uid) ?? 0) + 1;
    this.#faults.set(uid, faults);
    return faults < maxFaults ? 'waiting' : 'failed';
  }

  async #arrived(uid: string): Promise<void> {
    this.#faults.delete(uid);
    this.setSending(uid, undefined);
    this.setThumbnail(uid, undefined);
    await this.#images.delete(uid);
  }

  #hold({ uid, thumbnail }: StoredImage): void {
    if (!this.sendings.has(uid)) this.setSending(uid, { state: 'waiting' });
    if (!this.thumbnails.has(uid)) this.setThumbnail(uid, URL.createObjectURL(thumbnail));
  }

  private setSending(uid: string, sending: PictureSending | undefined): void {
    this.sendings = withEntry(this.sendings, uid, sending);
  }

  private setThumbnail(uid: string, address: string | undefined): void {
    const before = this.thumbnails.get(uid);
    if (before !== undefined) URL.revokeObjectURL(before);
    this.thumbnails = withEntry(this.thumbnails, uid, address);
  }
}

function withEntry<T>(map: ReadonlyMap<string, T>, key: string, value: T | undefined): ReadonlyMap<string, T> {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
}
