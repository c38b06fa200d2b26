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

/** What a list of things that are kept on the server works with. */
export interface SyncedListOptions {
  readonly http: HttpClient;
  readonly storage: BrowserStorage;
  readonly events: ServerEvents;
  readonly locations: Pick<Locations, 'pathTo'>;
  readonly me: () => Writer;
}

/** What every kept thing says about itself when it is written. */
export interface ItemInput {
  readonly name: string;
  readonly shared: boolean;
  /** The version that was changed; 0 for a new one. */
  readonly version: number;
}

/** What the server adds. */
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
 * Where a thing stands with the server. `unsent`: kept here, no answer yet. `conflict`: another changed it, `theirs` is
 * what they saved. `refused`: the server will not have it. `failed`: the server has failed at it `maxFaults` times, and
 * it is sent again only when the person asks.
 */
export type Sync<Item> =
  | { readonly state: 'saved' | 'saving' | 'unsent' | 'refused' | 'failed' }
  | { readonly state: 'conflict'; readonly theirs: Item };
export type Listed<Item> = Item & { readonly sync: Sync<Item> };

export interface ListQuery {
  readonly after?: string;
  readonly uids?: string[];
}

/** How one sort of thing is kept on the server, and what a new one of it is. */
export interface SyncedListConfig<W extends ItemInput, Item extends W & StoredFields, Change extends ItemChange> {
  /** Of the browser's storage. */
  readonly outbox: string;
  /** Of the event that tells of changes by others. */
  readonly topic: string;
  /** The first page or the one after a cursor, or only these. */
  readonly list: (location: string, query: ListQuery) => Promise<CursorPage<Item>>;
  readonly put: (location: string, uid: string, written: W) => Promise<Item>;
  readonly remove: (location: string, uid: string) => Promise<unknown>;
  readonly toInput: (item: Item) => W;
  /** As it shows until the server has answered; `known` is what it was before. */
  readonly toItem: (written: W, kept: StoredFields, known: Item | undefined) => Item;
  /** Whether an item of the announced version lacks nothing else. */
  readonly isComplete?: (item: Item, change: Change) => boolean;
}

/** Answers about when the call came, not what it held: too slowly, too early, too often. */
const isUntimely = (status: number): boolean => status === 408 || status === 425 || status === 429;

/** Answers after which sending the same again makes no sense: all of 4xx but those about the session and the time. */
export const isRefused = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 401 && !isUntimely(status);

/** Until what was untimely is sent again, where the answer does not say when, and at most. */
const defaultRetrySeconds = 30;
const maxRetrySeconds = 3600;

/** Faults of the server in a row, after which a change is no longer sent by itself. */
export const maxFaults = 5;
const hasFailed = ({ faults = 0 }: Pick<Unsent<unknown>, 'faults'>): boolean => faults >= maxFaults;

/** More changes than this are loaded with the whole list. */
const maxChangesLoaded = 50;

const saved = { state: 'saved' } as const;
const saving = { state: 'saving' } as const;
const failedSync = { state: 'failed' } as const;

/**
 * What people keep in a tour, such as measurements; what is on its way included. Observable. Each change of one's own
 * shows at once and goes to the server; what does not get there stays in the outbox. Changes by others are loaded as
 * they happen, but never over what the person is editing or has not sent (see ADR 0051).
 */
