import { action, actionBound, makeObservable, observableRef } from 'mobx';
import type { ServerEvent } from '#core';
import type { CursorPage } from '#core/api';
import {
  ApiError,
  followChanges,
  type BrowserStorage,
  type HttpClient,
  type Locations,
  type ServerEvents,
} from '#core/web';
import type { ItemChange } from '#plugins/annotate';
import { Outbox, type Unsent } from './outbox.ts';
import type { Writer } from './writer.ts';

/** Dependencies of a synchronized list. */
export interface SyncedListOptions {
  readonly http: HttpClient;
  readonly storage: BrowserStorage;
  readonly events: ServerEvents;
  readonly locations: Pick<Locations, 'pathTo'>;
  readonly me: () => Writer;
}

/** The fields that every written item has. */
export interface ItemInput {
  readonly name: string;
  readonly shared: boolean;
  /** The version that the change is based on; 0 for a new item. */
  readonly version: number;
}

/** The fields that the server adds. */
export interface StoredFields {
  readonly uid: string;
  readonly location: string;
  readonly author: string;
  readonly own: boolean;
  readonly editable: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * Sync state of an item. `unsent`: no reply yet. `conflict`: another person changed it, `theirs` is the saved version.
 * `refused`: the server rejected it. `failed`: `maxFaults` server errors; sent again only if the person retries.
 */
export type Sync<Item> =
  | { readonly state: 'saved' | 'saving' | 'unsent' | 'refused' | 'failed' }
  | { readonly state: 'conflict'; readonly theirs: Item };
export type Listed<Item> = Item & { readonly sync: Sync<Item> };

export interface ListQuery {
  readonly after?: string;
  readonly uids?: string[];
}

/** Endpoints and factory of one item type. */
export interface SyncedListConfig<W extends ItemInput, Item extends W & StoredFields, Change extends ItemChange> {
  /** Key in the browser's storage. */
  readonly outbox: string;
  /** Type of the events about changes by others. */
  readonly topic: string;
  /** Loads the first page, the page after a cursor, or only these uids. */
  readonly list: (location: string, query: ListQuery) => Promise<CursorPage<Item>>;
  readonly put: (location: string, uid: string, written: W) => Promise<Item>;
  readonly remove: (location: string, uid: string) => Promise<unknown>;
  readonly toInput: (item: Item) => W;
  /** The item as shown until the server has replied; `known` is the previous one. */
  readonly toItem: (written: W, kept: StoredFields, known: Item | undefined) => Item;
  /** Whether an item of the announced version has no other changes, such as comments. */
  readonly isComplete?: (item: Item, change: Change) => boolean;
}

/** Statuses about the timing of a request, not its content: too slow, too early, too often. */
const isUntimely = (status: number): boolean => status === 408 || status === 425 || status === 429;

/** Statuses after which a retry is useless: all 4xx except those about session and timing. */
export const isRefused = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 401 && !isUntimely(status);

/** Default and maximum delay before an untimely request is retried, milliseconds. */
const defaultRetrySeconds = 30;
const maxRetrySeconds = 3600;

/** Consecutive server errors after which a change is no longer retried. */
export const maxFaults = 5;
const hasFailed = ({ faults = 0 }: Pick<Unsent<unknown>, 'faults'>): boolean => faults >= maxFaults;

/** With more changes than this the whole list is loaded. */
const maxChangesLoaded = 50;

const saved = { state: 'saved' } as const;
const saving = { state: 'saving' } as const;
const failedSync = { state: 'failed' } as const;

/**
 * A list of items that is synchronized with the server. Observable. Own changes show at once and stay in the outbox
 * until they are confirmed. Changes by others are loaded live, but never over an open edit or an unsent change (see ADR
 * 0051).
 */
export class SyncedList<W extends ItemInput, Item extends W & StoredFields, Change extends ItemChange = ItemChange> {
  state: 'initial' | 'loading' | 'loaded' | 'failed' = 'initial';
  all: readonly Listed<Item>[] = [];
  /** Progress of a list that loads page by page: rows loaded, and total. */
  progress: { readonly count: number; readonly total: number } | undefined;
  /** The last deleted item, which can be restored. */
  deleted: Item | undefined;
  readonly #config: SyncedListConfig<W, Item, Change>;
  readonly #options: SyncedListOptions;
  readonly #outbox: Outbox<W>;
  readonly #me: () => Writer;
  readonly #sending = new Map<string, Promise<void>>();
  /** Uids of changes by others that are not loaded yet; undefined if events were missed. */
  readonly #pending = new Map<string, Change | undefined>();
  /** Number of open editors, by uid. */
  readonly #edits = new Map<string, number>();
  #location: string | undefined;
  #loading: Promise<void> = Promise.resolve();
  #applying: Promise<void> = Promise.resolve();
  #retryAt = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(config: SyncedListConfig<W, Item, Change>, options: SyncedListOptions) {
    const { storage, me } = options;
    this.#config = config;
    this.#options = options;
    this.#outbox = new Outbox(storage, config.outbox, () => me().username);
    this.#me = me;
    makeObservable<this, 'settle' | 'showLoaded' | 'failed' | 'merge'>(this, {
      replace: action,
      state: observableRef,
      all: observableRef,
      progress: observableRef,
      deleted: observableRef,
      load: action,
      save: actionBound,
      remove: actionBound,
      restore: actionBound,
      takeTheirs: actionBound,
      settle: action,
      showLoaded: action,
      failed: action,
      merge: action,
    });
  }

