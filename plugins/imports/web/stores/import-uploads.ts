import { action, makeObservable, observableRef } from 'mobx';
import { streamTopics, type BodyOf } from '#core';
import { ApiError, sendFiles, type HttpClient, type ServerEvents } from '#core/web';
import type { createImport, Import } from '../../contract/api.ts';

export type NewImport = BodyOf<typeof createImport>;

/** INTERRUPTED: the connection was lost; the upload continues when it is back. FAILED: the server refused it. */
export type UploadState = 'SENDING' | 'INTERRUPTED' | 'FAILED';

export interface ImportUpload {
  readonly import: NewImport;
  readonly files: readonly File[];
  readonly state: UploadState;
  /** Sent part, 0 to 1. */
  readonly share: number;
  readonly failure: unknown;
}

/** Uploads of imports by uid. They go on while the person uses other screens, and after a lost connection. */
export class ImportUploads {
  uploads: ReadonlyMap<string, ImportUpload> = new Map();
  readonly #http: HttpClient;
  readonly #aborts = new Map<string, AbortController>();

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

  /** Creates the import if it does not exist, and sends its files. The entry is removed when they are received. */
  async send(newImport: NewImport, files: readonly File[]): Promise<void> {
    const { uid } = newImport;
    const controller = new AbortController();
    this.#aborts.get(uid)?.abort();
    this.#aborts.set(uid, controller);
    const { signal } = controller;
    this.update({ import: newImport, files, state: 'SENDING', share: 0, failure: undefined });
    try {
      await this.#http.call<typeof createImport>('POST', '/api/imports', { body: newImport }, { signal });
      await sendFiles<Import>(this.#http, `/api/imports/${encodeURIComponent(uid)}/files`, files, {
        signal,
        onProgress: (share) => {
          if (!signal.aborted) this.update({ import: newImport, files, state: 'SENDING', share, failure: undefined });
        },
      });
      if (!signal.aborted) this.remove(uid);
    } catch (failure) {
      if (signal.aborted) return;
      const state = failure instanceof ApiError && failure.status === 0 ? 'INTERRUPTED' : 'FAILED';
      this.update({ import: newImport, files, state, share: this.find(uid)?.share ?? 0, failure });
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
    this.#aborts.get(uid)?.abort();
    this.remove(uid);
  }

  private update(upload: ImportUpload): void {
    this.uploads = new Map(this.uploads).set(upload.import.uid, upload);
  }

  private remove(uid: string): void {
    this.#aborts.delete(uid);
    this.uploads = new Map([...this.uploads].filter(([each]) => each !== uid));
  }
}
