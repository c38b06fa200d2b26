import { action, makeObservable, observableRef } from 'mobx';
import { streamTopics, type BodyOf } from '#core';
import { ApiError, sendFiles, type HttpClient, type ServerEvents } from '#core/web';
import type { createImport, Import } from '../../contract/api.ts';

export type NewImport = BodyOf<typeof createImport>;

/** Another import that is read once the first one is applied. */
export interface FollowingImport {
  readonly import: NewImport;
  readonly files: readonly File[];
}

/** INTERRUPTED: the connection was lost; the upload continues when it is back. FAILED: the server refused it. */
export type UploadState = 'SENDING' | 'INTERRUPTED' | 'FAILED';

export interface ImportUpload {
  readonly import: NewImport;
  readonly files: readonly File[];
  /** They are sent after the server has created this import. */
  readonly followers: readonly FollowingImport[];
  readonly state: UploadState;
  /** Sent part, 0 to 1. */
  readonly fraction: number;
  readonly failure: unknown;
}

/** Uploads of imports by uid. They go on while the person uses other screens, and after a lost connection. */
export class ImportUploads {
  uploads: ReadonlyMap<string, ImportUpload> = new Map();
  readonly #http: HttpClient;
  readonly #abortControllers = new Map<string, AbortController>();

  constructor(http: HttpClient, events: ServerEvents) {
    this.#http = http;
    makeObservable<this, 'update' | 'remove'>(this, { uploads: observableRef, update: action, remove: action });
    events.on(streamTopics.open, () => this.resume());
    window.addEventListener('online', () => this.resume());
    window.addEventListener('beforeunload', (event) => {
      if ([...this.uploads.values()].some(({ state }) => state !== 'FAILED')) event.preventDefault();
    });
  }

  find(uid: string): ImportUpload | undefined {
    return this.uploads.get(uid);
  }

  /** The uploads of the imports that follow the given one. */
  listFollowers(uid: string): readonly ImportUpload[] {
    return [...this.uploads.values()].filter((upload) => upload.import.follows === uid);
  }

  /**
   * Creates the import if it does not exist, and sends its files and the imports that follow it. The entry is removed
   * when its files are received.
   */
  async send(
    newImport: NewImport,
    files: readonly File[],
    followers: readonly FollowingImport[] = this.find(newImport.uid)?.followers ?? [],
  ): Promise<void> {
    const { uid } = newImport;
    const upload = { import: newImport, files, failure: undefined };
    const controller = new AbortController();
    this.#abortControllers.get(uid)?.abort();
    this.#abortControllers.set(uid, controller);
    const { signal } = controller;
    this.update({ ...upload, followers, state: 'SENDING', fraction: 0 });
    try {
      await this.#http.call<typeof createImport>('POST', '/api/imports', { body: newImport }, { signal });
      if (!signal.aborted) this.update({ ...upload, followers: [], state: 'SENDING', fraction: 0 });
      for (const follower of followers) void this.send(follower.import, follower.files);
      await sendFiles<Import>(this.#http, `/api/imports/${encodeURIComponent(uid)}/files`, files, {
        signal,
        onProgress: (fraction) => {
          if (!signal.aborted) this.update({ ...upload, followers: [], state: 'SENDING', fraction });
        },
      });
      if (!signal.aborted) this.remove(uid);
    } catch (failure) {
      if (signal.aborted) return;
      const state = failure instanceof ApiError && failure.status === 0 ? 'INTERRUPTED' : 'FAILED';
      const { fraction = 0, followers: unsent = [] } = this.find(uid) ?? {};
      this.update({ import: newImport, files, followers: unsent, state, fraction, failure });
    }
  }

  /** Sends interrupted uploads again. */
  resume(): void {
    for (const { state, files, import: newImport } of this.uploads.values())
      if (state === 'INTERRUPTED') void this.send(newImport, files);
  }

  /** Replaces the files of an upload that stopped. */
  setFiles(uid: string, files: readonly File[]): void {
    const upload = this.find(uid);
    if (upload) this.update({ ...upload, files });
  }

  /** Ends an upload. What the server has received stays. */
  cancel(uid: string): void {
    this.#abortControllers.get(uid)?.abort();
    this.remove(uid);
  }

  private update(upload: ImportUpload): void {
    this.uploads = new Map(this.uploads).set(upload.import.uid, upload);
  }

  private remove(uid: string): void {
    this.#abortControllers.delete(uid);
    this.uploads = new Map([...this.uploads].filter(([each]) => each !== uid));
  }
}
