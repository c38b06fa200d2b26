import { action, computed, makeObservable, observable } from 'mobx';
import { maxPeople } from '#core';

/** Selected people, across all pages of the list. */
export class UserSelection {
  readonly #names = observable.map<string, string>();

  constructor() {
    makeObservable(this, { uids: computed, toggle: action, clear: action });
  }

  get uids(): readonly string[] {
    return [...this.#names.keys()];
  }

  /** Whether the maximum number of people for a bulk change is selected. */
  get isFull(): boolean {
    return this.#names.size >= maxPeople;
  }

  has(uid: string): boolean {
    return this.#names.has(uid);
  }

  toggle(uid: string, name: string): void {
    if (!this.#names.delete(uid) && !this.isFull) this.#names.set(uid, name);
  }

  clear(): void {
    this.#names.clear();
  }
}
