import { makeObservable, observableRef, runInAction } from 'mobx';
import { NavigationType, createPath, parsePath, type Location, type Navigator, type To } from 'react-router-dom';
import type { UnsavedWork } from './unsaved-work.ts';

/** State stored with each entry of the browser's history. */
interface EntryState {
  readonly usr: unknown;
  readonly key: string;
  readonly idx: number;
}

/**
 * The router's history, which asks before leaving unsaved work, also on the browser's back and forward. Observable.
 * Paths are the browser's, base path included.
 */
export class GuardedHistory implements Navigator {
  location: Location;
  action: NavigationType = NavigationType.Pop;
  readonly #unsaved: Pick<UnsavedWork, 'exists' | 'mayLeave'>;
  readonly #stopListening: () => void;
  #index: number;
  /** Number of own history moves to ignore, which undo a move of the browser. */
  #ownMoves = 0;
  #agreed = false;

  constructor(unsaved: Pick<UnsavedWork, 'exists' | 'mayLeave'>) {
    this.#unsaved = unsaved;
    if (indexOf(window.history.state) === undefined)
      window.history.replaceState({ ...asObject(window.history.state), usr: null, key: newKey(), idx: 0 }, '');
    this.location = here();
    this.#index = indexOf(window.history.state) ?? 0;
    makeObservable(this, { location: observableRef, action: observableRef });
    const popped = () => void this.#popped();
    window.addEventListener('popstate', popped);
    this.#stopListening = () => window.removeEventListener('popstate', popped);
  }

  dispose(): void {
    this.#stopListening();
  }

  // The router detaches these methods before it calls them.
  readonly createHref = (to: To): string => (typeof to === 'string' ? to : createPath(to));

  readonly go = (delta: number): void => window.history.go(delta);

  readonly push = (to: To, state?: unknown): void =>
    this.#leave(to, (address) => {
      const entry = { usr: state ?? null, key: newKey(), idx: this.#index + 1 };
      window.history.pushState(entry, '', address);
      this.#arrive(NavigationType.Push, entry.idx);
    });

  readonly replace = (to: To, state?: unknown): void =>
    this.#leave(to, (address) => {
      window.history.replaceState({ usr: state ?? null, key: newKey(), idx: this.#index }, '', address);
      this.#arrive(NavigationType.Replace, this.#index);
    });

  #resolved(to: To): string {
    const { pathname = this.location.pathname, search = '', hash = '' } = typeof to === 'string' ? parsePath(to) : to;
    return createPath({ pathname, search, hash });
  }

  /** State in the address is part of the same screen: only a new path leaves it. */
  #leave(to: To, change: (address: string) => void): void {
    const address = this.#resolved(to);
    if (!this.#unsaved.exists || parsePath(address).pathname === this.location.pathname) return change(address);
    void this.#unsaved.mayLeave().then((may) => may && change(address));
  }

  async #popped(): Promise<void> {
    if (this.#ownMoves > 0) {
      this.#ownMoves -= 1;
      return;
    }
    const index = indexOf(window.history.state) ?? 0;
    const delta = index - this.#index;
    if (this.#unsaved.exists && !this.#agreed && delta !== 0 && window.location.pathname !== this.location.pathname) {
      this.#ownMoves += 1;
      window.history.go(-delta);
      if (!(await this.#unsaved.mayLeave())) return;
      this.#agreed = true;
      window.history.go(delta);
      return;
    }
    this.#agreed = false;
    this.#arrive(NavigationType.Pop, index);
  }

  #arrive(action: NavigationType, index: number): void {
    this.#index = index;
    runInAction(() => {
      this.action = action;
      this.location = here();
    });
  }
}

function here(): Location {
  const { pathname, search, hash } = window.location;
  const state = asObject(window.history.state) as Partial<EntryState>;
  return { pathname, search, hash, state: state.usr ?? null, key: state.key ?? 'default' };
}

function asObject(state: unknown): object {
  return typeof state === 'object' && state !== null ? state : {};
}

function indexOf(state: unknown): number | undefined {
  return (asObject(state) as Partial<EntryState>).idx;
}

function newKey(): string {
  return crypto.randomUUID().slice(0, 8);
}
