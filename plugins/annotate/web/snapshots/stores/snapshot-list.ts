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
import type { SnapshotPicture } from '../viewer/snapshot-camera.ts';
import type { StoredImage, SnapshotImageStore } from './snapshot-image-store.ts';

export type ListedSnapshot = Listed<Snapshot>;

/**
 * The state of a picture in this browser. `fraction` is the progress of the upload from 0 to 1. `waiting` waits for the
 * connection, and `failed` means repeated server errors.
 */
export type PictureUpload =
  | { readonly state: 'sending'; readonly fraction: number }
  | { readonly state: 'waiting' | 'refused' | 'failed' };

/** Long enough for a large picture over a slow connection. */
const uploadTimeoutMs = 10 * 60_000;

/**
 * The snapshots of a tour. Their data is synchronized as in other lists. Each picture has the uid of its snapshot and
 * is uploaded after the data.
 */
export class SnapshotList extends SyncedList<SnapshotInput, Snapshot> {
  /** States of the pictures in this browser, by uid. */
  uploads: ReadonlyMap<string, PictureUpload> = new Map();
  /** Object URLs of the thumbnails in this browser, by uid. */
  thumbnails: ReadonlyMap<string, string> = new Map();
  readonly #http: HttpClient;
  readonly #imageStore: SnapshotImageStore;
  readonly #author: () => string;
  #uploading: Promise<void> | undefined;
  #uploadRequested = false;
  /**
   * Uids of snapshots whose picture is stored but whose data is not in the outbox yet. The server would refuse such a
   * picture as if the snapshot had been deleted.
   */
  readonly #withoutData = new Set<string>();
  /** Consecutive server errors of each picture. */
  readonly #faults = new Map<string, number>();

