import type { Changed, undoChange } from '#core/api';
import { ApiError, type HttpClient } from '../kernel/services.ts';
import type { LastChange, LastChangeStore } from './last-change-store.ts';

/** Refusals that show that the screen's rows are outdated. */
const outdatedStatuses: readonly number[] = [403, 404, 409];

/** Undoes one change. Resolves to the uid of the undo, by which the change can be redone. */
export async function sendUndo(http: HttpClient, uid: string): Promise<string> {
  const { change } = await http.call<typeof undoChange>('POST', '/api/changes/:change/undo', {
    params: { change: uid },
    body: {},
  });
  return change ?? uid;
}

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
    if (uid !== null) this.report([uid], change);
  }

  /** Reports changes that were made, and reloads when one of them is undone. */
  report(uids: readonly string[], change: Pick<LastChange, 'texts' | 'values'>): void {
    this.#lastChange.report({ ...change, uids, undo: (uid) => this.#undo(uid) });
  }

  async #undo(uid: string): Promise<string> {
    try {
      return await sendUndo(this.#http, uid);
    } finally {
      await this.#reload();
    }
  }
}
