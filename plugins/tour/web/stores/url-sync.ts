import { compareShallow, reaction, runInAction } from 'mobx';
import { routeUrl, decodeViewState, encodeViewState, storageKeys, type TourSession } from '#core';
import type { BrowserStorage, Navigation } from '#core/web';
import { captureView, findByCode, restoreView, tourView, type TourStore, type TourTools } from '#plugins/tour';
import { parseLink } from './parse-link.ts';

/** Milliseconds between two writes while the view turns. Browsers reject more than 100 writes in 30 seconds. */
const minIntervalMs = 500;

/**
 * Stores the whole view in the URL. Going to another node or module pushes a history entry. Turning the view replaces
 * the current entry. External changes of the URL (back, forward, links) are applied to the tour.
 */
export class UrlSync {
  readonly #store: TourStore;
  readonly #tools: TourTools;
  readonly #navigation: Navigation;
  readonly #storage: BrowserStorage;
  readonly #location: string;
  /** Ids of the available tour modules. */
  readonly #modules: readonly string[];
  /** The last query that this object wrote or read. */
  #lastQuery: string;
  /** The last query that `handleQuery` received. */
  #lastReceivedQuery: string;
  #stop: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    services: {
      readonly store: TourStore;
      readonly tools: TourTools;
      readonly navigation: Navigation;
      readonly storage: BrowserStorage;
      readonly modules: readonly string[];
    },
    location: string,
    /** The query with which the tour was opened. */
    openedQuery: string,
  ) {
    this.#store = services.store;
    this.#tools = services.tools;
    this.#navigation = services.navigation;
    this.#storage = services.storage;
    this.#location = location;
    this.#modules = services.modules;
    this.#lastQuery = openedQuery.replace(/^\?/, '');
    this.#lastReceivedQuery = this.#lastQuery;
  }

  start(): () => void {
    this.#stop = reaction(
      () => ({
        key: [this.#store.category, this.#store.secondaryModule, this.#store.currentNode?.code].join(' '),
        query: this.#query,
      }),
      (next, previous) => (next.key === previous.key ? this.#scheduleWrite() : this.#pushEntry(previous.query)),
      { equals: compareShallow },
    );
    this.flush();
    return () => {
      clearTimeout(this.#timer);
      this.#stop?.();
    };
  }

  /**
   * Applies a changed query of the URL to the tour. Ignores the writes of this object. Calls `onLink` instead for links
   * that name a tag or missing parts, or that are not a complete view.
   */
  handleQuery(query: string, onLink: (query: string) => void): void {
    const nextQuery = query.replace(/^\?/, '');
    const isRepeated = nextQuery === this.#lastReceivedQuery;
    this.#lastReceivedQuery = nextQuery;
    if (isRepeated || nextQuery === this.#lastQuery) return;
    this.#lastQuery = nextQuery;
    const parsed = parseLink(nextQuery, this.#modules);
    if (!parsed) return this.flush();
    const view = decodeViewState(nextQuery);
    const hasMissingParts =
      parsed.missingParts.length > 0 ||
      (view?.node !== undefined && findByCode(this.#store.nodes, view.node) === undefined);
    if (!view || parsed.link.tag !== undefined || hasMissingParts) return onLink(query);
    // A single action, because separate changes of modules, node and layers would each add a history entry.
    runInAction(() => {
      restoreView(this.#store, this.#tools, view);
      this.#store.setSecondaryModule(view.beside);
      const layers = view.layers ?? {};
      for (const name of new Set([...Object.keys(layers), ...Object.keys(this.#store.layers)]))
        this.#store.setLayer(name, layers[name]);
      const deck = view.floor === undefined ? undefined : findByCode(this.#store.opened?.decks ?? [], view.floor);
      if (deck) this.#store.setMapLevel(deck.uid);
      if (view.sel !== this.#store.selectedTag?.number) void this.#store.selectTag(view.sel, { restored: true });
    });
  }

  /** Writes pending changes now. */
  readonly flush = (): void => {
    this.#cancelWrite();
    this.#write(this.#query, true);
  };

  /** The query of the current view. Undefined before a tour is open. */
  get #query(): string | undefined {
    const view = captureView(this.#store, this.#tools);
    return view && encodeViewState(view);
  }

  #scheduleWrite(): void {
    this.#timer ??= setTimeout(this.flush, minIntervalMs);
  }

  #cancelWrite(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Pushes a history entry for another node or module, after writing the pending view of the current entry. Replaces
   * the current entry instead if a freely moving camera reached the node, or if the entry is not a complete view.
   * Writes nothing if the URL already names the node and the modules.
   */
  #pushEntry(queryBeforeChange: string | undefined): void {
    const previous = decodeViewState(this.#lastQuery);
    const sameModules =
      previous !== undefined &&
      previous.module === this.#store.category &&
      previous.beside === this.#store.secondaryModule;
    const isSameNode = sameModules && previous.node === this.#store.currentNode?.code;
    const isPending = this.#timer !== undefined;
    this.#cancelWrite();
    if (isSameNode) return;
    const shouldReplace = previous === undefined || (sameModules && this.#tools.positionAuthor !== undefined);
    if (isPending && !shouldReplace) this.#write(queryBeforeChange, true);
    this.#write(this.#query, shouldReplace);
  }

  #write(query: string | undefined, replace: boolean): void {
    if (query === undefined || query === this.#lastQuery) return;
    const path = routeUrl(tourView, { location: this.#location });
    // While the next screen loads, the tour is still mounted, but it must no longer change the URL.
    if (this.#navigation.url.split('?')[0] !== path) return;
    this.#lastQuery = query;
    const url = `${path}?${query}`;
    this.#saveSession(url);
    this.#navigation.goToUrl(url, { replace });
  }

  #saveSession(url: string): void {
    const node = this.#store.currentNode;
    if (!node) return;
    const session: TourSession = {
      location: this.#location,
      address: url,
      title: node.name,
      at: new Date().toISOString(),
      ...(node.thumbnail === null ? {} : { picture: node.thumbnail }),
    };
    this.#storage.set(storageKeys.tourSession, session);
  }
}
