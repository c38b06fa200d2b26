import type { Logger } from 'pino';
import type { JsonRow } from './change-tables.ts';
import type { ChangedRows, RecordedContents } from './content-changes.ts';

type AnnouncedRows = ChangedRows<Record<string, JsonRow>>;
type Announce = NonNullable<RecordedContents<Record<string, JsonRow>>['announce']>;

const firstDelayMs = 100;
const maxDelayMs = 60_000;
/** The attempts last about four minutes. By then, the caches of other processes have expired. */
const maxAttempts = 13;

/**
 * Announces committed changes to other processes. A change is committed even if its announcement fails, so failed
 * announcements are retried.
 */
export class ChangeAnnouncer {
  readonly #log: Pick<Logger, 'warn' | 'error'>;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isStopped = false;

  constructor(log: Pick<Logger, 'warn' | 'error'>) {
    this.#log = log;
  }

  /** Resolves after the first attempt. Never rejects. */
  async announce(change: string, announce: Announce, changedRows: AnnouncedRows, attempt = 1): Promise<void> {
    try {
      await announce(changedRows);
    } catch (error) {
      if (attempt === maxAttempts) {
        this.#log.error(
          { err: error, change },
          'A change was not announced. Other processes see it when their caches expire.',
        );
        return;
      }
      if (attempt === 1)
        this.#log.warn({ err: error, change }, 'A change was not announced. The announcement is retried.');
      if (this.#isStopped) return;
      const retry = (): void => {
        this.#timers.delete(timer);
        void this.announce(change, announce, changedRows, attempt + 1);
      };
      const timer = setTimeout(retry, Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs)).unref();
      this.#timers.add(timer);
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
