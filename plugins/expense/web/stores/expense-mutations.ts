import type { BodyOf } from '#core';
import { ChangeSender, type LastChangeStore } from '#core/ui-data';
import type { HttpClient } from '#core/web';
import type { deleteEstimation, saveEstimation } from '../../contract/api.ts';

/** Changes the estimation of a site, reloads it, and reports each change so that it can be undone. */
export class ExpenseMutations {
  readonly #http: HttpClient;
  readonly #sender: ChangeSender;

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#sender = new ChangeSender(http, lastChange, reload);
  }

  save(location: string, name: string, body: BodyOf<typeof saveEstimation>): Promise<void> {
    const call = () =>
      this.#http.call<typeof saveEstimation>('PUT', '/api/expense/:location', { params: { location }, body });
    return this.#sender.send(call, {
      texts: { done: 'expense.done.saved', undone: 'expense.undone.saved' },
      values: { name },
    });
  }

  delete(location: string, name: string, version: number): Promise<void> {
    const request = { params: { location }, query: { version } };
    const call = () => this.#http.call<typeof deleteEstimation>('DELETE', '/api/expense/:location', request);
    return this.#sender.send(call, {
      texts: { done: 'expense.done.deleted', undone: 'expense.undone.deleted' },
      values: { name },
    });
  }
}