  constructor(options: SyncedListOptions, imageStore: SnapshotImageStore) {
    const { http, getAuthor } = options;
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
        toItem: (input, storedFields, previous) => ({
          ...input,
          ...toStoredFields(storedFields),
          tagNumber: previous?.tagNumber ?? null,
          picture: previous?.picture ?? null,
        }),
        isComplete: ({ picture }) => picture !== null,
      },
      options,
    );
    this.#http = http;
    this.#imageStore = imageStore;
    this.#author = () => getAuthor().username;
    makeObservable<this, 'setUpload' | 'setThumbnail'>(this, {
      uploads: observableRef,
      thumbnails: observableRef,
      setUpload: action,
      setThumbnail: action,
    });
  }

  /** Includes the snapshots whose picture is not on the server yet. */
  override get unsaved(): ReadonlySet<string> {
    const pictures = [...this.uploads].filter(([, { state }]) => state !== 'sending').map(([uid]) => uid);
    const isSending = (uid: string): boolean =>
      this.all.some((snapshot) => snapshot.uid === uid && snapshot.sync.state === 'saving');
    return new Set([...super.unsaved, ...pictures.filter((uid) => !isSending(uid))]);
  }

  /** Adds a snapshot with its picture. */
  async add(uid: string, location: string, input: SnapshotInput, picture: SnapshotPicture): Promise<void> {
    const image = { uid, location, author: this.#author(), ...picture };
    this.#showStoredImage(image);
    this.#withoutData.add(uid);
    await this.#imageStore.put(image);
    const completion = this.save(uid, location, input);
    this.#withoutData.delete(uid);
    await completion;
    await this.#uploadPictures();
  }

  /** Deletes a snapshot and its picture permanently. */
  async discard(uid: string): Promise<void> {
    this.setThumbnail(uid, undefined);
    this.setUpload(uid, undefined);
    await Promise.all([this.#imageStore.delete(uid), this.remove(uid)]);
  }

  override async sendUnsent(): Promise<void> {
    await super.sendUnsent();
    await this.#uploadPictures();
  }

  override async resendAll(): Promise<void> {
    this.#faults.clear();
    for (const [uid, { state }] of this.uploads) if (state === 'failed') this.setUpload(uid, { state: 'waiting' });
    await super.resendAll();
  }

  /** Loads the picture from the server or this browser. @throws ApiError if neither has it */
  async loadPicture({ uid, picture }: Snapshot): Promise<Blob> {
    if (picture) return this.#http.raw<Blob>({ method: 'GET', url: picture.address, responseType: 'blob' });
    const image = (await this.#imageStore.loadAll()).find((storedImage) => storedImage.uid === uid);
    if (!image) throw new ApiError(404, undefined);
    return image.picture;
  }

  #uploadPictures(): Promise<void> {
    this.#uploadRequested = true;
    this.#uploading ??= this.#runUploads().finally(() => (this.#uploading = undefined));
    return this.#uploading;
  }

  async #runUploads(): Promise<void> {
    while (this.#uploadRequested) {
      this.#uploadRequested = false;
      const ownImages = (await this.#imageStore.loadAll()).filter(
        ({ uid, author }) => author === this.#author() && !this.#withoutData.has(uid),
      );
      for (const image of ownImages) await this.#uploadPicture(image);
    }
  }

  async #uploadPicture(image: StoredImage): Promise<void> {
    const { uid, location } = image;
    if (this.all.find((snapshot) => snapshot.uid === uid)?.picture) return this.#removeImage(uid);
    const previous = this.uploads.get(uid)?.state;
    if (previous === 'refused' || previous === 'failed') return;
    this.#showStoredImage(image);
    // The data is sent first, because the server refuses a picture of an unknown snapshot.
    if (this.hasUnsentChange(uid) || this.isDelayed) return;
    const form = new FormData();
    form.append('picture', image.picture, 'picture.jpg');
    form.append('thumbnail', image.thumbnail, 'thumbnail.jpg');
    this.setUpload(uid, { state: 'sending', fraction: 0 });
    try {
      const { picture } = await this.#http.raw<Snapshot>({
        method: 'PUT',
        url: `/api/annotate/${encodeURIComponent(location)}/snapshots/${uid}/picture`,
        data: form,
        timeout: uploadTimeoutMs,
        onUploadProgress: ({ loaded, total }) =>
          this.setUpload(uid, { state: 'sending', fraction: total ? loaded / total : 0 }),
      });
      this.replace(uid, (snapshot) => ({ ...snapshot, picture }));
      await this.#removeImage(uid);
    } catch (cause) {
      const status = cause instanceof ApiError ? cause.status : 0;
      if (cause instanceof ApiError) this.scheduleRetry(cause);
      // The snapshot was deleted during the upload.
      if (status === 404) await this.#removeImage(uid);
      else this.setUpload(uid, { state: isRefused(status) ? 'refused' : this.#countFault(uid, status) });
    }
  }

  /** Counts a server error. Returns the resulting state of the upload. */
  #countFault(uid: string, status: number): 'waiting' | 'failed' {
    if (status < 500) return 'waiting';
    const faults = (this.#faults.get(uid) ?? 0) + 1;
    this.#faults.set(uid, faults);
    return faults < maxFaults ? 'waiting' : 'failed';
  }

  async #removeImage(uid: string): Promise<void> {
    this.#faults.delete(uid);
    this.setUpload(uid, undefined);
    this.setThumbnail(uid, undefined);
    await this.#imageStore.delete(uid);
  }

  #showStoredImage({ uid, thumbnail }: StoredImage): void {
    if (!this.uploads.has(uid)) this.setUpload(uid, { state: 'waiting' });
    if (!this.thumbnails.has(uid)) this.setThumbnail(uid, URL.createObjectURL(thumbnail));
  }

  private setUpload(uid: string, upload: PictureUpload | undefined): void {
    this.uploads = withEntry(this.uploads, uid, upload);
  }

  private setThumbnail(uid: string, url: string | undefined): void {
    const previous = this.thumbnails.get(uid);
    if (previous !== undefined) URL.revokeObjectURL(previous);
    this.thumbnails = withEntry(this.thumbnails, uid, url);
  }
}

function withEntry<T>(map: ReadonlyMap<string, T>, key: string, value: T | undefined): ReadonlyMap<string, T> {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
}
