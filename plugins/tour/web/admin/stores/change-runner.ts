import type { Changed } from '#core/api';
import { ChangeSender, type LastChangeStore } from '#core/ui-data';
import { ApiError, type HttpClient } from '#core/web';
import type { ContentChangeKind } from './content-change-kinds.ts';

/** The values of the message about a change. */
export interface ChangeSubject {
  readonly name: string;
  readonly count?: number;
}

/** HTTP statuses of refusals because the content on screen is outdated. */
const outdatedStatuses: readonly number[] = [403, 404, 409];

/** Sends changes, reloads the changed content, and reports each change so that it can be undone. */
export class ChangeRunner {
  readonly #sender: ChangeSender;
  readonly #reload: () => Promise<void>;

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#sender = new ChangeSender(http, lastChange, reload);
    this.#reload = reload;
  }

  /**
   * Sends requests one after another. If one is refused, the changes before it are reported nevertheless.
   *
   * @param kind kind of the change, or a function that returns it for the number of changed rows. Use a function if the
   *   requests make changes of different kinds, because a refusal may prevent the later ones
   * @param rowCounts number of rows of each request. Default: one
   * @throws ApiError after the content was reloaded, if it changed or was outdated
   */
  async run(
    requests: readonly (() => Promise<Changed>)[],
    kind: ContentChangeKind | ((rowCount: number) => ContentChangeKind),
    { name, count = 1 }: ChangeSubject,
    rowCounts: readonly number[] = requests.map(() => 1),
  ): Promise<void> {
    const changeUids: string[] = [];
    let changedCount = 0;
    const report = (rowCount: number): void => {
      if (changeUids.length === 0) return;
      this.#report(changeUids, typeof kind === 'string' ? kind : kind(rowCount), { name, count: rowCount });
    };
    try {
      for (const [index, sendRequest] of requests.entries()) {
        const { change } = await sendRequest();
        if (change === null) continue;
        changeUids.push(change);
        changedCount += rowCounts[index] ?? 1;
      }
    } catch (cause) {
      if (changeUids.length > 0 || isOutdated(cause)) await this.#reload();
      report(changedCount);
      throw cause;
    }
    await this.#reload();
    report(count);
  }

  #report(uids: readonly string[], kind: ContentChangeKind, { name, count = 1 }: ChangeSubject): void {
    const texts = { done: `tour.content.done.${kind}`, undone: `tour.content.undone.${kind}` };
    this.#sender.report(uids, { texts, values: { name, count } });
  }
}

const isOutdated = (cause: unknown): boolean => cause instanceof ApiError && outdatedStatuses.includes(cause.status);
