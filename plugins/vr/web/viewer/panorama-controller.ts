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
  ViewSurfaces,
} from '#plugins/tour';
import { markerPanel } from '#plugins/vr';
import type { listNodeTags } from '#plugins/tour/api';
import type { Marker } from '#plugins/vr';
import { panoramaModule } from '../../contract/index.ts';
import { HoverNavigation } from './hover-navigation.ts';
import type { PanoramaChoices } from '../stores/panorama-choices.ts';
import { Captures, type Comparison } from '../stores/captures.ts';
import { toPicture } from './to-picture.ts';
import {
  draftPins,
  draftShapes,
  markerPins,
  markerShapes,
  type MarkerDrawing,
  type MarkerStyles,
} from '../markers/viewer/marker-drawing.ts';
import { MarkerInput } from '../markers/viewer/marker-input.ts';
import { markerLayer, type MarkerStore } from '../markers/stores/marker-store.ts';
import { hotspot, tagPins, type PinStyles } from './pins.ts';

type Reason = 'noPicture';

export interface PanoramaParts {
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
 * Binds the engine to the tour while the module is on screen: follows the store, reports the view, and updates the
 * pins. Observable.
 */
export class PanoramaController {
  readonly viewer: Viewer<Reason>;
  /** The node whose picture is on screen, with its pins. */
  shownNode: TourNode | undefined;
  /** Tags by node. */
  tags: ReadonlyMap<string, readonly TagPin[]> = new Map();
  /** The older picture of a comparison could not be fetched. */
  comparisonFailed = false;
  readonly captures: Captures;
  presentation: { readonly t: Text; readonly styles: PinStyles; readonly markerStyles: MarkerStyles } | undefined;
  readonly #parts: PanoramaParts;
  readonly #hover: HoverNavigation;
  readonly #input: MarkerInput;
  /** Set while the module is on screen. */
  #engine: PanoramaEngine | undefined;
  #host: HTMLElement | undefined;
  readonly #fetching = new Set<string>();
  /** Uid of the last node. */
  #last: string | undefined;

