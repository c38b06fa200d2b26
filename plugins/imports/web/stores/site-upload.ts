import { action, makeObservable, observableRef } from 'mobx';
import { streamTopics } from '#core';
import { ApiError, sendFiles, type HttpClient, type ServerEvents } from '#core/web';
import type { SiteImportState } from '../../contract/api.ts';
import type { UploadState } from './import-uploads.ts';

export interface SiteUploadState {
  readonly uid: string;
  readonly file: File;
  readonly state: UploadState;
  /** Sent part, 0 to 1. */
  readonly fraction: number;
  readonly failure: unknown;
}

/** Uploads an exported site. An upload goes on while the person uses other screens, and after a lost connection. */
export class SiteUpload {
  currentUpload: SiteUploadState | undefined = undefined;
  /** Number of completed uploads. A screen reloads its list when it changes. */
  receivedCount = 0;
  readonly #http: HttpClient;
  #abortController: AbortController | undefined;

  constructor(http: HttpClient, events: ServerEvents) {
    this.#http = http;
    makeObservable<this, 'update' | 'finish'>(this, {
      currentUpload: observableRef,
      receivedCount: observableRef,
      update: action,
      finish: action,
    });
    const resume = (): void => {
      if (this.currentUpload?.state === 'INTERRUPTED') void this.send(this.currentUpload.file, this.currentUpload.uid);
    };
    events.on(streamTopics.open, resume);
    window.addEventListener('online', resume);
    window.addEventListener('beforeunload', (event) => {
      if (this.currentUpload && this.currentUpload.state !== 'FAILED') event.preventDefault();
    });
  }

  /** Sends a file. A repeated upload with the same uid belongs to the same import. */
  async send(file: File, uid: string = crypto.randomUUID()): Promise<void> {
    this.#abortController?.abort();
    const { signal } = (this.#abortController = new AbortController());
    const update = (state: UploadState, fraction: number, failure?: unknown): void => {
      if (!signal.aborted) this.update({ uid, file, state, fraction, failure });
    };
    update('SENDING', 0);
    try {
      await sendFiles<SiteImportState>(this.#http, `/api/site-imports/${encodeURIComponent(uid)}`, [file], {
        signal,
        onProgress: (fraction) => update('SENDING', fraction),
      });
      if (!signal.aborted) this.finish();
    } catch (failure) {
      const isConnectionLost = failure instanceof ApiError && failure.status === 0;
      update(isConnectionLost ? 'INTERRUPTED' : 'FAILED', this.currentUpload?.fraction ?? 0, failure);
    }
  }

  cancel(): void {
    this.#abortController?.abort();
    this.update(undefined);
  }

  private finish(): void {
    this.currentUpload = undefined;
    this.receivedCount += 1;
  }

  private update(upload: SiteUploadState | undefined): void {
    this.currentUpload = upload;
  }
}
