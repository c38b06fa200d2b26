import { action, computed, makeObservable, observableRef, observableStruct } from 'mobx';
import type { Page } from '#core/api';
import { toFailure, type Failure } from './failure.ts';
import type { ResourceState } from './resource-state.ts';

export interface PageRequest {
  /** Index of the first row. */
  readonly offset: number;
  readonly limit: number;
}

/** Loads one page; undefined if there is nothing to load yet. */
export type LoadPage<P> = (request: PageRequest, signal: AbortSignal) => Promise<P> | undefined;

/** The values of a page that concern the whole list, such as its total. */
type ListSummary<P extends Page<unknown>> = Omit<P, 'rows' | 'offset'>;

interface LoadedPage<P> {
  /** Undefined if the page failed to load and no earlier rows exist. */
  readonly value: P | undefined;
  readonly failure: Failure | undefined;
  /** The page comes from an earlier `load` and is reloaded when it becomes visible. */
  readonly outdated: boolean;
}

/** Rows for a table, of which only the visible ones are loaded. Its state is observable. */
export interface PagedRows<Row> {
  /** Number of rows of all pages; undefined until the first page is loaded. */
  readonly total: number | undefined;
  /** The row at an index; undefined until its page is loaded. */
  rowAt(index: number): Row | undefined;
  failureAt(index: number): Failure | undefined;
  /** Loads the pages of these rows and aborts the loading of others. */
  loadRows(firstRow: number, lastRow: number): void;
  readonly retry: () => void;
}

const defaultPageSize = 200;
const maxPages = 50;

/** A long list that loads only its visible pages and keeps the 50 nearest. Its state is observable. */
export class PagedResource<P extends Page<unknown>> implements PagedRows<P['rows'][number]> {
  /** Values of the whole list. They do not change with each page, so screens that show them do not render again. */
  value: ListSummary<P> | undefined = undefined;
  /** The reason why there is no value, or why visible rows failed to reload. */
  failure: Failure | undefined = undefined;
  pages: ReadonlyMap<number, LoadedPage<P>> = new Map();
  #load: LoadPage<P>;
  readonly #pageSize: number;
  readonly #controllersByPage = new Map<number, AbortController>();
  #visiblePages = { first: 0, last: 0 };

  constructor(load: LoadPage<P>, pageSize = defaultPageSize) {
    this.#load = load;
    this.#pageSize = pageSize;
    makeObservable<this, 'start' | 'keepVisiblePages' | 'succeed' | 'fail'>(this, {
      value: observableStruct,
      failure: observableRef,
      pages: observableRef,
      state: computed,
      start: action,
      keepVisiblePages: action,
      succeed: action,
      fail: action,
      retry: action,
    });
  }

  get state(): ResourceState {
    if (this.value === undefined) return this.failure ? 'failed' : 'loading';
    return this.failure || [...this.pages.values()].some(({ outdated }) => outdated) ? 'stale' : 'ready';
  }

  get total(): number | undefined {
    return this.value?.total;
  }

  rowAt(index: number): P['rows'][number] | undefined {
    return this.#pageAt(index)?.value?.rows[index % this.#pageSize];
  }

  failureAt(index: number): Failure | undefined {
    return this.#pageAt(index)?.failure;
  }

  loadRows(firstRow: number, lastRow: number): void {
    const toPage = (row: number): number => Math.floor(Math.max(0, row) / this.#pageSize);
    this.#visiblePages = { first: toPage(firstRow), last: toPage(lastRow) };
    for (const [page, controller] of this.#controllersByPage) {
      if (this.#distanceTo(page) === 0) continue;
      this.#controllersByPage.delete(page);
      controller.abort();
    }
    for (let page = this.#visiblePages.first; page <= this.#visiblePages.last; page++) {
      const loadedPage = this.pages.get(page);
      if (!this.#controllersByPage.has(page) && (!loadedPage || loadedPage.outdated)) void this.#loadPage(page);
    }
  }

  /** Reloads the visible rows at once and other rows when they become visible. */
  load(): void {
    this.dispose();
    this.start();
    this.loadRows(this.#visiblePages.first * this.#pageSize, this.#visiblePages.last * this.#pageSize);
  }

  /** Replaces the load function, such as for another order. The visible rows stay until the new ones are loaded. */
  loadWith(load: LoadPage<P>): void {
    this.#load = load;
    this.keepVisiblePages();
    this.load();
  }

  /** Retries failed pages. */
  readonly retry = (): void => {
    if (this.value === undefined || this.failure) return this.load();
    this.pages = new Map([...this.pages].filter(([, { failure }]) => !failure));
    this.loadRows(this.#visiblePages.first * this.#pageSize, this.#visiblePages.last * this.#pageSize);
  };

  /** Aborts the running calls. `load` works again afterwards. */
  dispose(): void {
    for (const controller of this.#controllersByPage.values()) controller.abort();
    this.#controllersByPage.clear();
  }

  #pageAt(index: number): LoadedPage<P> | undefined {
    return this.pages.get(Math.floor(index / this.#pageSize));
  }

  /** Distance in pages from the visible pages; 0 for a visible page. */
  #distanceTo(page: number): number {
    return Math.max(this.#visiblePages.first - page, page - this.#visiblePages.last, 0);
  }

  async #loadPage(page: number): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#controllersByPage.set(page, controller);
    try {
      const call = this.#load({ offset: page * this.#pageSize, limit: this.#pageSize }, signal);
      if (!call) return;
      const value = await call;
      if (!signal.aborted) this.succeed(page, value);
    } catch (cause) {
      if (!signal.aborted) this.fail(page, cause);
    } finally {
      if (this.#controllersByPage.get(page) === controller) this.#controllersByPage.delete(page);
    }
  }

  private start(): void {
    if (this.value === undefined) this.failure = undefined;
    this.pages = new Map([...this.pages].map(([page, loaded]) => [page, { ...loaded, outdated: true }]));
  }

  private keepVisiblePages(): void {
    this.pages = new Map([...this.pages].filter(([page, { value }]) => value && this.#distanceTo(page) === 0));
  }

  private succeed(page: number, value: P): void {
    const { rows: _rows, offset: _offset, ...summary } = value;
    this.value = summary;
    this.failure = undefined;
    const pages = new Map(this.pages).set(page, { value, failure: undefined, outdated: false });
    const farthest = [...pages.keys()].toSorted((a, b) => this.#distanceTo(b) - this.#distanceTo(a));
    for (const distantPage of farthest.slice(0, Math.max(0, pages.size - maxPages))) pages.delete(distantPage);
    this.pages = pages;
  }

  private fail(page: number, cause: unknown): void {
    const failure = toFailure(cause);
    const previous = this.pages.get(page)?.value;
    if (previous || this.value === undefined) this.failure = failure;
    else this.pages = new Map(this.pages).set(page, { value: undefined, failure, outdated: false });
  }
}