  constructor(parts: PanoramaParts) {
    this.#parts = parts;
    this.viewer = parts.viewers.create({ module: panoramaModule });
    this.captures = new Captures(parts.store);
    this.#input = new MarkerInput({
      http: parts.http,
      store: parts.store,
      engine: () => this.#engine,
      draft: () => parts.markers.draft,
      shownNode: () => this.shownNode,
      earlierAt: (x) => this.#earlierAt(x),
    });
    this.#hover = new HoverNavigation((node) => parts.store.goTo(node));
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
        const engine = this.#parts.engines.getEngine(panoramaModule);
        const first = this.captures.shown?.picture;
        detach = engine.attach(host, { label, ...(first ? { first } : {}) });
        return engine;
      },
      enter: (engine) => [detach, ...this.#enter(engine, host)],
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
    void this.#compare(this.captures.comparison);
  }

  #enter(engine: PanoramaEngine, host: HTMLElement): readonly (() => void)[] {
    const { surfaces, store } = this.#parts;
    const { viewer } = this;
    this.#engine = engine;
    this.#host = host;
    return [
      () => {
        this.#hover.leave();
        this.#engine = undefined;
      },
      surfaces.register(engine.surface(panoramaModule)),
      engine.on('viewChanged', (view) => viewer.report(view)),
      engine.on('failed', ({ id }) => this.#failed(id)),
      engine.on('tilesMissing', (missing) => viewer.setPartsMissing(missing)),
      viewer.follow({
        setView: (view) => engine.setView(view),
        turnTo: (view) => void engine.turnTo(view),
        viewpoint: () => store.currentNode,
        goTo: (view) => this.#go(view),
      }),
      reaction(
        () => ({ node: store.currentNode, picture: this.captures.shown?.picture?.tiles.id }),
        (now, before) => {
          if (now.node === before.node && now.picture !== before.picture) this.#reload();
        },
      ),
      reaction(
        () => (this.shownNode ? this.captures.comparison : undefined),
        (comparison) => void this.#compare(comparison),
        { fireImmediately: true },
      ),
      reaction(
        () => this.#pins(),
        (pins) => engine.setPins(pins),
        { fireImmediately: true },
      ),
      reaction(
        () => this.#shapes(),
        (shapes) => engine.setShapes(shapes),
        { fireImmediately: true },
      ),
      reaction(
        () => store.opened?.tour.location,
        (location) => location !== undefined && void this.#parts.markers.load(location),
        { fireImmediately: true },
      ),
      this.#input.listen(host),
      this.#listen(host),
    ];
  }

  /** Shows the picture of the current node and keeps the view direction. */
  #reload(): void {
    this.#go(undefined);
  }

  #go(view: Partial<PanoramaView> | undefined): void {
    const node = this.#parts.store.currentNode;
    if (node) void this.viewer.load((signal) => this.#show(node, view, signal));
  }

  async #show(
    node: TourNode,
    view: Partial<PanoramaView> | undefined,
    signal: AbortSignal,
  ): Promise<ViewerStatus<Reason> | undefined> {
    const { store } = this.#parts;
    const { picture } = this.captures.shownCapture(node);
    // The pins do not depend on the date.
    if (this.shownNode !== node) this.shownNode = undefined;
    if (!picture) return { state: 'empty', reason: 'noPicture' };
    // Unlinked nodes have decks and walls between them, so they are reached by a fade.
    const linked =
      this.#last !== undefined && store.links.some((link) => link.from === this.#last && link.to === node.uid);
    this.#last = node.uid;
    const shown = await this.#engine?.show(picture, {
      transition: linked ? 'walk' : 'fade',
      ...(view ? { view } : {}),
    });
    // The event `failed` reports a picture that cannot be read.
    if (!shown || signal.aborted) return undefined;
    runInAction(() => (this.shownNode = node));
    this.#hover.walked();
    this.#fetchTags(node.uid);
    this.#preloadNeighbours(node);
    return { state: 'ready' };
  }

  #failed(id: string): void {
    if (this.captures.shown?.picture?.tiles.id === id) this.viewer.setStatus({ state: 'failed', reason: 'failed' });
  }

  async #compare(comparison: Comparison | undefined): Promise<void> {
    runInAction(() => (this.comparisonFailed = false));
    const picture = comparison?.older.picture;
    const drawn = await this.#engine?.compare(picture, comparison?.share);
    if (picture && drawn === false && this.captures.comparison?.older.picture?.tiles.id === picture.tiles.id)
      runInAction(() => (this.comparisonFailed = true));
  }

  #neighbours(node: TourNode) {
    const { store } = this.#parts;
    return store.links
      .filter((link) => link.from === node.uid)
      .flatMap((link) => {
        const target = store.nodes.find((candidate) => candidate.uid === link.to);
        return target ? [{ link, target }] : [];
      });
  }

  #preloadNeighbours(node: TourNode): void {
    const nearest = this.#neighbours(node).toSorted((a, b) => a.link.distance - b.link.distance);
    this.#engine?.preload(nearest.flatMap(({ target }) => toPicture(target) ?? []));
  }

  /** Without tags, the tour works without their pins; the next visit retries. */
  #fetchTags(node: string): void {
    const { http, store } = this.#parts;
    const location = store.opened?.tour.location;
    if (location === undefined || this.tags.has(node) || this.#fetching.has(node)) return;
    this.#fetching.add(node);
    http
      .call<typeof listNodeTags>('GET', '/api/tour/:location/nodes/:node/tags', { params: { location, node } })
      .then(
        (tags) => runInAction(() => (this.tags = new Map([...this.tags, [node, tags]]))),
        () => undefined,
      )
      .finally(() => this.#fetching.delete(node));
  }

  #pins(): readonly PanoramaPin[] {
    const { shownNode, presentation } = this;
    const { store, choices, hoverNavigation } = this.#parts;
    if (!shownNode || !presentation) return [];
    const selected = store.selectedTag?.number;
    const hotspots = this.#neighbours(shownNode).map(({ link, target }) =>
      hotspot(link, target, {
        ...presentation,
        visited: store.visitedNodes.includes(target.uid),
        dwells: hoverNavigation,
        go: () => store.goTo(target.uid),
        onHover: (inside) => this.#onHover(target.uid, inside),
      }),
    );
    const tags = this.tags.get(shownNode.uid) ?? [];
    const shown = choices.showsTags ? tags : tags.filter((tag) => tag.number === selected);
    const drawing = this.#drawing(shownNode);
    const { draft } = this.#parts.markers;
    const handles =
      draft?.placing && drawing ? draftPins(draft, { ...drawing, attachInput: this.#input.attachInput }) : [];
    return [
      ...handles,
      ...hotspots,
      ...(drawing ? markerPins(this.#markersAt(shownNode), drawing) : []),
      ...tagPins(shown, { ...presentation, selected, select: (number) => void store.selectTag(number) }),
    ];
  }

  #shapes(): readonly PanoramaShape[] {
    const { shownNode } = this;
    const drawing = shownNode && this.#drawing(shownNode);
    const { draft } = this.#parts.markers;
    if (!drawing) return [];
    return [
      ...markerShapes(this.#markersAt(shownNode), drawing),
      ...(draft ? draftShapes(draft, drawing.eye, drawing.styles) : []),
    ];
  }

  /** The markers visible from a node, except the edited one. Hidden markers include the selected one. */
  #markersAt(node: TourNode): readonly Marker[] {
    const { markers, choices, store } = this.#parts;
    const selected = store.layers[markerLayer];
    return markers.all.filter(
      ({ uid, seenFrom }) =>
        seenFrom.includes(node.uid) && uid !== markers.draft?.uid && (choices.showsMarkers || uid === selected),
    );
  }

  #drawing(node: TourNode): MarkerDrawing | undefined {
    const { presentation } = this;
    const { store } = this.#parts;
    return (
      presentation && {
        t: presentation.t,
        styles: presentation.markerStyles,
        eye: node.position,
        selected: store.layers[markerLayer],
        activate: (marker) => this.#activate(marker),
      }
    );
  }

  /** A hotspot goes to its node at once, unless the marker panel is open. */
  #activate(marker: Marker): void {
    const { store } = this.#parts;
    if (marker.kind === 'HOTSPOT' && marker.target !== null && store.panel !== markerPanel)
      return store.goTo(marker.target);
    store.setLayer(markerLayer, marker.uid);
    store.setPanel(markerPanel);
  }

  #earlierAt(x: number): string | undefined {
    const { comparison, shown, all } = this.captures;
    if (comparison)
      return x < comparison.share * (this.#host?.clientWidth ?? 0) ? comparison.older.capturedAt : undefined;
    return shown && shown.day !== all[0]?.day ? shown.capturedAt : undefined;
  }

  #onHover(node: string, inside: boolean): void {
    if (!this.#parts.hoverNavigation) return;
    if (inside) this.#hover.enter(node);
    else this.#hover.leave();
  }

  #listen(host: HTMLElement): () => void {
    const ends = new AbortController();
    const { signal } = ends;
    host.addEventListener(
      'pointermove',
      ({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && this.#hover.moved(),
      { signal },
    );
    host.addEventListener('pointerdown', () => this.#hover.cancel(), { signal, capture: true });
    host.addEventListener('keydown', () => this.#hover.cancel(), { signal, capture: true });
    return () => ends.abort();
  }
}
