import { action, makeObservable, observableRef, reaction, runInAction } from 'mobx';
import type { HttpClient, Text } from '#core/web';
import type {
  PanoramaEngine,
  PanoramaEngines,
  PanoramaPin,
  PanoramaShape,
  PanoramaView,
  TagPin,
  TourNode,
  TourStore,
  Viewer,
  Viewers,
  ViewerStatus,
  ViewSurface,
  ViewSurfaces,
} from '#plugins/tour';
import { markerPanel } from '#plugins/vr';
import type { listNodeTags } from '#plugins/tour/api';
import type { Marker } from '#plugins/vr';
import { panoramaModule } from '../../contract/index.ts';
import { HoverNavigation } from './hover-navigation.ts';
import type { PanoramaChoices } from '../stores/panorama-choices.ts';
import { Captures, type Comparison } from '../stores/captures.ts';
import { toPicture } from '../stores/to-picture.ts';
import {
  createDraftPins,
  createDraftShapes,
  createMarkerPins,
  createMarkerShapes,
  type MarkerDrawingOptions,
  type MarkerStyles,
} from '../markers/viewer/marker-drawing.ts';
import { MarkerInputController } from '../markers/viewer/marker-input.ts';
import { markerLayer, type MarkerStore } from '../markers/stores/marker-store.ts';
import { createHotspot, createTagPins, type PinStyles } from './pins.ts';

type PanoramaReason = 'noPicture';

export interface PanoramaServices {
  readonly engines: PanoramaEngines;
  readonly surfaces: ViewSurfaces;
  readonly store: TourStore;
  readonly viewers: Viewers;
  readonly http: HttpClient;
  readonly choices: PanoramaChoices;
  readonly markers: MarkerStore;
  readonly hoverNavigation: boolean;
}

/**
 * Connects the engine and the tour while the module is on screen. Follows the store, reports the view and updates the
 * pins. Its state is observable.
 */
export class PanoramaController {
  readonly viewer: Viewer<PanoramaReason>;
  /** The node whose picture is on screen, with its pins. */
  shownNode: TourNode | undefined;
  /** Pins of tags by the uid of the node. */
  tags: ReadonlyMap<string, readonly TagPin[]> = new Map();
  /** Whether the older picture of a comparison could not be loaded. */
  comparisonFailed = false;
  readonly captures: Captures;
  presentation: { readonly t: Text; readonly styles: PinStyles; readonly markerStyles: MarkerStyles } | undefined;
  readonly #services: PanoramaServices;
  readonly #hoverNavigation: HoverNavigation;
  readonly #markerInput: MarkerInputController;
  /** The engine while the module is on screen. */
  #engine: PanoramaEngine | undefined;
  #host: HTMLElement | undefined;
  readonly #pendingNodes = new Set<string>();

