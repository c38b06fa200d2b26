import { compareShallow, reaction, runInAction } from 'mobx';
import { routeAddress, decodeViewState, encodeViewState, storageKeys, type TourSession } from '#core';
import type { BrowserStorage, Navigation } from '#core/web';
import { restoreView, tourView, captureView, type TourStore, type TourTools } from '#plugins/tour';

/**
 * Milliseconds between two writings of the address while one looks around: browsers refuse more than 100 in 30 seconds.
 */
const minIntervalMs = 500;

/**
 * Keeps the whole view in the address: another node or module is a new entry of the browser's history, a look around
 * replaces the present one. What the address is changed to from outside (back and forward, a link) is what the tour
 * goes to.
 */
export class AddressSync {
  readonly #store: TourStore;
  readonly #tools: TourTools;
  readonly #navigation: Navigation;
  readonly #storage: BrowserStorage;
  readonly #location: string;
  /** The query that the address has, as far as this object knows. */
  #written: string;
  #stop: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    parts: {
      readonly store: TourStore;
      readonly tools: TourTools;
      readonly navigation: Navigation;
      readonly storage: BrowserStorage;
    },
    location: string,
    query: string,
  ) {
    this.#store = parts.store;
    this.#tools = parts.tools;
    this.#navigation = parts.navigation;
    this.#storage = parts.storage;
    this.#location = location;
    this.#written = query.replace(/^\?/, '');
  }

  start(): () => void {
    this.#stop = reaction(
      () => ({
        place: [this.#store.category, this.#store.beside, this.#store.currentNode?.code].join(' '),
        query: this.#query,
      }),
      (now, before) => (now.place === before.place ? this.#wait() : this.#step(before.query)),
      { equals: compareShallow },
    );
    this.flush();
    return () => {
      clearTimeout(this.#timer);
      this.#stop?.();
    };
  }

  /** The address changed. Does nothing for what this object wrote itself. */
  arrived(query: string): void {
    const given = query.replace(/^\?/, '');
    if (given === this.#written) return;
    this.#written = given;
    const view = decodeViewState(given);
    if (!view) return this.flush();
    // One change: modules, place and layers on their own would each be a step.
    runInAction(() => {
      restoreView(this.#store, this.#tools, view);
      this.#store.setSecondaryModule(view.beside);
      const layers = view.layers ?? {};
      for (const name of new Set([...Object.keys(layers), ...Object.keys(this.#store.layers)]))
        this.#store.setLayer(name, layers[name]);
      if (view.sel !== this.#store.selectedTag?.number) void this.#store.selectTag(view.sel);
    });
  }

  /** Brings the address up to date now. */
  readonly flush = (): void => {
    this.#rest();
    this.#write(this.#query, true);
  };

  /** What the address should say; undefined while nobody stands anywhere. */
  get #query(): string | undefined {
    const view = captureView(this.#store, this.#tools);
    return view && encodeViewState(view);
  }

  #wait(): void {
    this.#timer ??= setTimeout(this.flush, minIntervalMs);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Another node or module: a new entry, unless the address already stands there or the node is but the one that
   * somebody who moves freely came by. The entry that is left keeps the place as it was seen last, also where that was
   * not written yet.
   */
  #step(left: string | undefined): void {
    const before = decodeViewState(this.#written);
    const sameModules =
      before !== undefined && before.module === this.#store.category && before.beside === this.#store.beside;
    const same = sameModules && before.node === this.#store.currentNode?.code;
    const waiting = this.#timer !== undefined;
    this.#rest();
    if (same) return;
    const passing = before === undefined || (sameModules && this.#tools.positionAuthor !== undefined);
    if (waiting && !passing) this.#write(left, true);
    this.#write(this.#query, passing);
  }

  #write(query: string | undefined, replace: boolean): void {
    if (query === undefined || query === this.#written) return;
    const path = routeAddress(tourView, { location: this.#location });
    // Who has left stays away, though the tour shows until the next screen is there.
    if (this.#navigation.address.split('?')[0] !== path) return;
    this.#written = query;
    const address = `${path}?${query}`;
    this.#remember(address);
    this.#navigation.goToAddress(address, { replace });
  }

  #remember(address: string): void {
    const node = this.#store.currentNode;
    if (!node) return;
    const session: TourSession = {
      location: this.#location,
      address,
      title: node.name,
      at: new Date().toISOString(),
      ...(node.thumbnail === null ? {} : { picture: node.thumbnail }),
    };
    this.#storage.set(storageKeys.tourSession, session);
  }
}
