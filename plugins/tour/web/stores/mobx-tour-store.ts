import { inject, injectable } from 'inversify';
import { action, computed, makeObservable, observableRef, runInAction } from 'mobx';
import { storageKeys, type LocationNode, type LocationRow, type Point3, type RequestOf } from '#core';
import { ApiError, BrowserStorage, HttpClient, Locations } from '#core/web';
import {
  findByCode,
  TourTools,
  type Deck,
  type LinkedView,
  type LoadState,
  type MissingPart,
  type OpenedTour,
  type PanoramaView,
  type TagDetails,
  type TourLink,
  type TourNode,
  type TourPart,
  type TourStore,
  type TourValue,
} from '#plugins/tour';
import type { getTag, listVisitedNodes, openTour, visitNode } from '#plugins/tour/api';
import { toFailure } from './to-failure.ts';
import { setViewLayer } from './set-view-layer.ts';
import { findNearestNode } from './nearest-node.ts';

/** Id of the panel of the selected tag. */
const tagPanel = 'tag';
/** Field of view after turning to a tag, degrees. Its plate is legible, and some surroundings are visible. */
const tagFov = 45;

/** A tag, or why it could not be loaded. */
type LoadedTag = TagDetails | 'notFound' | 'failed';

type State = Pick<
  TourStore,
  | 'loading'
  | 'failure'
  | 'opened'
  | 'category'
  | 'secondaryModule'
  | 'searchText'
  | 'toolbarHidden'
  | 'visitedNodes'
  | 'mapLevel'
  | 'selectedTag'
  | 'approachedTag'
  | 'layers'
  | 'missingParts'
>;

const createInitialState = (): State => ({
  loading: { tour: 'initial', tools: 'initial', modules: 'initial' },
  failure: undefined,
  opened: undefined,
  category: undefined,
  secondaryModule: undefined,
  searchText: '',
  toolbarHidden: false,
  visitedNodes: [],
  mapLevel: undefined,
  selectedTag: undefined,
  approachedTag: undefined,
  layers: {},
  missingParts: [],
});

