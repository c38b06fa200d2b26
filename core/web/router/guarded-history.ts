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
 * The router's history, which asks before the person leaves unsaved work, also by the browser's back and forward
 * buttons. Paths include the base path. Its state is observable.
 */
export class GuardedHistory implements Navigator {
  location: Location;
  action: NavigationType = NavigationType.Pop;
  readonly #unsavedWork: Pick<UnsavedWork, 'exists' | 'confirmLeave'>;
  readonly #stopListening: () => void;
  #index: number;
  /** Number of expected `popstate` events that this class has caused itself to revert a navigation of the browser. */
  #popsToIgnore = 0;
  #leaveConfirmed = false;

  constructor(unsavedWork: Pick<UnsavedWork, 'exists' | 'confirmLeave'>) {
    this.#unsavedWork = unsavedWork;
    if (readIndex(window.history.state) === undefined)
      window.history.replaceState({ ...toObject(window.history.state), usr: null, key: createKey(), idx: 0 }, '');
    this.location = readLocation();
    this.#index = readIndex(window.history.state) ?? 0;
    makeObservable(this, { location: observableRef, action: observableRef });
    const handlePop = () => void this.#handlePop();
    window.addEventListener('popstate', handlePop);
    this.#stopListening = () => window.removeEventListener('popstate', handlePop);
  }

  dispose(): void {
    this.#stopListening();
  }

  // The router detaches these methods before it calls them.
  readonly createHref = (to: To): string => (typeof to === 'string' ? to : createPath(to));

  readonly go = (delta: number): void => window.history.go(delta);

  readonly push = (to: To, state?: unknown): void =>
    this.#navigate(to, (url) => {
      const entry = { usr: state ?? null, key: createKey(), idx: this.#index + 1 };
      window.history.pushState(entry, '', url);
      this.#updateLocation(NavigationType.Push, entry.idx);
    });

  readonly replace = (to: To, state?: unknown): void =>
    this.#navigate(to, (url) => {
      window.history.replaceState({ usr: state ?? null, key: createKey(), idx: this.#index }, '', url);
      this.#updateLocation(NavigationType.Replace, this.#index);
    });

  #resolve(to: To): string {
    const { pathname = this.location.pathname, search = '', hash = '' } = typeof to === 'string' ? parsePath(to) : to;
    return createPath({ pathname, search, hash });
  }

  /** Asks before a change of the path. A change of the query or hash stays on the same screen. */
  #navigate(to: To, apply: (url: string) => void): void {
    const url = this.#resolve(to);
    if (!this.#unsavedWork.exists || parsePath(url).pathname === this.location.pathname) return apply(url);
    void this.#unsavedWork.confirmLeave().then((confirmed) => confirmed && apply(url));
  }

  async #handlePop(): Promise<void> {
    if (this.#popsToIgnore > 0) {
      this.#popsToIgnore -= 1;
      return;
    }
    const index = readIndex(window.history.state) ?? 0;
    const delta = index - this.#index;
    if (
      this.#unsavedWork.exists &&
      !this.#leaveConfirmed &&
      delta !== 0 &&
      window.location.pathname !== this.location.pathname
    ) {
      this.#popsToIgnore += 1;
      window.history.go(-delta);
      if (!(await this.#unsavedWork.confirmLeave())) return;
      this.#leaveConfirmed = true;
      window.history.go(delta);
      return;
    }
    this.#leaveConfirmed = false;
    this.#updateLocation(NavigationType.Pop, index);
  }

  #updateLocation(action: NavigationType, index: number): void {
    this.#index = index;
    runInAction(() => {
      this.action = action;
      this.location = readLocation();
    });
  }
}

function readLocation(): Location {
  const { pathname, search, hash } = window.location;
  const state = toObject(window.history.state) as Partial<EntryState>;
  return { pathname, search, hash, state: state.usr ?? null, key: state.key ?? 'default' };
}

function toObject(state: unknown): object {
  return typeof state === 'object' && state !== null ? state : {};
}

function readIndex(state: unknown): number | undefined {
  return (toObject(state) as Partial<EntryState>).idx;
}

function createKey(): string {
  return crypto.randomUUID().slice(0, 8);
}
