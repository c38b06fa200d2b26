import { action, actionBound, makeObservable, observableRef } from 'mobx';
import { ApiError, type BrowserStorage, type HttpClient } from '#core/web';
import type { deleteMeasurement, listMeasurements, putMeasurement } from '#plugins/annotate/api';
import type { Measurement, WrittenMeasurement } from '#plugins/annotate';
import { Outbox, type Unsent } from './outbox.ts';

/** Where a measurement stands with the server. `unsent`: kept here, no answer yet. `conflict`: another changed it, `theirs` is what they saved. `refused`: the server will not have it. */
export type Sync = { readonly state: 'saved' | 'saving' | 'unsent' | 'refused' } | { readonly state: 'conflict'; readonly theirs: Measurement };

export interface ListedMeasurement extends Measurement {
  readonly sync: Sync;
}

const saved: Sync = { state: 'saved' };

/** The measurements of a tour, those on their way included. Observable. Each change shows at once and goes to the server; what does not get there stays in the outbox. */
export class MeasurementList {
  state: 'initial' | 'loading' | 'loaded' | 'failed' = 'initial';
  all: readonly ListedMeasurement[] = [];
  /** The one that was deleted last and can be brought back. */
  deleted: Measurement | undefined;
  readonly #http: HttpClient;
  readonly #outbox: Outbox;
  readonly #me: () => string;
  readonly #sending = new Map<string, Promise<void>>();
  #location: string | undefined;

  constructor(http: HttpClient, storage: BrowserStorage, me: () => string) {
    this.#http = http;
    this.#outbox = new Outbox(storage);
    this.#me = me;
    makeObservable<this, 'settle' | 'loadedWith' | 'failed'>(this, {
      state: observableRef,
      all: observableRef,
      deleted: observableRef,
      load: action,
      keep: actionBound,
      remove: actionBound,
      restore: actionBound,
      takeTheirs: actionBound,
      settle: action,
      loadedWith: action,
      failed: action,
    });
  }

