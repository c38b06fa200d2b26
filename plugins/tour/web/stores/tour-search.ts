import { inject, injectable } from 'inversify';
import { actionBound, computed, makeObservable, observableRef } from 'mobx';
import { BrowserStorage, Resource, type Failure } from '#core/web';
import { TourStore, type SearchHit, type SearchSource } from '#plugins/tour';

/** Id of the panel of the search results. */
export const searchPanel = 'search';
/** Delay between the last key press and the search, milliseconds. */
const delayMs = 200;
const maxRecentTexts = 8;
export const recentTextsKey = 'tour.recentSearches';

/** A choice in the list below the search box. */
export interface SearchOption {
  /** Id of its element in the list. */
  readonly id: string;
  choose(): void;
}

/** The hits of one provider. Its properties are observable. */
export class SearchGroup {
  readonly order: number;
  readonly #resource: Resource<readonly SearchHit[]>;
  #text = '';
  #runningSearch: Promise<void> = Promise.resolve();

  constructor(order: number, find: (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>) {
    this.order = order;
    this.#resource = new Resource(async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      signal.throwIfAborted();
      return find(this.#text, signal);
    });
  }

  get hits(): readonly SearchHit[] {
    return this.failure ? [] : (this.#resource.value ?? []);
  }

  /** True if the hits are only similar to the text. */
  get similar(): boolean {
    return this.hits[0]?.similar ?? false;
  }

  get searching(): boolean {
    return this.#resource.running;
  }

  get failure(): Failure | undefined {
    return this.#resource.failure;
  }

  readonly retry = (): void => void this.#search();

  /** Resolves when no search runs. */
  whenSettled(): Promise<void> {
    return this.#runningSearch;
  }

  /** Keeps the previous hits until the next ones are found. The empty text has no hits. */
  search(text: string): void {
    this.#text = text;
    if (text !== '') return this.#search();
    this.#resource.dispose();
    this.#resource.update(() => []);
  }

  #search(): void {
    this.#runningSearch = this.#resource.load();
  }

  dispose(): void {
    this.#resource.dispose();
  }
}

/**
 * The search in the tour. Passes the text to all providers and moves through their hits by keyboard. Its state is
 * observable.
 */
@injectable()
export class TourSearch {
  /** Search texts after which the person chose a hit, latest first. */
  recentTexts: readonly string[];
  groups: ReadonlyMap<string, SearchGroup> = new Map();
  /** Id of the option that is selected by keys. */
  chosenId: string | undefined = undefined;
  /** Incremented by each search, so that `chooseActive` notices a newer one. */
  #searchCount = 0;
  readonly #store: TourStore;
  readonly #storage: BrowserStorage;

  constructor(@inject(TourStore) store: TourStore, @inject(BrowserStorage) storage: BrowserStorage) {
    this.#store = store;
    this.#storage = storage;
    this.recentTexts = storage.get<readonly string[]>(recentTextsKey) ?? [];
    makeObservable(this, {
      recentTexts: observableRef,
      groups: observableRef,
      chosenId: observableRef,
      text: computed,
      sortedIds: computed,
      options: computed,
      active: computed,
      search: actionBound,
      move: actionBound,
      addSource: actionBound,
      removeSource: actionBound,
      rememberText: actionBound,
    });
  }

  get text(): string {
    return this.#store.searchText.trim();
  }

  get searching(): boolean {
    return [...this.groups.values()].some((group) => group.searching);
  }

  /** Ids of the groups in list order. Groups with exact hits come first. */
  get sortedIds(): readonly string[] {
    return [...this.groups]
      .toSorted(([, a], [, b]) => Number(a.similar) - Number(b.similar) || a.order - b.order)
      .map(([id]) => id);
  }

  /** All options in the order of the list: the hits, or the recent texts if there is no text. */
  get options(): readonly SearchOption[] {
    if (this.text === '')
      return this.recentTexts.map((text) => ({ id: toOptionId('recent', text), choose: () => this.search(text) }));
    return this.sortedIds.flatMap((id) =>
      (this.groups.get(id)?.hits ?? []).map((hit) => ({
        id: toOptionId(id, hit.id),
        choose: () => {
          this.rememberText();
          hit.open();
        },
      })),
    );
  }

  /** The option that Enter chooses: the option selected by keys, else the best hit. */
  get active(): SearchOption | undefined {
    return this.options.find(({ id }) => id === this.chosenId) ?? (this.text === '' ? undefined : this.options[0]);
  }

  search(text: string): void {
    this.#store.search(text);
    this.#store.setPanel(searchPanel);
    this.chosenId = undefined;
    this.#searchCount++;
    for (const group of this.groups.values()) group.search(this.text);
  }

  addSource(id: string, order: number, source: SearchSource): void {
    const group = new SearchGroup(order, (text, signal) =>
      source.find(text, this.#store.opened?.tour.location ?? '', signal),
    );
    this.groups = new Map(this.groups).set(id, group);
    group.search(this.text);
  }

  removeSource(id: string): void {
    this.groups.get(id)?.dispose();
    this.groups = new Map([...this.groups].filter(([groupId]) => groupId !== id));
  }

  /** Moves through the options, from the last one to the first and back. */
  move(steps: number): void {
    const { options } = this;
    if (options.length === 0) return;
    const index = options.findIndex(({ id }) => id === this.active?.id);
    const nextIndex = index < 0 && steps < 0 ? options.length + steps : index + steps;
    this.chosenId = options[(nextIndex + options.length) % options.length]?.id;
  }

  /** Waits for running searches and chooses the active option. Chooses nothing if the text changed in the meantime. */
  async chooseActive(): Promise<void> {
    const searchCount = this.#searchCount;
    await Promise.all([...this.groups.values()].map((group) => group.whenSettled()));
    if (searchCount === this.#searchCount) this.active?.choose();
  }

  rememberText(): void {
    const { text } = this;
    this.recentTexts = [text, ...this.recentTexts.filter((recentText) => recentText !== text)].slice(0, maxRecentTexts);
    this.#storage.set(recentTextsKey, this.recentTexts);
  }
}

/** Converts to an element id, which must not contain spaces. */
export function toOptionId(group: string, hit: string): string {
  return `search-${group}-${encodeURIComponent(hit)}`;
}
