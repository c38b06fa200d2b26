import type { BodyOf } from '#core';
import { ChangeSender, type LastChangeStore } from '#core/ui-data';
import type { HttpClient } from '#core/web';
import type { Notice } from '#plugins/media';
import type { deleteNotice, saveNotice } from '#plugins/media/api';

export const noticeChangeKinds = ['saved', 'takenBack'] as const;
const toTexts = (kind: (typeof noticeChangeKinds)[number]) => ({
  done: `media.notice.done.${kind}`,
  undone: `media.notice.undone.${kind}`,
});

/** Saves notices and takes them back, and reports each change so that it can be undone. */
export class NoticeMutations {
  readonly #http: HttpClient;
  readonly #sender: ChangeSender;

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#sender = new ChangeSender(http, lastChange, reload);
  }

  /** `version` is 0 for a new notice. Its uid ensures that a retry creates no second one. */
  save(notice: string, body: BodyOf<typeof saveNotice>): Promise<void> {
    const call = () =>
      this.#http.call<typeof saveNotice>('PUT', '/api/media/notices/:notice', { params: { notice }, body });
    return this.#sender.send(call, { texts: toTexts('saved'), values: {} });
  }

  takeBack({ uid: notice, version }: Notice): Promise<void> {
    const call = () =>
      this.#http.call<typeof deleteNotice>('DELETE', '/api/media/notices/:notice', {
        params: { notice },
        query: { version },
      });
    return this.#sender.send(call, { texts: toTexts('takenBack'), values: {} });
  }
}
