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
import { Outbox, type UnsentChange } from './outbox.ts';
import type { ItemAuthor } from './item-author.ts';

/** Dependencies of a synchronized list. */
export interface SyncedListOptions {
  readonly http: HttpClient;
  readonly storage: BrowserStorage;
  readonly events: ServerEvents;
  readonly locations: Pick<Locations, 'pathTo'>;
  readonly getAuthor: () => ItemAuthor;
}

/** The input fields of all items. */
export interface ItemInput {
  readonly name: string;
  readonly shared: boolean;
  /** The version on which the change is based, or 0 for a new item. */
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
 * The sync state of an item. `conflict` means that another person has saved the version `theirs`. `refused` means that
 * the server rejected the change. `failed` means that it failed `maxFaults` times and that only the person can retry.
 * `deletion` means that the change is a deletion. The item is then shown as it is on the server.
 */
export type Sync<Item> =
  | { readonly state: 'saved' | 'saving' | 'unsent' }
  | { readonly state: 'refused' | 'failed'; readonly deletion?: boolean }
  | { readonly state: 'conflict'; readonly theirs: Item };
export type Listed<Item> = Item & { readonly sync: Sync<Item> };

export interface ListQuery {
  readonly after?: string;
  readonly uids?: string[];
}

/** The endpoints and the conversions of one item type. */
export interface SyncedListConfig<
  Input extends ItemInput,
  Item extends Input & StoredFields,
  Change extends ItemChange,
> {
  /** Key of the outbox in the browser's storage. */
  readonly outbox: string;
  /** Topic of the events about changes. */
  readonly topic: string;
  /** Loads the first page, the page after a cursor, or only the given uids. */
  readonly list: (location: string, query: ListQuery) => Promise<CursorPage<Item>>;
  readonly put: (location: string, uid: string, input: Input) => Promise<Item>;
  readonly remove: (location: string, uid: string) => Promise<unknown>;
  readonly toInput: (item: Item) => Input;
  /** Builds the item that is shown until the server has replied. `previous` is the item before the change. */
  readonly toItem: (input: Input, stored: StoredFields, previous: Item | undefined) => Item;
  /** Whether an item also has the announced data that does not change the version, such as comments. */
  readonly isComplete?: (item: Item, change: Change) => boolean;
}

/** Whether a status means that the request was too slow, too early or too frequent. */
const isTimingError = (status: number): boolean => status === 408 || status === 425 || status === 429;

/** Whether a status makes a retry useless: all 4xx except an expired session (401) and timing errors. */
export const isRefused = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 401 && !isTimingError(status);

/** The delay before a retry after a timing error, unless the server requests another delay. */
const defaultRetrySeconds = 30;
const maxRetrySeconds = 3600;

/** The number of consecutive server errors after which a change is not retried automatically. */
export const maxFaults = 5;
const hasFailed = ({ faults = 0 }: Pick<UnsentChange<unknown>, 'faults'>): boolean => faults >= maxFaults;

/** With more changes, the whole list is reloaded. */
const maxSingleChanges = 50;

const savedSync = { state: 'saved' } as const;
const savingSync = { state: 'saving' } as const;
const failedSync = { state: 'failed' } as const;
const refusedDeletion = { state: 'refused', deletion: true } as const;
const failedDeletion = { state: 'failed', deletion: true } as const;

/**
 * A list of items that is synchronized with the server. Own changes are shown at once and stay in the outbox until the
 * server confirms them. Changes by others are loaded live, but never replace an open edit or an unsent change (see ADR
 * 0051).
 */
export class SyncedList<
  Input extends ItemInput,
  Item extends Input & StoredFields,
  Change extends ItemChange = ItemChange,
> {
  state: 'initial' | 'loading' | 'loaded' | 'failed' = 'initial';
  all: readonly Listed<Item>[] = [];
  /** Progress of a list that loads page by page, with the numbers of loaded rows and of all rows. */
  progress: { readonly count: number; readonly total: number } | undefined;
  /** The last item that the person deleted. It can be restored. */
  lastDeleted: Item | undefined;
  /** Uids of deleted items whose deletion waits to be sent again. */
  unsentDeletions: ReadonlySet<string> = new Set();
  readonly #config: SyncedListConfig<Input, Item, Change>;
  readonly #options: SyncedListOptions;
  readonly #outbox: Outbox<Input>;
  readonly #getAuthor: () => ItemAuthor;
  readonly #sending = new Map<string, Promise<void>>();
  /** Announced changes that are not loaded yet, by uid. A change is undefined if its event was missed. */
  readonly #pending = new Map<string, Change | undefined>();
  /** Number of open editors of each item, by uid. */
  readonly #openEditors = new Map<string, number>();
  /** Items as they were before an unconfirmed deletion, by uid. */
  readonly #deletedItems = new Map<string, Item>();
  #location: string | undefined;
  #loading: Promise<void> = Promise.resolve();
  #loadQueue: Promise<void> = Promise.resolve();
  #retryAt = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(config: SyncedListConfig<Input, Item, Change>, options: SyncedListOptions) {
    const { storage, getAuthor } = options;
    this.#config = config;
    this.#options = options;
    this.#outbox = new Outbox(storage, config.outbox, () => getAuthor().username);
    this.#getAuthor = getAuthor;
    makeObservable<this, 'finishSend' | 'showLoaded' | 'setFailed' | 'mergeLoaded'>(this, {
      replace: action,
      state: observableRef,
      all: observableRef,
      progress: observableRef,
      lastDeleted: observableRef,
      unsentDeletions: observableRef,
      load: action,
      save: actionBound,
      remove: actionBound,
      restore: actionBound,
      takeTheirs: actionBound,
      finishSend: action,
      showLoaded: action,
      setFailed: action,
      mergeLoaded: action,
    });
  }

