import { compareShallow, reaction, runInAction } from 'mobx';
import { routeAddress, decodeViewState, encodeViewState, storageKeys, type TourSession } from '#core';
import type { BrowserStorage, Navigation } from '#core/web';
import { restoreView, tourView, captureView, type TourStore, type TourTools } from '#plugins/tour';

/** Milliseconds between two writes during a turn: browsers reject more than 100 in 30 seconds. */
const minIntervalMs = 500;

/**
 * Stores the whole view in the address. Another node or module adds an entry to the browser's history; a turn replaces
 * the current entry. External changes of the address (back, forward, links) are applied to the tour.
 */
export class AddressSync {
  readonly #store: TourStore;
  readonly #tools: TourTools;
  readonly #navigation: Navigation;
  readonly #storage: BrowserStorage;
  readonly #location: string;
  /** The last query of the address that this object has seen. */
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
        place: [this.#store.category, this.#store.secondaryModule, this.#store.currentNode?.code].join(' '),
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

  /** Called when the address changes. Ignores writes of this object. */
  handleQuery(query: string): void {
    const next = query.replace(/^\?/, '');
    if (next === this.#written) return;
    this.#written = next;
    const view = decodeViewState(next);
    if (!view) return this.flush();
    // One action: separate changes of modules, node and layers would each add an entry.
    runInAction(() => {
      restoreView(this.#store, this.#tools, view);
      this.#store.setSecondaryModule(view.beside);
      const layers = view.layers ?? {};
      for (const name of new Set([...Object.keys(layers), ...Object.keys(this.#store.layers)]))
        this.#store.setLayer(name, layers[name]);
      if (view.sel !== this.#store.selectedTag?.number) void this.#store.selectTag(view.sel);
    });
  }

  /** Writes pending changes now. */
  readonly flush = (): void => {
    this.#rest();
    this.#write(this.#query, true);
  };

  /** The query of the current view; undefined before a tour is open. */
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
   * Handles another node or module: adds an entry, unless the address is already there or a freely moving camera just
   * passed the node. First updates the left entry to its last view, which may be unwritten.
   */
  #step(left: string | undefined): void {
    const before = decodeViewState(this.#written);
    const sameModules =
      before !== undefined && before.module === this.#store.category && before.beside === this.#store.secondaryModule;
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
    // The tour is still mounted while the next screen loads, but must not write its address.
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
