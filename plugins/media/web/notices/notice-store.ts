import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import type { noticesChanged } from '#core/api';
import { followChanges, type HttpClient, type ServerEvents } from '#core/web';
import type { Notice, BannerArea } from '#plugins/media';
import type { dismissNotice, listShownNotices } from '#plugins/media/api';

/** Timers are short, because they stop while a device sleeps. */
const maxTimerMs = 60 * 60_000;

const retryMs = 30_000;

const ranks = { CRITICAL: 0, WARNING: 1, INFO: 2 } as const;

/**
 * The person's notices, shown from their start to their end by the server's clock. Follows the changes of admins while
 * a banner area is mounted, and keeps the notices when one shell replaces another.
 */
export class NoticeStore {
  /** Milliseconds since 1970, by the server's clock. */
  now = 0;
  notices: readonly Notice[] = [];
  readonly #http: HttpClient;
  readonly #events: ServerEvents;
  #listeners = 0;
  #unfollow: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Server time minus browser time. */
  #aheadMs = 0;
  /** Uid and version of dismissed notices. */
  readonly #dismissed = new Set<string>();

  constructor(http: HttpClient, events: ServerEvents) {
    this.#http = http;
    this.#events = events;
    makeObservable<this, 'tick'>(this, {
      now: observable,
      notices: observableRef,
      shown: computed,
      tick: action,
    });
  }

  /** Notices that are shown now, the most severe first, then the latest start first. */
  get shown(): readonly Notice[] {
    return this.notices
      .filter(({ startsAt, endsAt }) => Date.parse(startsAt) <= this.now && !(endsAt && Date.parse(endsAt) <= this.now))
      .toSorted((a, b) => ranks[a.severity] - ranks[b.severity] || Date.parse(b.startsAt) - Date.parse(a.startsAt));
  }

  shownIn(area: BannerArea): readonly Notice[] {
    return this.shown.filter((notice) => notice.area === area);
  }

  /** Keeps the notices current until the returned function is called. */
  follow(): () => void {
    this.#listeners += 1;
    if (this.#listeners === 1) {
      const load = (): Promise<void> => this.#load({ passive: true });
      this.#unfollow = followChanges<typeof noticesChanged>(this.#events, 'core.noticesChanged', {
        onChanges: load,
        onMissed: load,
      });
      void this.#loadWithRetries();
    }
    return () => {
      this.#listeners -= 1;
      if (this.#listeners > 0) return;
      this.#unfollow?.();
      clearTimeout(this.#timer);
    };
  }

  /** Hides a notice at once. If the server cannot remember it, it is shown again after the next change or reload. */
  async dismiss({ uid, version }: Notice): Promise<void> {
    this.#dismissed.add(`${uid} ${version}`);
    runInAction(() => {
      this.notices = this.notices.filter((notice) => notice.uid !== uid);
    });
    await this.#http.call<typeof dismissNotice>('PUT', '/api/media/shown-notices/:notice/dismissal', {
      params: { notice: uid },
      body: {},
    });
  }

  /** Tries again until the notices are loaded. */
  async #loadWithRetries(passive = false): Promise<void> {
    try {
      await this.#load({ passive });
    } catch {
      if (this.#listeners > 0) this.#timer = setTimeout(() => void this.#loadWithRetries(true), retryMs);
    }
  }

  /** Passive requests do not extend the session, so that a tab that nobody uses does not keep it alive. */
  async #load({ passive }: { readonly passive: boolean }): Promise<void> {
    const { now, notices } = await this.#http.call<typeof listShownNotices>(
      'GET',
      '/api/media/shown-notices',
      {},
      { passive },
    );
    this.#aheadMs = Date.parse(now) - Date.now();
    runInAction(() => {
      this.notices = notices.filter(({ uid, version }) => !this.#dismissed.has(`${uid} ${version}`));
      this.tick();
    });
  }

  private tick(): void {
    clearTimeout(this.#timer);
    this.now = Date.now() + this.#aheadMs;
    const futureTimes = this.notices
      .flatMap(({ startsAt, endsAt }) => [Date.parse(startsAt), endsAt === null ? Infinity : Date.parse(endsAt)])
      .filter((time) => time > this.now);
    const delayMs = Math.min(...futureTimes, Infinity) - this.now;
    if (delayMs !== Infinity && this.#listeners > 0)
      this.#timer = setTimeout(() => this.tick(), Math.min(delayMs, maxTimerMs));
  }
}

const stores = new WeakMap<HttpClient, NoticeStore>();

/** Returns the store of the page, which both banner areas and all shells share. */
export function getNoticeStore(http: HttpClient, events: ServerEvents): NoticeStore {
  const store = stores.get(http) ?? new NoticeStore(http, events);
  stores.set(http, store);
  return store;
}