export class SyncedList<W extends ItemInput, Item extends W & StoredFields, Change extends ItemChange = ItemChange> {
  state: 'initial' | 'loading' | 'loaded' | 'failed' = 'initial';
  all: readonly Listed<Item>[] = [];
  /** Of a list that is loaded page by page: how many rows there are, and how many of them are here. */
  progress: { readonly count: number; readonly total: number } | undefined;
  /** The one that was deleted last and can be brought back. */
  deleted: Item | undefined;
  readonly #config: SyncedListConfig<W, Item, Change>;
  readonly #options: SyncedListOptions;
  readonly #outbox: Outbox<W>;
  readonly #me: () => Writer;
  readonly #sending = new Map<string, Promise<void>>();
  /** Changes by others that are not in the list yet, by uid; undefined where nobody knows what has changed. */
  readonly #pending = new Map<string, Change | undefined>();
  /** How many editors are open, by uid. */
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
      acceptTheirs: actionBound,
      settle: action,
      showLoaded: action,
      failed: action,
      merge: action,
    });
  }

  /** Of a location and below it; what was left unsent earlier is sent again. */
  async load(location: string): Promise<void> {
    this.#location = location;
    this.state = 'loading';
    this.#loading = this.#loadAll(location, (page) => this.showLoaded(page)).catch(() => {
      if (this.#location === location) this.failed();
    });
    await this.#loading;
    await this.sendWaiting();
  }

  /** Loads what others change from now on. Called before `load`; returns the function that ends it. */
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
   * An editor of the thing is open: it stays as it is in the list, so that the version that was edited is the one that
   * is sent. Returns the function that ends it.
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

  /** Adds one, or a change of one. */
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

  /** Changes a part of it, such as the name or who sees it. */
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

  /** Shows a part of one differently that the server keeps apart from it, such as its comments. */
  replace(uid: string, change: (item: Listed<Item>) => Listed<Item>): void {
    this.all = this.all.map((each) => (each.uid === uid ? change(each) : each));
  }

  /** Brings the last deleted one back. */
  async restore(): Promise<void> {
    const { deleted } = this;
    if (!deleted) return;
    this.deleted = undefined;
    await this.save(deleted.uid, deleted.location, this.#config.toInput(deleted));
  }

  /** Of a conflict: what the other saved stays. */
  acceptTheirs(uid: string): void {
    this.#outbox.delete(uid);
    this.all = this.all.map((each) =>
      each.uid === uid && each.sync.state === 'conflict' ? { ...each.sync.theirs, sync: saved } : each,
    );
    this.#applyPending();
  }

  /** Of a conflict: one's own goes over it. */
  saveMine(uid: string): Promise<void> {
    const mine = this.all.find((each) => each.uid === uid);
    return mine?.sync.state === 'conflict'
      ? this.save(uid, mine.location, { ...this.#config.toInput(mine), version: mine.sync.theirs.version })
      : Promise.resolve();
  }

  /** Whatever the server has not confirmed, but for what it failed at too often: called when the line is back. */
  async sendWaiting(): Promise<void> {
    for (const unsent of this.#outbox.all) if (!hasFailed(unsent)) await this.#send(unsent.uid);
  }

  /** Whatever the server has not confirmed: the person asks for it. */
  async sendAgain(): Promise<void> {
    for (const { faults, ...unsent } of this.#outbox.all) if (faults !== undefined) this.#outbox.put(unsent);
    this.#retryAt = 0;
    await this.sendWaiting();
  }

  /** The server asked to be left alone for a while: nothing is sent, unless the person asks for it. */
  protected get isHeldBack(): boolean {
    return Date.now() < this.#retryAt;
  }

  /** Holds back what waits, and then sends it, if the server refused a call for its time. */
  protected scheduleRetry({ status, retryAfterSeconds = defaultRetrySeconds }: ApiError): void {
    if (!isUntimely(status)) return;
    const delayMs = Math.min(retryAfterSeconds, maxRetrySeconds) * 1000;
    this.#retryAt = Date.now() + delayMs;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.sendWaiting(), delayMs);
  }

  /** Whether the server has not confirmed the latest of it. */
  protected waits(uid: string): boolean {
    return this.#outbox.find(uid) !== undefined;
  }

  /** One call at a time for each: a second one would know nothing of the version that the first one makes. */
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

  /** Whether the server has now failed at this change too often. */
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
      // It was changed again while the call was on its way: the newer one starts from what the server has now.
      if (kept && waiting.written)
        this.#outbox.put({ ...waiting, written: { ...waiting.written, version: kept.version } });
      return;
    }
    if (sync.state === 'saved') this.#outbox.delete(sent.uid);
    if (sync.state === 'saved' && sent.written === null) this.all = this.all.filter(({ uid }) => uid !== sent.uid);
    this.all = this.all.map((each) => (each.uid === sent.uid ? { ...(kept ?? each), sync } : each));
    this.#applyPending();
  }

  /** `onPage` is called with what has come so far, while there is more. */
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

  /** Everything again, without showing that it is loaded. */
  async #reload(): Promise<void> {
    await this.#loading;
    const covered = [...this.#pending];
    if (this.#location !== undefined) await this.#loadAll(this.#location);
    for (const [uid, change] of covered)
      if (this.#pending.get(uid) === change && !this.#isLocked(uid)) this.#pending.delete(uid);
  }

  /** What could not be loaded stays pending, and is loaded with the next change. */
  #applyPending(): void {
    if (this.#pending.size > 0) void this.#inTurn(() => this.#loadPending()).catch(() => undefined);
  }

  /** One load at a time, so that an earlier answer never replaces a later one. */
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

  /** `found` is what the person may still see of `wanted`. */
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

  /** Of a location that is not known here nobody can say. */
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
      // What could not be deleted is shown again.
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

/** As the server lists them. */
const latestFirst = (one: StoredFields, other: StoredFields): number =>
  one.createdAt === other.createdAt ? 0 : one.createdAt < other.createdAt ? 1 : -1;

/** Only that of a thing which the server adds. */
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
