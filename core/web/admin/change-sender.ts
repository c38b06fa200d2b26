import type { Changed, undoChange } from '#core/api';
import { ApiError, type HttpClient } from '../kernel/services.ts';
import type { LastChange, LastChangeStore } from './last-change-store.ts';

/** Refusals that show that the screen's rows are outdated. */
const outdatedStatuses: readonly number[] = [403, 404, 409];

/** Sends changes, reloads what they concern, and reports each one so that it can be undone. */
export class ChangeSender {
  readonly #http: HttpClient;
  readonly #lastChange: LastChangeStore;
  readonly #reload: () => Promise<void>;

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#lastChange = lastChange;
    this.#reload = reload;
  }

  /** @throws ApiError after outdated rows are loaded again */
  async send(call: () => Promise<Changed>, change: Pick<LastChange, 'texts' | 'values'>): Promise<void> {
    let uid: string | null;
    try {
      ({ change: uid } = await call());
    } catch (cause) {
      if (cause instanceof ApiError && outdatedStatuses.includes(cause.status)) await this.#reload();
      throw cause;
    }
    await this.#reload();
    if (uid !== null) this.#lastChange.report({ ...change, uids: [uid], undo: (each) => this.#undo(each) });
  }

  async #undo(uid: string): Promise<string> {
    try {
      const { change } = await this.#http.call<typeof undoChange>('POST', '/api/changes/:change/undo', {
        params: { change: uid },
        body: {},
      });
      return change ?? uid;
    } finally {
      await this.#reload();
    }
  }
}