  /** Loads the items at a location and below it, and sends the unsent ones. */
  async load(location: string): Promise<void> {
    this.#location = location;
    this.state = 'loading';
    this.#loading = this.#loadAll(location, (page) => this.showLoaded(page)).catch(() => {
      if (this.#location === location) this.failed();
    });
    await this.#loading;
    await this.sendWaiting();
  }

  /** Starts to load changes by others. Call it before `load`. Returns the function that stops it. */
  follow(): () => void {
    const { events } = this.#options;
    return followChanges<ServerEvent>(events, this.#config.topic, {
      onChanges: (changes) => {
        for (const change of changes as readonly Change[])
          if (this.#isListed(change.location)) this.#pending.set(change.uid, change);
        return this.#inTurn(() => this.#loadPending());
      },
      onMissed: () => this.#inTurn(() => this.#reload()),
    });
  }

  /**
   * Freezes an item while an editor is open, so that the edited version is the one that is sent. Returns the function
   * that releases it.
   */
  beginEdit(uid: string): () => void {
    this.#edits.set(uid, (this.#edits.get(uid) ?? 0) + 1);
    return () => {
      const left = (this.#edits.get(uid) ?? 1) - 1;
      if (left > 0) this.#edits.set(uid, left);
      else this.#edits.delete(uid);
      this.#applyPending();
    };
  }

  /** Adds or replaces an item. */
  async save(uid: string, location: string, written: W): Promise<void> {
    const known = this.all.find((each) => each.uid === uid);
    const now = new Date().toISOString();
    this.#outbox.put({ uid, location, written, at: now, change: crypto.randomUUID() });
    const kept: StoredFields = {
      uid,
      location,
      author: known?.author ?? this.#me().name,
      own: known?.own ?? true,
      editable: known?.editable ?? true,
      createdAt: known?.createdAt ?? now,
      updatedAt: now,
    };
    const shown = { ...this.#config.toItem(written, kept, known), sync: saving };
    this.all = known ? this.all.map((each) => (each.uid === uid ? shown : each)) : [shown, ...this.all];
    await this.#send(uid);
  }

  /** Changes some fields of an item, such as its name or visibility. */
  change(uid: string, changes: Partial<W>): Promise<void> {
    const known = this.all.find((each) => each.uid === uid);
    return known ? this.save(uid, known.location, { ...this.#config.toInput(known), ...changes }) : Promise.resolve();
  }

  async remove(uid: string): Promise<void> {
    const known = this.all.find((each) => each.uid === uid);
    if (!known) return;
    this.deleted = known;
    this.all = this.all.filter((each) => each.uid !== uid);
    this.#outbox.put({
      uid,
      location: known.location,
      written: null,
      at: new Date().toISOString(),
      change: crypto.randomUUID(),
    });
    await this.#send(uid);
  }

  /** Updates fields that the server saves separately, such as comments. */
  replace(uid: string, change: (item: Listed<Item>) => Listed<Item>): void {
    this.all = this.all.map((each) => (each.uid === uid ? change(each) : each));
  }

  /** Restores the last deleted item. */
  async restore(): Promise<void> {
    const { deleted } = this;
    if (!deleted) return;
    this.deleted = undefined;
    await this.save(deleted.uid, deleted.location, this.#config.toInput(deleted));
  }

  /** Resolves a conflict in favour of the other person's version. */
  takeTheirs(uid: string): void {
    this.#outbox.delete(uid);
    this.all = this.all.map((each) =>
      each.uid === uid && each.sync.state === 'conflict' ? { ...each.sync.theirs, sync: saved } : each,
    );
    this.#applyPending();
  }

  /** Resolves a conflict in favour of the own version. */
  keepMine(uid: string): Promise<void> {
    const mine = this.all.find((each) => each.uid === uid);
    return mine?.sync.state === 'conflict'
      ? this.save(uid, mine.location, { ...this.#config.toInput(mine), version: mine.sync.theirs.version })
      : Promise.resolve();
  }

  /** Sends all unconfirmed changes except the failed ones. Called when the connection is back. */
  async sendWaiting(): Promise<void> {
    for (const unsent of this.#outbox.all) if (!hasFailed(unsent)) await this.#send(unsent.uid);
  }

  /** Sends all unconfirmed changes, on request of the person. */
  async resendAll(): Promise<void> {
    for (const { faults, ...unsent } of this.#outbox.all) if (faults !== undefined) this.#outbox.put(unsent);
    this.#retryAt = 0;
    await this.sendWaiting();
  }

  /** Whether the server requested a delay. Only a retry by the person ignores it. */
  protected get isHeldBack(): boolean {
    return Date.now() < this.#retryAt;
  }

  /** Delays pending changes after a reply about timing, then sends them. */
  protected scheduleRetry({ status, retryAfterSeconds = defaultRetrySeconds }: ApiError): void {
    if (!isUntimely(status)) return;
    const delayMs = Math.min(retryAfterSeconds, maxRetrySeconds) * 1000;
    this.#retryAt = Date.now() + delayMs;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.sendWaiting(), delayMs);
  }

  /** Whether the latest change is unconfirmed. */
  protected waits(uid: string): boolean {
    return this.#outbox.find(uid) !== undefined;
  }

  /** Sends one request at a time per item, because a second one needs the version that the first one creates. */
  #send(uid: string): Promise<void> {
    const sending = this.#sending.get(uid) ?? this.#drain(uid).finally(() => this.#sending.delete(uid));
    this.#sending.set(uid, sending);
    return sending;
  }

  async #drain(uid: string): Promise<void> {
    for (let unsent = this.#outbox.find(uid); unsent;) {
      await this.#sendOnce(unsent);
      const next = this.#outbox.find(uid);
      unsent = next?.change === unsent.change ? undefined : next;
    }
  }

  async #sendOnce(unsent: Unsent<W>): Promise<void> {
    const { uid, location, written } = unsent;
    if (this.isHeldBack) return this.settle(unsent, { state: 'unsent' });
    try {
      if (written) {
        const kept = await this.#config.put(location, uid, written);
        this.settle(unsent, saved, kept);
      } else {
        await this.#config.remove(location, uid);
        this.settle(unsent, saved);
      }
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : new ApiError(0, undefined, { cause });
      const { status, body } = error;
      this.scheduleRetry(error);
      if (status === 409 && body?.current !== undefined)
        this.settle(unsent, { state: 'conflict', theirs: body.current as Item });
      else if (isRefused(status)) this.settle(unsent, { state: 'refused' });
      else this.settle(unsent, { state: this.#countFault(unsent, status) ? 'failed' : 'unsent' });
    }
  }

  /** Whether the change has now reached the limit of server errors. */
  #countFault(sent: Unsent<W>, status: number): boolean {
    const waiting = this.#outbox.find(sent.uid);
    if (status < 500 || waiting?.change !== sent.change) return false;
    const counted = { ...waiting, faults: (waiting.faults ?? 0) + 1 };
    this.#outbox.put(counted);
    return hasFailed(counted);
  }

  private settle(sent: Unsent<W>, sync: Sync<Item>, kept?: Item): void {
    const waiting = this.#outbox.find(sent.uid);
    if (waiting && waiting.change !== sent.change) {
      // The item changed again during the request. The newer change is based on the version that the server has now.
      if (kept && waiting.written)
        this.#outbox.put({ ...waiting, written: { ...waiting.written, version: kept.version } });
      return;
    }
    if (sync.state === 'saved') this.#outbox.delete(sent.uid);
    if (sync.state === 'saved' && sent.written === null) this.all = this.all.filter(({ uid }) => uid !== sent.uid);
    this.all = this.all.map((each) => (each.uid === sent.uid ? { ...(kept ?? each), sync } : each));
    this.#applyPending();
  }

  /** Calls `onPage` with the rows so far while there are more pages. */
  async #loadAll(location: string, onPage?: (loaded: CursorPage<Item>) => void): Promise<void> {
    let loaded: CursorPage<Item> = { rows: [], total: 0, next: null };
    do {
      const page = await this.#config.list(location, loaded.next === null ? {} : { after: loaded.next });
      if (this.#location !== location) return;
      loaded = { ...page, rows: [...loaded.rows, ...page.rows] };
      if (loaded.next !== null) onPage?.(loaded);
    } while (loaded.next !== null);
    this.showLoaded(loaded);
  }

  /** Reloads the list without a loading state. */
  async #reload(): Promise<void> {
    await this.#loading;
    const covered = [...this.#pending];
    if (this.#location !== undefined) await this.#loadAll(this.#location);
    for (const [uid, change] of covered)
      if (this.#pending.get(uid) === change && !this.#isLocked(uid)) this.#pending.delete(uid);
  }

  /** Changes that could not be loaded stay pending and are loaded with the next one. */
  #applyPending(): void {
    if (this.#pending.size > 0) void this.#inTurn(() => this.#loadPending()).catch(() => undefined);
  }

  /** One load at a time, so that an earlier reply never replaces a later one. */
  #inTurn(load: () => Promise<void>): Promise<void> {
    const next = this.#applying.then(load);
    this.#applying = next.catch(() => undefined);
    return next;
  }

  async #loadPending(): Promise<void> {
    await this.#loading;
    const location = this.#location;
    const ready = [...this.#pending].filter(([uid]) => !this.#isLocked(uid));
    if (location === undefined || ready.length === 0) return;
    const wanted = ready.filter(([uid, change]) => !change?.deleted && !this.#isCurrent(uid, change));
    if (wanted.length > maxChangesLoaded || this.state === 'failed') return this.#reload();
    const uids = wanted.map(([uid]) => uid);
    const { rows } = uids.length === 0 ? { rows: [] } : await this.#config.list(location, { uids });
    if (this.#location === location) this.merge(ready, uids, rows);
  }

  /** `found` are those of the `wanted` items that the person can still see. */
  private merge(
    ready: readonly (readonly [string, Change | undefined])[],
    wanted: readonly string[],
    found: readonly Item[],
  ): void {
    const applied = ready.filter(([uid]) => !this.#isLocked(uid));
    for (const [uid, change] of applied) if (this.#pending.get(uid) === change) this.#pending.delete(uid);
    const replaced = new Set(
      applied.filter(([uid, change]) => change?.deleted || wanted.includes(uid)).map(([uid]) => uid),
    );
    if (replaced.size === 0) return;
    const versions = new Map(this.all.map(({ uid, version }) => [uid, version]));
    for (const { uid, version } of found) if ((versions.get(uid) ?? 0) > version) replaced.delete(uid);
    const fresh = found.filter(({ uid }) => replaced.has(uid)).map((item): Listed<Item> => ({ ...item, sync: saved }));
    this.all = [...this.all.filter(({ uid }) => !replaced.has(uid)), ...fresh].toSorted(latestFirst);
  }

  /** Changes at unknown locations are loaded as well. */
  #isListed(location: string): boolean {
    const path = this.#options.locations.pathTo(location);
    return path.length === 0 || path.some(({ uid }) => uid === this.#location);
  }

  #isLocked(uid: string): boolean {
    return this.#edits.has(uid) || this.waits(uid);
  }

  #isCurrent(uid: string, change: Change | undefined): boolean {
    const known = this.all.find((each) => each.uid === uid);
    if (!known || !change || known.version < change.version) return false;
    return this.#config.isComplete?.(known, change) ?? true;
  }

  private showLoaded({ rows: loaded, total, next }: CursorPage<Item>): void {
    const { toItem } = this.#config;
    const unsent = new Map(this.#outbox.all.map((each) => [each.uid, each]));
    const known = new Map(this.all.map((each) => [each.uid, each]));
    const toSync = (waiting: Unsent<W>): Sync<Item> => {
      const sync = known.get(waiting.uid)?.sync;
      return hasFailed(waiting) ? failedSync : sync && sync.state !== 'saved' ? sync : saving;
    };
    const edited = this.all.filter(
      ({ uid, version, location }) => this.#edits.has(uid) && version > 0 && this.#isListed(location),
    );
    for (const { uid } of edited) this.#pending.set(uid, undefined);
    const found = [...loaded.filter(({ uid }) => !edited.some((each) => each.uid === uid)), ...edited].toSorted(
      latestFirst,
    );
    const listed = found.flatMap((each): readonly Listed<Item>[] => {
      const waiting = unsent.get(each.uid);
      if (!waiting) return [{ ...each, sync: saved }];
      if (waiting.written) return [{ ...toItem(waiting.written, each, each), sync: toSync(waiting) }];
      // An item that could not be deleted is shown again.
      return hasFailed(waiting) ? [{ ...each, sync: failedSync }] : [];
    });
    const fresh = [...unsent.values()].flatMap((waiting): readonly Listed<Item>[] => {
      const { uid, location, written, at } = waiting;
      return written && !found.some((each) => each.uid === uid)
        ? [
            {
              ...toItem(
                written,
                { uid, location, author: this.#me().name, own: true, editable: true, createdAt: at, updatedAt: at },
                undefined,
              ),
              sync: toSync(waiting),
            },
          ]
        : [];
    });
    this.all = [...fresh, ...listed];
    this.progress = next === null ? undefined : { count: loaded.length, total };
    if (next === null) this.state = 'loaded';
  }

  private failed(): void {
    if (this.all.length === 0) this.showLoaded({ rows: [], total: 0, next: null });
    this.progress = undefined;
    this.state = 'failed';
  }
}

/** The order of the server. */
const latestFirst = (one: StoredFields, other: StoredFields): number =>
  one.createdAt === other.createdAt ? 0 : one.createdAt < other.createdAt ? 1 : -1;

/** The fields that the server adds to an item. */
export const toStoredFields = ({
  uid,
  location,
  author,
  own,
  editable,
  createdAt,
  updatedAt,
}: StoredFields): StoredFields => ({
  uid,
  location,
  author,
  own,
  editable,
  createdAt,
  updatedAt,
});