  /** Of a location and below it; what was left unsent earlier is sent again. */
  async load(location: string): Promise<void> {
    this.#location = location;
    this.state = 'loading';
    try {
      const found = await this.#http.call<typeof listMeasurements>('GET', '/api/annotate/:location/measurements', { params: { location } });
      if (this.#location === location) this.loadedWith(found);
    } catch {
      if (this.#location === location) this.failed();
    }
    await this.sendAgain();
  }

  /** Adds a measurement or a change of one. */
  async keep(uid: string, location: string, written: WrittenMeasurement): Promise<void> {
    const known = this.all.find((each) => each.uid === uid);
    const now = new Date().toISOString();
    this.#outbox.put({ uid, location, written, at: now, change: crypto.randomUUID() });
    const shown: ListedMeasurement = { ...written, uid, location, author: known?.author ?? this.#me(), own: known?.own ?? true, createdAt: known?.createdAt ?? now, updatedAt: now, sync: { state: 'saving' } };
    this.all = known ? this.all.map((each) => (each.uid === uid ? shown : each)) : [shown, ...this.all];
    await this.#send(uid);
  }

  /** Changes the name or who sees it. */
  change(uid: string, changes: Partial<Pick<WrittenMeasurement, 'name' | 'shared'>>): Promise<void> {
    const known = this.all.find((each) => each.uid === uid);
    return known ? this.keep(uid, known.location, { ...writtenOf(known), ...changes }) : Promise.resolve();
  }

  async remove(uid: string): Promise<void> {
    const known = this.all.find((each) => each.uid === uid);
    if (!known) return;
    const { sync: _, ...measurement } = known;
    this.deleted = measurement;
    this.all = this.all.filter((each) => each.uid !== uid);
    this.#outbox.put({ uid, location: known.location, written: null, at: new Date().toISOString(), change: crypto.randomUUID() });
    await this.#send(uid);
  }

  /** Brings the last deleted one back. */
  async restore(): Promise<void> {
    const { deleted } = this;
    if (!deleted) return;
    this.deleted = undefined;
    await this.keep(deleted.uid, deleted.location, writtenOf(deleted));
  }

  /** Of a conflict: what the other saved stays. */
  takeTheirs(uid: string): void {
    this.#outbox.take(uid);
    this.all = this.all.map((each) => (each.uid === uid && each.sync.state === 'conflict' ? { ...each.sync.theirs, sync: saved } : each));
  }

  /** Of a conflict: one's own goes over it. */
  keepMine(uid: string): Promise<void> {
    const mine = this.all.find((each) => each.uid === uid);
    return mine?.sync.state === 'conflict' ? this.keep(uid, mine.location, { ...writtenOf(mine), version: mine.sync.theirs.version }) : Promise.resolve();
  }

  /** Whatever the server has not confirmed: called when the line is back. */
  async sendAgain(): Promise<void> {
    for (const { uid } of this.#outbox.all) await this.#send(uid);
  }

  /** One call at a time for each measurement: a second one would know nothing of the version that the first one makes. */
  #send(uid: string): Promise<void> {
    const sending = this.#sending.get(uid) ?? this.#drain(uid).finally(() => this.#sending.delete(uid));
    this.#sending.set(uid, sending);
    return sending;
  }

  async #drain(uid: string): Promise<void> {
    for (let unsent = this.#outbox.find(uid); unsent; ) {
      await this.#sendOnce(unsent);
      const next = this.#outbox.find(uid);
      unsent = next?.change === unsent.change ? undefined : next;
    }
  }

  async #sendOnce(unsent: Unsent): Promise<void> {
    const { uid, location, written } = unsent;
    try {
      if (written) {
        const kept = await this.#http.call<typeof putMeasurement>('PUT', '/api/annotate/:location/measurements/:uid', { params: { location, uid }, body: written });
        this.settle(unsent, saved, kept);
      } else {
        await this.#http.call<typeof deleteMeasurement>('DELETE', '/api/annotate/:location/measurements/:uid', { params: { location, uid } });
        this.settle(unsent, saved);
      }
    } catch (cause) {
      const { status, body } = cause instanceof ApiError ? cause : new ApiError(0, undefined, { cause });
      if (status === 409 && body?.current !== undefined) this.settle(unsent, { state: 'conflict', theirs: body.current as Measurement });
      else if (status >= 400 && status < 500 && status !== 401 && status !== 429) this.settle(unsent, { state: 'refused' });
      else this.settle(unsent, { state: 'unsent' });
    }
  }

  private settle(sent: Unsent, sync: Sync, kept?: Measurement): void {
    const waiting = this.#outbox.find(sent.uid);
    if (waiting && waiting.change !== sent.change) {
      // It was changed again while the call was on its way: the newer one starts from what the server has now.
      if (kept && waiting.written) this.#outbox.put({ ...waiting, written: { ...waiting.written, version: kept.version } });
      return;
    }
    if (sync.state === 'saved') this.#outbox.take(sent.uid);
    this.all = this.all.map((each) => (each.uid === sent.uid ? { ...(kept ?? each), sync } : each));
  }

  private loadedWith(found: readonly Measurement[]): void {
    const unsent = new Map(this.#outbox.all.map((each) => [each.uid, each]));
    const listed = found.filter((each) => unsent.get(each.uid)?.written !== null).map((each): ListedMeasurement => ({ ...each, ...unsent.get(each.uid)?.written, sync: unsent.has(each.uid) ? { state: 'saving' } : saved }));
    const fresh = [...unsent.values()].flatMap(({ uid, location, written, at }): readonly ListedMeasurement[] =>
      written && !found.some((each) => each.uid === uid) ? [{ ...written, uid, location, author: this.#me(), own: true, createdAt: at, updatedAt: at, sync: { state: 'saving' } }] : [],
    );
    this.all = [...fresh, ...listed];
    this.state = 'loaded';
  }

  private failed(): void {
    this.state = 'failed';
    if (this.all.length === 0) {
      this.loadedWith([]);
      this.state = 'failed';
    }
  }
}

export function writtenOf({ kind, name, points, result, unit, tour, node, view, shared, version }: Measurement): WrittenMeasurement {
  return { kind, name, points, result, unit, tour, node, view, shared, version };
}