  /** Uids of items whose latest change is not on the server, except changes that are being sent for the first time. */
  get unsaved(): ReadonlySet<string> {
    const unsavedItems = this.all.filter(({ sync: { state } }) => state !== 'saved' && state !== 'saving');
    return new Set([...unsavedItems.map(({ uid }) => uid), ...this.unsentDeletions]);
  }

  /** Loads the items at a location and below it, and sends the unsent changes. */
  async load(location: string): Promise<void> {
    this.#location = location;
    this.state = 'loading';
    this.#loading = this.#loadAll(location, (page) => this.showLoaded(page)).catch(() => {
      if (this.#location === location) this.setFailed();
    });
    await this.#loading;
    await this.sendUnsent();
  }

  /** Starts to load changes by others. Call it before `load`. Returns a function that stops it. */
  follow(): () => void {
    const { events } = this.#options;
    const stopFollowing = followChanges<ServerEvent>(events, this.#config.topic, {
      onChanges: (changes) => {
        for (const change of changes as readonly Change[])
          if (this.#isListed(change.location)) this.#pending.set(change.uid, change);
        return this.#enqueue(() => this.#loadPending());
      },
      onMissed: () => this.#enqueue(() => this.#reload()),
    });
    // A change that another tab was sending is pending here until that tab has the reply.
    const stopWatchingOutbox = this.#outbox.onChange(() => this.#enqueuePendingLoad());
    return () => {
      stopFollowing();
      stopWatchingOutbox();
    };
  }

  /**
   * Protects an item from changes by others while an editor is open, so that the edited version is sent. Returns a
   * function that ends the edit.
   */
  beginEdit(uid: string): () => void {
    this.#openEditors.set(uid, (this.#openEditors.get(uid) ?? 0) + 1);
    return () => {
      const editorCount = (this.#openEditors.get(uid) ?? 1) - 1;
      if (editorCount > 0) this.#openEditors.set(uid, editorCount);
      else this.#openEditors.delete(uid);
      this.#enqueuePendingLoad();
    };
  }

  /** Adds or replaces an item. */
  async save(uid: string, location: string, input: Input): Promise<void> {
    const existingItem = this.all.find((item) => item.uid === uid);
    const now = new Date().toISOString();
    this.#outbox.put({ uid, location, written: input, at: now, change: crypto.randomUUID() });
    const storedFields: StoredFields = {
      uid,
      location,
      author: existingItem?.author ?? this.#getAuthor().name,
      own: existingItem?.own ?? true,
      editable: existingItem?.editable ?? true,
      createdAt: existingItem?.createdAt ?? now,
      updatedAt: now,
    };
    const savingItem = { ...this.#config.toItem(input, storedFields, existingItem), sync: savingSync };
    this.all = existingItem
      ? this.all.map((item) => (item.uid === uid ? savingItem : item))
      : [savingItem, ...this.all];
    await this.#send(uid);
  }

  /** Changes some fields of an item, such as its name or visibility. */
  change(uid: string, changes: Partial<Input>): Promise<void> {
    const existingItem = this.all.find((item) => item.uid === uid);
    return existingItem
      ? this.save(uid, existingItem.location, { ...this.#config.toInput(existingItem), ...changes })
      : Promise.resolve();
  }

  async remove(uid: string): Promise<void> {
    const existingItem = this.all.find((item) => item.uid === uid);
    if (!existingItem) return;
    this.lastDeleted = existingItem;
    this.#deletedItems.set(uid, existingItem);
    this.all = this.all.filter((item) => item.uid !== uid);
    this.#putDeletion(existingItem);
    await this.#send(uid);
  }

  /** Updates fields that the server saves separately, such as comments. */
  replace(uid: string, change: (item: Listed<Item>) => Listed<Item>): void {
    this.all = this.all.map((item) => (item.uid === uid ? change(item) : item));
  }

  /** Restores the last deleted item. */
  async restore(): Promise<void> {
    const { lastDeleted } = this;
    if (!lastDeleted) return;
    this.lastDeleted = undefined;
    await this.save(lastDeleted.uid, lastDeleted.location, this.#config.toInput(lastDeleted));
  }

  /** Resolves a conflict in favour of the other person's version. */
  takeTheirs(uid: string): void {
    this.#outbox.delete(uid);
    this.all = this.all.map((item) =>
      item.uid === uid && item.sync.state === 'conflict' ? { ...item.sync.theirs, sync: savedSync } : item,
    );
    this.#enqueuePendingLoad();
  }

  /** Resolves a conflict in favour of the version of this browser. */
  keepMine(uid: string): Promise<void> {
    const ownItem = this.all.find((item) => item.uid === uid);
    return ownItem?.sync.state === 'conflict'
      ? this.save(uid, ownItem.location, { ...this.#config.toInput(ownItem), version: ownItem.sync.theirs.version })
      : Promise.resolve();
  }

  /**
   * Sends all unsent changes except those that failed too often, unless the server requested a delay. Called when the
   * connection is back.
   */
  async sendUnsent(): Promise<void> {
    for (const unsent of this.#outbox.all) if (!hasFailed(unsent)) await this.#send(unsent.uid);
  }

  /** Sends all unsent changes on request of the person, ignoring failures and delays. */
  async resendAll(): Promise<void> {
    for (const { faults, ...unsent } of this.#outbox.all) if (faults !== undefined) this.#outbox.put(unsent);
    for (const item of this.all) if (item.sync.state === 'refused' && item.sync.deletion) this.#putDeletion(item);
    this.#retryAt = 0;
    await this.sendUnsent();
  }

  /** Whether the server requested a delay. Only a retry by the person ignores the delay. */
  protected get isDelayed(): boolean {
    return Date.now() < this.#retryAt;
  }

  /** After a timing error, sends the unsent changes once the requested delay is over. */
  protected scheduleRetry({ status, retryAfterSeconds = defaultRetrySeconds }: ApiError): void {
    if (!isTimingError(status)) return;
    const delayMs = Math.min(retryAfterSeconds, maxRetrySeconds) * 1000;
    this.#retryAt = Date.now() + delayMs;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.sendUnsent(), delayMs);
  }

  /** Whether the server has not confirmed the latest change of an item. */
  protected hasUnsentChange(uid: string): boolean {
    return this.#outbox.find(uid) !== undefined;
  }

  #putDeletion({ uid, location }: Item): void {
    this.#outbox.put({ uid, location, written: null, at: new Date().toISOString(), change: crypto.randomUUID() });
  }

  /** Sends one request at a time per item, because a request needs the version from the previous reply. */
  #send(uid: string): Promise<void> {
    const sending = this.#sending.get(uid) ?? this.#sendChanges(uid).finally(() => this.#sending.delete(uid));
    this.#sending.set(uid, sending);
    return sending;
  }

  async #sendChanges(uid: string): Promise<void> {
    for (let unsent = this.#outbox.find(uid); unsent;) {
      await this.#sendOnce(unsent);
      const nextUnsent = this.#outbox.find(uid);
      unsent = nextUnsent?.change === unsent.change ? undefined : nextUnsent;
    }
  }

  async #sendOnce(unsent: UnsentChange<Input>): Promise<void> {
    const { uid, location, written } = unsent;
    if (this.isDelayed) return this.finishSend(unsent, { state: 'unsent' });
    try {
      if (written) {
        const savedItem = await this.#config.put(location, uid, written);
        this.finishSend(unsent, savedSync, savedItem);
      } else {
        await this.#config.remove(location, uid);
        this.finishSend(unsent, savedSync);
      }
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : new ApiError(0, undefined, { cause });
      const { status, body } = error;
      this.scheduleRetry(error);
      if (status === 409 && body?.current !== undefined)
        this.finishSend(unsent, { state: 'conflict', theirs: body.current as Item });
      else if (isRefused(status)) this.finishSend(unsent, { state: 'refused' });
      else this.finishSend(unsent, { state: this.#countFault(unsent, status) ? 'failed' : 'unsent' });
    }
  }

  /** Counts a server error. Returns whether the change has reached the limit. */
  #countFault(sentChange: UnsentChange<Input>, status: number): boolean {
    const unsentChange = this.#outbox.find(sentChange.uid);
    if (status < 500 || unsentChange?.change !== sentChange.change) return false;
    const countedChange = { ...unsentChange, faults: (unsentChange.faults ?? 0) + 1 };
    this.#outbox.put(countedChange);
    return hasFailed(countedChange);
  }

  private finishSend(sentChange: UnsentChange<Input>, sync: Sync<Item>, savedItem?: Item): void {
    const unsentChange = this.#outbox.find(sentChange.uid);
    if (unsentChange && unsentChange.change !== sentChange.change) {
      // The item changed again during the request. The newer change is now based on the saved version.
      if (savedItem && unsentChange.written)
        this.#outbox.put({ ...unsentChange, written: { ...unsentChange.written, version: savedItem.version } });
      return;
    }
    if (sync.state === 'saved') this.#outbox.delete(sentChange.uid);
    const deletions = new Set(this.unsentDeletions);
    if (sentChange.written === null && sync.state === 'unsent') deletions.add(sentChange.uid);
    else deletions.delete(sentChange.uid);
    this.unsentDeletions = deletions;
    if (sentChange.written === null) this.#finishDeletion(sentChange.uid, sync);
    else this.all = this.all.map((item) => (item.uid === sentChange.uid ? { ...(savedItem ?? item), sync } : item));
    this.#enqueuePendingLoad();
  }

  /** Removes the item, or shows it again if only the person can retry the deletion. */
  #finishDeletion(uid: string, { state }: Sync<Item>): void {
    if (state === 'unsent') return;
    const deletedItem = this.all.find((item) => item.uid === uid) ?? this.#deletedItems.get(uid);
    this.#deletedItems.delete(uid);
    // A refused deletion would be refused again after each load.
    if (state !== 'failed') this.#outbox.delete(uid);
    this.all = this.all.filter((item) => item.uid !== uid);
    // An item without a version has never been on the server.
    if (state === 'saved' || !deletedItem || deletedItem.version === 0) return;
    if (this.lastDeleted?.uid === uid) this.lastDeleted = undefined;
    const sync = state === 'failed' ? failedDeletion : refusedDeletion;
    this.all = [...this.all, { ...deletedItem, sync }].toSorted(compareLatestFirst);
  }

  /** Loads all pages. Calls `onPage` with the rows so far after each page except the last. */
  async #loadAll(location: string, onPage?: (loaded: CursorPage<Item>) => void): Promise<void> {
    let loadedPage: CursorPage<Item> = { rows: [], total: 0, next: null };
    do {
      const page = await this.#config.list(location, loadedPage.next === null ? {} : { after: loadedPage.next });
      if (this.#location !== location) return;
      loadedPage = { ...page, rows: [...loadedPage.rows, ...page.rows] };
      if (loadedPage.next !== null) onPage?.(loadedPage);
    } while (loadedPage.next !== null);
    this.showLoaded(loadedPage);
  }

  /** Reloads the list without a loading state. */
  async #reload(): Promise<void> {
    await this.#loading;
    const pendingBefore = [...this.#pending];
    if (this.#location !== undefined) await this.#loadAll(this.#location);
    for (const [uid, change] of pendingBefore)
      if (this.#pending.get(uid) === change && !this.#isLocked(uid)) this.#pending.delete(uid);
  }

  /** Loads pending changes. Changes that fail to load stay pending. */
  #enqueuePendingLoad(): void {
    if (this.#pending.size > 0) void this.#enqueue(() => this.#loadPending()).catch(() => undefined);
  }

  /** Runs one load at a time, so that an earlier reply never replaces a later reply. */
  #enqueue(load: () => Promise<void>): Promise<void> {
    const queuedLoad = this.#loadQueue.then(load);
    this.#loadQueue = queuedLoad.catch(() => undefined);
    return queuedLoad;
  }

  async #loadPending(): Promise<void> {
    await this.#loading;
    const location = this.#location;
    const unlockedChanges = [...this.#pending].filter(([uid]) => !this.#isLocked(uid));
    if (location === undefined || unlockedChanges.length === 0) return;
    const requestedChanges = unlockedChanges.filter(
      ([uid, change]) => !change?.deleted && !this.#isCurrent(uid, change),
    );
    if (requestedChanges.length > maxSingleChanges || this.state === 'failed') return this.#reload();
    const uids = requestedChanges.map(([uid]) => uid);
    const { rows } = uids.length === 0 ? { rows: [] } : await this.#config.list(location, { uids });
    if (this.#location === location) this.mergeLoaded(unlockedChanges, uids, rows);
  }

  /**
   * Merges the requested items. Those that are missing in `loadedItems` are removed, because the person cannot see
   * them.
   */
  private mergeLoaded(
    unlockedChanges: readonly (readonly [string, Change | undefined])[],
    requestedUids: readonly string[],
    loadedItems: readonly Item[],
  ): void {
    const appliedChanges = unlockedChanges.filter(([uid]) => !this.#isLocked(uid));
    for (const [uid, change] of appliedChanges) if (this.#pending.get(uid) === change) this.#pending.delete(uid);
    const replacedUids = new Set(
      appliedChanges.filter(([uid, change]) => change?.deleted || requestedUids.includes(uid)).map(([uid]) => uid),
    );
    if (replacedUids.size === 0) return;
    const versions = new Map(this.all.map(({ uid, version }) => [uid, version]));
    for (const { uid, version } of loadedItems) if ((versions.get(uid) ?? 0) > version) replacedUids.delete(uid);
    const newItems = loadedItems
      .filter(({ uid }) => replacedUids.has(uid))
      .map((item): Listed<Item> => ({ ...item, sync: savedSync }));
    this.all = [...this.all.filter(({ uid }) => !replacedUids.has(uid)), ...newItems].toSorted(compareLatestFirst);
  }

  /** Whether a location belongs to the list. Unknown locations are included. */
  #isListed(location: string): boolean {
    const path = this.#options.locations.pathTo(location);
    return path.length === 0 || path.some(({ uid }) => uid === this.#location);
  }

  #isLocked(uid: string): boolean {
    return this.#openEditors.has(uid) || this.hasUnsentChange(uid);
  }

  #isCurrent(uid: string, change: Change | undefined): boolean {
    const existingItem = this.all.find((item) => item.uid === uid);
    if (!existingItem || !change || existingItem.version < change.version) return false;
    return this.#config.isComplete?.(existingItem, change) ?? true;
  }

  private showLoaded({ rows: loadedItems, total, next }: CursorPage<Item>): void {
    const { toItem } = this.#config;
    const unsent = new Map(this.#outbox.all.map((unsentChange) => [unsentChange.uid, unsentChange]));
    const itemsByUid = new Map(this.all.map((item) => [item.uid, item]));
    const toSync = (unsentChange: UnsentChange<Input>): Sync<Item> => {
      const sync = itemsByUid.get(unsentChange.uid)?.sync;
      return hasFailed(unsentChange) ? failedSync : sync && sync.state !== 'saved' ? sync : savingSync;
    };
    const editedItems = this.all.filter(
      ({ uid, version, location }) => this.#openEditors.has(uid) && version > 0 && this.#isListed(location),
    );
    for (const { uid } of editedItems) this.#pending.set(uid, undefined);
    const mergedItems = [
      ...loadedItems.filter(({ uid }) => !editedItems.some((item) => item.uid === uid)),
      ...editedItems,
    ].toSorted(compareLatestFirst);
    const listedItems = mergedItems.flatMap((item): readonly Listed<Item>[] => {
      const unsentChange = unsent.get(item.uid);
      if (!unsentChange) return [{ ...item, sync: savedSync }];
      if (unsentChange.written) return [{ ...toItem(unsentChange.written, item, item), sync: toSync(unsentChange) }];
      // An item that could not be deleted is shown again.
      if (hasFailed(unsentChange)) return [{ ...item, sync: failedDeletion }];
      this.#deletedItems.set(item.uid, item);
      return [];
    });
    const newItems = [...unsent.values()].flatMap((unsentChange): readonly Listed<Item>[] => {
      const { uid, location, written, at } = unsentChange;
      return written && !mergedItems.some((item) => item.uid === uid)
        ? [
            {
              ...toItem(
                written,
                {
                  uid,
                  location,
                  author: this.#getAuthor().name,
                  own: true,
                  editable: true,
                  createdAt: at,
                  updatedAt: at,
                },
                undefined,
              ),
              sync: toSync(unsentChange),
            },
          ]
        : [];
    });
    this.all = [...newItems, ...listedItems];
    this.progress = next === null ? undefined : { count: loadedItems.length, total };
    if (next === null) this.state = 'loaded';
  }

  private setFailed(): void {
    if (this.all.length === 0) this.showLoaded({ rows: [], total: 0, next: null });
    this.progress = undefined;
    this.state = 'failed';
  }
}

/** Compares items in the order of the server. */
function compareLatestFirst(a: StoredFields, b: StoredFields): number {
  if (a.createdAt === b.createdAt) return 0;
  return a.createdAt < b.createdAt ? 1 : -1;
}

/** Selects the fields that the server adds to an item. */
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
