import { action, computed, makeObservable, observable } from 'mobx';
import { maxPeople } from '#core';

/** The people that are selected in the list, also on pages that are not shown. */
export class UserSelection {
  readonly #names = observable.map<string, string>();

  constructor() {
    makeObservable(this, { uids: computed, toggle: action, clear: action });
  }

  get uids(): readonly string[] {
    return [...this.#names.keys()];
  }

  /** Whether as many are selected as one change takes. */
  get full(): boolean {
    return this.#names.size >= maxPeople;
  }

  has(uid: string): boolean {
    return this.#names.has(uid);
  }

  toggle(uid: string, name: string): void {
    if (!this.#names.delete(uid) && !this.full) this.#names.set(uid, name);
  }

  clear(): void {
    this.#names.clear();
  }
}