  constructor(services: PanoramaServices) {
    this.#services = services;
    this.viewer = services.viewers.create({ module: panoramaModule });
    this.captures = new Captures(services.store);
    this.#markerInput = new MarkerInputController({
      http: services.http,
      store: services.store,
      engine: () => this.#engine,
      draft: () => services.markers.draft,
      findShownNode: () => this.shownNode,
      findCaptureTime: (x) => this.#findCaptureTime(x),
    });
    this.#hoverNavigation = new HoverNavigation((node) => services.store.goTo(node));
    makeObservable(this, {
      comparisonFailed: observableRef,
      shownNode: observableRef,
      tags: observableRef,
      presentation: observableRef,
      setPresentation: action,
    });
  }

  /** Sets the language and the styles of the pins. */
  setPresentation(t: Text, styles: PinStyles, markerStyles: MarkerStyles): void {
    this.presentation = { t, styles, markerStyles };
  }

  start(host: HTMLElement, label: string): () => void {
    let detach: () => void;
    return this.viewer.start({
      open: () => {
        const engine = this.#services.engines.getEngine(panoramaModule);
        const firstPicture = this.captures.current?.picture;
        detach = engine.attach(host, { label, ...(firstPicture ? { first: firstPicture } : {}) });
        return engine;
      },
      enter: (engine) => [detach, ...this.#connect(engine, host)],
      reload: () => this.#reload(),
    });
  }

  /** Retries the current node's picture, or its missing parts. */
  retry(): void {
    if (this.viewer.partsMissing) this.#engine?.retryTiles();
    else this.viewer.retry();
  }

  /** Retries the older picture of the comparison. */
  retryComparison(): void {
    void this.#showComparison(this.captures.comparison);
  }

  #connect(engine: PanoramaEngine, host: HTMLElement): readonly (() => void)[] {
    const { store, choices } = this.#services;
    const { viewer } = this;
    this.#engine = engine;
    this.#host = host;
    return [
      () => {
        this.#hoverNavigation.leave();
        this.#engine = undefined;
        choices.setFollowsDevice(false);
      },
      this.#fetchTagsOnReconnect(),
      this.#registerSurface(engine.surface(panoramaModule)),
      engine.on('viewChanged', (view) => viewer.report(view)),
      engine.on('failed', ({ id }) => this.#handleFailure(id)),
      engine.on('tilesMissing', (missing) => viewer.setPartsMissing(missing)),
      engine.on('followsDevice', (follows) => choices.setFollowsDevice(follows)),
      viewer.follow({
        setView: (view) => engine.setView(view),
        turnTo: (view) => void engine.turnTo(view),
        viewpoint: () => store.currentNode,
        moveToViewpoint: (view) => this.#showCurrentNode(view),
      }),
      reaction(
        () => ({ node: store.currentNode, picture: this.captures.current?.picture?.tiles.id }),
        (current, previous) => {
          if (current.node === previous.node && current.picture !== previous.picture) this.#reload();
        },
      ),
      reaction(
        () => (this.shownNode ? this.captures.comparison : undefined),
        (comparison) => void this.#showComparison(comparison),
        { fireImmediately: true },
      ),
      reaction(
        () => this.#buildPins(),
        (pins) => engine.setPins(pins),
        { fireImmediately: true },
      ),
      reaction(
        () => this.#buildShapes(),
        (shapes) => engine.setShapes(shapes),
        { fireImmediately: true },
      ),
      reaction(
        () => store.opened?.tour.location,
        (location) => location !== undefined && void this.#services.markers.load(location),
        { fireImmediately: true },
      ),
      this.#markerInput.listen(host),
      this.#listen(host),
    ];
  }

  /**
   * Registers the surface except during a comparison, which hides everything but the two pictures. Returns the function
   * that removes it.
   */
  #registerSurface(surface: ViewSurface): () => void {
    const { surfaces, store } = this.#services;
    let cleanUp = (): void => undefined;
    const dispose = reaction(
      () => this.captures.comparison !== undefined,
      (isComparing) => {
        cleanUp();
        if (!isComparing) {
          cleanUp = surfaces.register(surface);
          return;
        }
        const { toolbarHidden } = store;
        store.setToolbarHidden(true);
        cleanUp = () => {
          if (!toolbarHidden) store.setToolbarHidden(false);
        };
      },
      { fireImmediately: true },
    );
    return () => {
      dispose();
      cleanUp();
    };
  }

  /** Shows the picture of the current node in the same direction. */
  #reload(): void {
    this.#showCurrentNode(undefined);
  }

  #showCurrentNode(view: Partial<PanoramaView> | undefined): void {
    const node = this.#services.store.currentNode;
    if (node) void this.viewer.load((signal) => this.#show(node, view, signal));
  }

  async #show(
    node: TourNode,
    view: Partial<PanoramaView> | undefined,
    signal: AbortSignal,
  ): Promise<ViewerStatus<PanoramaReason> | undefined> {
    const { picture } = this.captures.getCapture(node);
    // The pins do not depend on the date.
    if (this.shownNode !== node) this.shownNode = undefined;
    if (!picture) return { state: 'empty', reason: 'noPicture' };
    const isShown = await this.#engine?.show(picture, {
      transition: this.viewer.beginTransition(node),
      ...(view ? { view } : {}),
    });
    // The event `failed` reports a picture that cannot be read.
    if (!isShown || !this.#engine) return undefined;
    // The next node may already be loading.
    this.viewer.setNodeOnScreen(node);
    if (signal.aborted) return undefined;
    runInAction(() => (this.shownNode = node));
    this.#hoverNavigation.handleWalk();
    this.#fetchTags(node.uid);
    this.#preloadNeighbours(node);
    return { state: 'ready' };
  }

  #handleFailure(id: string): void {
    if (this.captures.current?.picture?.tiles.id !== id) return;
    if (!this.viewer.returnToNodeOnScreen()) this.viewer.setStatus({ state: 'failed', reason: 'failed' });
  }

  async #showComparison(comparison: Comparison | undefined): Promise<void> {
    runInAction(() => (this.comparisonFailed = false));
    const picture = comparison?.older.picture;
    const isDrawn = await this.#engine?.compare(picture, comparison?.fraction);
    if (picture && isDrawn === false && this.captures.comparison?.older.picture?.tiles.id === picture.tiles.id)
      runInAction(() => (this.comparisonFailed = true));
  }

  #listNeighbours(node: TourNode) {
    const { store } = this.#services;
    return store.links
      .filter((link) => link.from === node.uid)
      .flatMap((link) => {
        const target = store.nodes.find((candidate) => candidate.uid === link.to);
        return target ? [{ link, target }] : [];
      });
  }

  #preloadNeighbours(node: TourNode): void {
    const nearest = this.#listNeighbours(node).toSorted((a, b) => a.link.distance - b.link.distance);
    this.#engine?.preload(nearest.flatMap(({ target }) => toPicture(target, target) ?? []));
  }

  #fetchTagsOnReconnect(): () => void {
    const onOnline = (): void => {
      if (this.shownNode) this.#fetchTags(this.shownNode.uid);
    };
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }

  /**
   * Loads the tags of a node. After a failure, the node has no tag pins until the connection returns or the node is
   * visited again.
   */
  #fetchTags(node: string): void {
    const { http, store } = this.#services;
    const location = store.opened?.tour.location;
    if (location === undefined || this.tags.has(node) || this.#pendingNodes.has(node)) return;
    this.#pendingNodes.add(node);
    http
      .call<typeof listNodeTags>('GET', '/api/tour/:location/nodes/:node/tags', { params: { location, node } })
      .then(
        (tags) => runInAction(() => (this.tags = new Map([...this.tags, [node, tags]]))),
        () => undefined,
      )
      .finally(() => this.#pendingNodes.delete(node));
  }

  #buildPins(): readonly PanoramaPin[] {
    const { shownNode, presentation } = this;
    const { store, choices, hoverNavigation } = this.#services;
    if (!shownNode || !presentation || this.captures.comparison) return [];
    const selectedNumber = store.selectedTag?.number;
    const hotspots = this.#listNeighbours(shownNode).map(({ link, target }) =>
      createHotspot(link, target, {
        ...presentation,
        isVisited: store.visitedNodes.includes(target.uid),
        hoverNavigation,
        onActivate: () => store.goTo(target.uid),
        onHover: (inside) => this.#handleHover(target.uid, inside),
      }),
    );
    const tags = this.tags.get(shownNode.uid) ?? [];
    const visibleTags = choices.showsTags ? tags : tags.filter((tag) => tag.number === selectedNumber);
    const drawingOptions = this.#createDrawingOptions(shownNode);
    const { draft } = this.#services.markers;
    const handles =
      draft?.isPlacing && drawingOptions
        ? createDraftPins(draft, { ...drawingOptions, attachInput: this.#markerInput.attachInput })
        : [];
    return [
      ...handles,
      ...hotspots,
      ...(drawingOptions ? createMarkerPins(this.#markersAt(shownNode), drawingOptions) : []),
      ...createTagPins(visibleTags, {
        ...presentation,
        selected: selectedNumber,
        select: (number) => void store.selectTag(number),
      }),
    ];
  }

  #buildShapes(): readonly PanoramaShape[] {
    const { shownNode } = this;
    const drawingOptions = shownNode && this.#createDrawingOptions(shownNode);
    const { draft } = this.#services.markers;
    if (!drawingOptions || this.captures.comparison) return [];
    return [
      ...createMarkerShapes(this.#markersAt(shownNode), drawingOptions),
      ...(draft ? createDraftShapes(draft, drawingOptions.eye, drawingOptions.styles) : []),
    ];
  }

  /** Lists the markers that are visible from a node, except the edited marker. The selected marker is never hidden. */
  #markersAt(node: TourNode): readonly Marker[] {
    const { markers, choices, store } = this.#services;
    const selectedUid = store.layers[markerLayer];
    return markers.all.filter(
      ({ uid, seenFrom }) =>
        seenFrom.includes(node.uid) && uid !== markers.draft?.uid && (choices.showsMarkers || uid === selectedUid),
    );
  }

  #createDrawingOptions(node: TourNode): MarkerDrawingOptions | undefined {
    const { presentation } = this;
    const { store } = this.#services;
    return (
      presentation && {
        t: presentation.t,
        styles: presentation.markerStyles,
        eye: node.position,
        selected: store.layers[markerLayer],
        openMarker: (marker) => this.#openMarker(marker),
      }
    );
  }

  /** Goes to the node of a hotspot marker, or selects the marker if it has another kind or the panel is open. */
  #openMarker(marker: Marker): void {
    const { store } = this.#services;
    if (marker.kind === 'HOTSPOT' && marker.target !== null && store.panel !== markerPanel)
      return store.goTo(marker.target);
    store.setLayer(markerLayer, marker.uid);
    store.setPanel(markerPanel);
  }

  #findCaptureTime(x: number): string | undefined {
    const { comparison, current, all } = this.captures;
    if (comparison)
      return x < comparison.fraction * (this.#host?.clientWidth ?? 0) ? comparison.older.capturedAt : undefined;
    return current && current.day !== all[0]?.day ? current.capturedAt : undefined;
  }

  #handleHover(node: string, inside: boolean): void {
    if (!this.#services.hoverNavigation) return;
    if (inside) this.#hoverNavigation.enter(node);
    else this.#hoverNavigation.leave();
  }

  #listen(host: HTMLElement): () => void {
    const abort = new AbortController();
    const { signal } = abort;
    host.addEventListener(
      'pointermove',
      ({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && this.#hoverNavigation.handleMove(),
      { signal },
    );
    host.addEventListener('pointerdown', () => this.#hoverNavigation.cancel(), { signal, capture: true });
    host.addEventListener('keydown', () => this.#hoverNavigation.cancel(), { signal, capture: true });
    return () => abort.abort();
  }
}