@injectable()
export class MobxTourStore implements TourStore {
  loading: State['loading'] = createInitialState().loading;
  failure: State['failure'] = createInitialState().failure;
  opened: State['opened'] = createInitialState().opened;
  category: State['category'] = createInitialState().category;
  secondaryModule: State['secondaryModule'] = createInitialState().secondaryModule;
  searchText: State['searchText'] = createInitialState().searchText;
  toolbarHidden: State['toolbarHidden'] = createInitialState().toolbarHidden;
  visitedNodes: State['visitedNodes'] = createInitialState().visitedNodes;
  mapLevel: State['mapLevel'] = createInitialState().mapLevel;
  selectedTag: State['selectedTag'] = createInitialState().selectedTag;
  approachedTag: State['approachedTag'] = createInitialState().approachedTag;
  layers: State['layers'] = createInitialState().layers;
  missingParts: State['missingParts'] = createInitialState().missingParts;
  /** Open panels. The last one is on top. */
  panels: readonly string[] = [];
  values: ReadonlyMap<TourValue<unknown>, unknown> = new Map();
  nodeUid: string | undefined;
  readonly #http: HttpClient;
  readonly #locations: Locations;
  readonly #storage: BrowserStorage;
  readonly #tools: TourTools;
  /** Location with which the tour was opened. The person may not have access to the location of the tour. */
  #location: string | undefined;
  #allNodesLoad: Promise<void> | undefined;
  #openAbort = new AbortController();
  #selectAbort = new AbortController();
  /** The node to go to as soon as all nodes are loaded. */
  #awaitedNode: { readonly uid: string; readonly view: Partial<PanoramaView> | undefined } | undefined;

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(Locations) locations: Locations,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(TourTools) tools: TourTools,
  ) {
    this.#http = http;
    this.#locations = locations;
    this.#storage = storage;
    this.#tools = tools;
    makeObservable<this>(this, {
      loading: observableRef,
      failure: observableRef,
      opened: observableRef,
      category: observableRef,
      secondaryModule: observableRef,
      searchText: observableRef,
      toolbarHidden: observableRef,
      visitedNodes: observableRef,
      mapLevel: observableRef,
      selectedTag: observableRef,
      approachedTag: observableRef,
      layers: observableRef,
      missingParts: observableRef,
      panels: observableRef,
      values: observableRef,
      panel: computed,
      nodeUid: observableRef,
      pan: computed,
      nodes: computed,
      nodeList: computed,
      links: computed,
      locationList: computed,
      currentNode: computed,
      deck: computed,
      setLoading: action,
      reset: action,
      goTo: action,
      moveTo: action,
      chooseModule: action,
      setSecondaryModule: action,
      search: action,
      setToolbarHidden: action,
      setMapLevel: action,
      write: action,
      setPanel: action,
      setLayer: action,
      reportMissing: action,
    });
  }

  get pan(): number {
    return this.#tools.view.pan;
  }

  get nodes(): readonly TourNode[] {
    return this.opened?.nodes ?? [];
  }

  get nodeList(): readonly TourNode[] {
    const query = this.searchText.trim().toLowerCase();
    return query === ''
      ? this.nodes
      : this.nodes.filter((node) => `${node.name} ${node.code}`.toLowerCase().includes(query));
  }

  get links(): readonly TourLink[] {
    return this.opened?.links ?? [];
  }

  get locationList(): readonly LocationRow[] {
    const root = this.opened && this.#locations.find(this.opened.tour.location);
    return root ? listWithDescendants(root) : [];
  }

  get currentNode(): TourNode | undefined {
    return this.nodes.find((node) => node.uid === this.nodeUid);
  }

  get deck(): Deck | undefined {
    return this.opened?.decks.find((deck) => deck.uid === this.mapLevel);
  }

  async open(location: string, link: LinkedView = {}, missingParts: readonly MissingPart[] = []): Promise<void> {
    this.reset();
    this.#location = location;
    const openAbort = new AbortController();
    this.#openAbort = openAbort;
    this.setLoading('tour', 'loading');
    try {
      const [opened, tag] = await Promise.all([
        this.#loadTour(location, { first: 'true' }, openAbort.signal),
        link.tag === undefined ? undefined : this.#loadTag(location, link.tag, openAbort.signal),
      ]);
      const tagNode = typeof tag === 'object' ? findBestView(tag, undefined)?.node : undefined;
      let enteredTour = opened;
      // If the node of the link does not exist, the node of the tag is loaded instead.
      for (const nearNode of [link.node, tagNode]) {
        if (nearNode === undefined || enteredTour.complete) continue;
        if (!hasNode(enteredTour, nearNode))
          enteredTour = await this.#loadTour(location, { first: 'true', near: nearNode }, openAbort.signal);
        if (hasNode(enteredTour, nearNode)) break;
      }
      if (openAbort.signal.aborted) return;
      runInAction(() => {
        this.missingParts = missingParts;
        this.#enterTour(enteredTour, link, tag);
      });
      void this.#loadVisits(location, openAbort.signal);
    } catch (error) {
      if (!openAbort.signal.aborted) runInAction(() => this.#setFailed('tour', error));
    }
  }

  loadAllNodes(): Promise<void> {
    if (!this.opened || this.opened.complete || this.#location === undefined) return Promise.resolve();
    const load = (this.#allNodesLoad ??= this.#loadAllNodes(this.#location).finally(() => {
      if (this.#allNodesLoad === load) this.#allNodesLoad = undefined;
    }));
    return load;
  }

  async #loadAllNodes(location: string): Promise<void> {
    const { signal } = this.#openAbort;
    const tour = await this.#loadTour(location, {}, signal);
    if (signal.aborted) return;
    runInAction(() => {
      // Loaded nodes keep their identity, so that they are not rendered again.
      const loadedNodes = new Map(this.nodes.map((node) => [node.uid, node]));
      this.opened = { ...tour, nodes: tour.nodes.map((node) => loadedNodes.get(node.uid) ?? node) };
      if (this.#awaitedNode) this.goTo(this.#awaitedNode.uid, this.#awaitedNode.view);
    });
  }

  #loadTour(location: string, query: RequestOf<typeof openTour>['query'], signal: AbortSignal): Promise<OpenedTour> {
    return this.#http.call<typeof openTour>('GET', '/api/tour/:location', { params: { location }, query }, { signal });
  }

  setLoading(part: TourPart, state: LoadState): void {
    if (this.loading[part] !== state) this.loading = { ...this.loading, [part]: state };
  }

  reset(): void {
    this.#openAbort.abort();
    this.#selectAbort.abort();
    this.nodeUid = undefined;
    this.#location = undefined;
    this.#allNodesLoad = undefined;
    this.#awaitedNode = undefined;
    this.#tools.reset();
    Object.assign(this, createInitialState());
    this.panels = [];
    this.values = new Map();
  }

  goTo(uid: string, view?: Partial<PanoramaView>): void {
    const node = this.nodes.find((candidate) => candidate.uid === uid);
    this.#awaitedNode = node || this.opened?.complete ? undefined : { uid, view };
    if (!node) return;
    if (view) this.#tools.look(view, true);
    if (uid === this.nodeUid) return;
    this.#tools.setPosition(node.position);
    this.#enterNode(node);
  }

  moveTo(position: Point3, author: string): void {
    this.#tools.setPosition(position, author);
    const nearest = findNearestNode(this.nodes, position, this.currentNode);
    if (nearest && nearest.uid !== this.nodeUid) this.#enterNode(nearest);
  }

  chooseModule(id: string): void {
    if (id === this.secondaryModule) this.secondaryModule = this.category;
    this.category = id;
    this.#storage.set(storageKeys.tourCategory, id);
  }

  setSecondaryModule(id: string | undefined): void {
    if (id === undefined || id !== this.category) this.secondaryModule = id;
    else if (this.secondaryModule !== undefined) this.chooseModule(this.secondaryModule);
  }

  search(text: string): void {
    this.searchText = text;
  }

  async selectTag(number: string | undefined, { restored } = { restored: false }): Promise<void> {
    await this.#select(number, restored);
  }

  /**
   * Selects and loads a tag. Returns undefined if it could not be loaded, or if the selection changed in the meantime.
   * If the tag of a link (`isLinked`) does not exist, it is reported as missing and no longer selected.
   */
  async #select(number: string | undefined, restored = false, isLinked = false): Promise<TagDetails | undefined> {
    this.#selectAbort.abort();
    const selectAbort = new AbortController();
    this.#selectAbort = selectAbort;
    const location = this.#location;
    runInAction(() => {
      this.selectedTag = number === undefined ? undefined : { number, state: 'loading', details: undefined, restored };
      if (number !== undefined) this.#raisePanel(tagPanel);
      else this.panels = this.panels.filter((panel) => panel !== tagPanel);
    });
    if (number === undefined || location === undefined) return undefined;
    const tag = await this.#loadTag(location, number, selectAbort.signal);
    if (selectAbort.signal.aborted) return undefined;
    runInAction(() => this.#showTag(number, tag === 'notFound' && !isLinked ? 'failed' : tag, restored));
    return typeof tag === 'string' ? undefined : tag;
  }

  #loadTag(location: string, number: string, signal: AbortSignal): Promise<LoadedTag> {
    return this.#http
      .call<typeof getTag>('GET', '/api/tour/:location/tags/:number', { params: { location, number } }, { signal })
      .catch((error: unknown) => (error instanceof ApiError && error.status === 404 ? 'notFound' : 'failed'));
  }

  /** Shows the result of loading a tag in its panel. Closes the panel and reports the tag if it does not exist. */
  #showTag(number: string, tag: LoadedTag, restored: boolean): void {
    if (tag === 'notFound') {
      this.selectedTag = undefined;
      this.panels = this.panels.filter((panel) => panel !== tagPanel);
      this.reportMissing({ message: 'tour.link.tag', values: { number } });
      return;
    }
    this.#raisePanel(tagPanel);
    this.selectedTag =
      tag === 'failed'
        ? { number, state: 'failure', details: undefined, restored }
        : { number: tag.number, state: 'success', details: tag, restored };
  }

  async goToTag(number: string): Promise<void> {
    const tag = await this.#select(number);
    if (!tag) return;
    const bestView = findBestView(tag, this.nodeUid);
    runInAction(() => {
      if (bestView) this.goTo(bestView.node, bestView);
      this.approachedTag = { number: tag.number, module: this.category };
    });
  }

  reportMissing(part: MissingPart): void {
    const key = JSON.stringify(part);
    if (this.missingParts.every((missingPart) => JSON.stringify(missingPart) !== key))
      this.missingParts = [...this.missingParts, part];
  }

  setToolbarHidden(hidden: boolean): void {
    this.toolbarHidden = hidden;
  }

  setMapLevel(deck: string | undefined): void {
    this.mapLevel = deck;
  }

  read<T>(value: TourValue<T>): T {
    return this.values.has(value) ? (this.values.get(value) as T) : value.initial;
  }

  write<T>(value: TourValue<T>, next: T): void {
    this.values = new Map(this.values).set(value, next);
  }

  get panel(): string | undefined {
    return this.panels.at(-1);
  }

  setPanel(panel: string | undefined): void {
    if (panel !== undefined) this.#raisePanel(panel);
    else if (this.panel === tagPanel) void this.selectTag(undefined);
    else this.panels = this.panels.slice(0, -1);
  }

  #raisePanel(panel: string): void {
    this.panels = [...this.panels.filter((other) => other !== panel), panel];
  }

  setLayer(name: string, value: string | undefined): void {
    if (this.layers[name] === value) return;
    const { [name]: _, ...others } = this.layers;
    this.layers = value === undefined ? others : { ...others, [name]: value };
  }

  setViewLayer(
    name: string,
    getValue: () => string | undefined,
    applyValue: (value: string | undefined) => void,
  ): () => void {
    return setViewLayer(this, name, getValue, applyValue);
  }

  #enterTour(openedTour: OpenedTour, link: LinkedView, tag: LoadedTag | undefined): void {
    const { nodes, decks } = openedTour;
    this.opened = openedTour;
    this.layers = link.layers ?? {};
    this.category = link.module ?? this.#storage.get<string>(storageKeys.tourCategory);
    this.secondaryModule = link.beside === this.category ? undefined : link.beside;
    const requestedNode = link.node === undefined ? undefined : findByCode(nodes, link.node);
    const bestView = tag === undefined || typeof tag === 'string' ? undefined : findBestView(tag, requestedNode?.uid);
    const start =
      requestedNode ??
      nodes.find(({ uid }) => uid === bestView?.node) ??
      nodes.find(({ uid }) => uid === openedTour.tour.startNode) ??
      nodes[0];
    const isNodeMissing = link.node !== undefined && !requestedNode;
    if (isNodeMissing) this.reportMissing({ message: 'tour.link.node', values: { code: link.node ?? '' } });
    if (start)
      this.#tools.setView({
        ...start.view,
        ...(bestView?.node === start.uid ? { pan: bestView.pan, tilt: bestView.tilt, fov: bestView.fov } : {}),
        ...(isNodeMissing ? {} : pickDirection(link)),
      });
    if (start) this.goTo(start.uid);
    if (requestedNode && link.pos) this.#tools.setPosition(link.pos);
    const deck = link.floor === undefined ? undefined : findByCode(decks, link.floor);
    if (deck && !isNodeMissing) this.setMapLevel(deck.uid);
    if (link.floor !== undefined && !deck)
      this.reportMissing({ message: 'tour.link.deck', values: { code: link.floor } });
    if (link.tag !== undefined && tag !== undefined) {
      this.#showTag(link.tag, tag, link.pan !== undefined);
      if (typeof tag !== 'string' && link.pan === undefined)
        this.approachedTag = { number: tag.number, module: this.category };
    } else if (link.sel !== undefined) void this.#select(link.sel, true, true);
    this.setLoading('tour', 'success');
  }

  #enterNode(node: TourNode): void {
    this.#awaitedNode = undefined;
    this.nodeUid = node.uid;
    this.mapLevel = node.deck ?? undefined;
    this.#tools.setPanorama(node.code, node.picture?.address);
    this.#saveVisit(node.uid);
  }

  /** Loads the visited nodes. Ignores a failure, because the tour works without them. */
  async #loadVisits(location: string, signal: AbortSignal): Promise<void> {
    const visits = await this.#http
      .call<typeof listVisitedNodes>('GET', '/api/tour/:location/visited', { params: { location } }, { signal })
      .catch((): string[] => []);
    if (!signal.aborted) runInAction(() => (this.visitedNodes = [...new Set([...visits, ...this.visitedNodes])]));
  }

  #setFailed(part: TourPart, error: unknown): void {
    this.failure = toFailure(part, error);
    this.setLoading(part, 'failure');
  }

  /** Marks the node as visited immediately, and reports the visit to the server. Ignores a failure. */
  #saveVisit(node: string): void {
    if (!this.visitedNodes.includes(node)) this.visitedNodes = [...this.visitedNodes, node];
    const location = this.#location;
    if (location !== undefined)
      this.#http
        .call<typeof visitNode>('PUT', '/api/tour/:location/visited/:node', { params: { location, node } })
        .catch(() => undefined);
  }
}

