import { action, makeObservable, observableRef } from 'mobx';
import { streamTopics } from '#core';
import { ApiError, sendFiles, type HttpClient, type ServerEvents } from '#core/web';
import type { SiteImportState } from '../../contract/api.ts';
import type { UploadState } from './import-uploads.ts';

export interface SendingSite {
  readonly uid: string;
  readonly file: File;
  readonly state: UploadState;
  /** Sent part, 0 to 1. */
  readonly fraction: number;
  readonly failure: unknown;
}

/** The upload of an exported site. It goes on while the person uses other screens, and after a lost connection. */
export class SiteUpload {
  sending: SendingSite | undefined = undefined;
  /** How many uploads were received, so that a screen can load its list again. */
  received = 0;
  readonly #http: HttpClient;
  #abort: AbortController | undefined;

  constructor(http: HttpClient, events: ServerEvents) {
    this.#http = http;
    makeObservable<this, 'update' | 'finish'>(this, {
      sending: observableRef,
      received: observableRef,
      update: action,
      finish: action,
    });
    const resume = (): void => {
      if (this.sending?.state === 'INTERRUPTED') void this.send(this.sending.file, this.sending.uid);
    };
    events.on(streamTopics.open, resume);
    window.addEventListener('online', resume);
    window.addEventListener('beforeunload', (event) => {
      if (this.sending && this.sending.state !== 'FAILED') event.preventDefault();
    });
  }

  /** Sends a file. The same uid makes a repeated upload the same import. */
  async send(file: File, uid: string = crypto.randomUUID()): Promise<void> {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
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
      const isLost = failure instanceof ApiError && failure.status === 0;
      update(isLost ? 'INTERRUPTED' : 'FAILED', this.sending?.fraction ?? 0, failure);
    }
  }

  cancel(): void {
    this.#abort?.abort();
    this.update(undefined);
  }

  private finish(): void {
    this.sending = undefined;
    this.received += 1;
  }

  private update(sending: SendingSite | undefined): void {
    this.sending = sending;
  }
}
