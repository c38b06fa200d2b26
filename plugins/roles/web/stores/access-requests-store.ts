import type { AccessRequest, Changed, declineAccessRequest, grantAccessRequest } from '#core/api';
import { LastChangeStore, sendUndo } from '#core/ui-data';
import { ApiError, type HttpClient } from '#core/web';

/** Grants and declines access requests. `lastChange` can undo each answer. Methods reject with `ApiError`. */
export class AccessRequestsStore {
  readonly lastChange = new LastChangeStore();
  readonly #http: HttpClient;
  readonly #reload: () => Promise<void>;

  /** `reload` loads the list of requests again. */
  constructor(http: HttpClient, reload: () => Promise<void>) {
    this.#http = http;
    this.#reload = reload;
  }

  grant(request: AccessRequest, role: string): Promise<void> {
    const call = this.#http.call<typeof grantAccessRequest>('POST', '/api/access-requests/:request/grant', {
      params: { request: request.uid },
      body: { role, version: request.version },
    });
    return this.#sendAnswer(call, 'granted', request);
  }

  decline(request: AccessRequest, reason: string): Promise<void> {
    const call = this.#http.call<typeof declineAccessRequest>('POST', '/api/access-requests/:request/decline', {
      params: { request: request.uid },
      body: { reason, version: request.version },
    });
    return this.#sendAnswer(call, 'declined', request);
  }

  async #sendAnswer(call: Promise<Changed>, kind: 'granted' | 'declined', { person }: AccessRequest): Promise<void> {
    try {
      const { change } = await call;
      if (change !== null)
        this.lastChange.report({
          uids: [change],
          texts: { done: `roles.done.${kind}`, undone: `roles.undone.${kind}` },
          values: { name: person.name },
          undo: (uid) => this.#undo(uid),
        });
    } catch (cause) {
      // Another admin has answered the request.
      if (cause instanceof ApiError && cause.status === 409) await this.#reload();
      throw cause;
    }
    await this.#reload();
  }

  async #undo(uid: string): Promise<string> {
    const undoReply = await sendUndo(this.#http, uid);
    await this.#reload();
    return undoReply;
  }
}