const hasNode = ({ nodes }: OpenedTour, codeOrUid: string): boolean =>
  findByCode(nodes, codeOrUid) !== undefined || nodes.some(({ uid }) => uid === codeOrUid);

/**
 * Finds the view of a tag from `node` if it is clear, else from the nearest node with a clear view. A view is clear if
 * it shows at least half of the best visible fraction. Views of lines are always clear, because lines are long.
 */
function findBestView(
  { seenFrom, pipe }: TagDetails,
  node: string | undefined,
): (PanoramaView & { readonly node: string }) | undefined {
  const minVisible = pipe ? 0 : Math.max(...seenFrom.map(({ visible }) => visible)) / 2;
  const clearViews = seenFrom.filter(({ visible }) => visible >= minVisible);
  const best = clearViews.find((view) => view.node === node) ?? clearViews[0];
  return best && { node: best.node, pan: best.pan, tilt: best.tilt, fov: tagFov };
}

const pickDirection = ({ pan, tilt, fov }: LinkedView): Partial<PanoramaView> => ({
  ...(pan === undefined ? {} : { pan }),
  ...(tilt === undefined ? {} : { tilt }),
  ...(fov === undefined ? {} : { fov }),
});

function listWithDescendants({ children, ...row }: LocationNode): readonly LocationRow[] {
  return [row, ...children.flatMap(listWithDescendants)];
}
