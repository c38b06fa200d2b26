import { makeObservable, observableRef, reaction, runInAction } from 'mobx';
import type { Point3 } from '#core';
import type { Appearance } from '#core/web';
import type { TourLayout, TourStore, Viewer, Viewers, ViewerStatus, ViewSurfaces } from '#plugins/tour';
import type { Appearance3d, ModelEngine, Section } from './engine-types.ts';
import type { Box, TilesState } from './model-content.ts';
import { parseHidden, formatHidden } from './hidden-objects.ts';
import type { ModelViewStore } from '../stores/model-view-store.ts';
import { ModelDamaged, type ModelCache } from './model-cache.ts';
import { modelModule } from '../../contract/index.ts';
import { createModelSurface } from './model-surface.ts';

/** View layer in the tour's URL: the uid of a model and the key of one of its objects. */
const objectLayer = 'object';
/**
 * View layers in the tour's URL: the section in metres, such as `z12.5` or `-z12.5` (flipped), the x-ray mode, and the
 * hidden objects (`formatHidden`).
 */
const sectionLayer = 'section';
const xrayLayer = 'xray';
const hiddenLayer = 'hidden';

/** Half the side of the cube that is shown of a tag without an object, metres. */
const tagRadius = 0.5;

type ModelReason = 'damaged' | 'noModel';

export interface ModelServices {
  readonly cache: ModelCache;
  readonly modelView: ModelViewStore;
  readonly store: TourStore;
  readonly viewers: Viewers;
  readonly surfaces: ViewSurfaces;
  readonly layout: TourLayout;
  readonly appearance: Appearance;
}

/**
 * Synchronizes position, direction and selected tag between the engine and the tour while the module is on screen. Its
 * state is observable.
 */
export class ModelController {
  readonly viewer: Viewer<ModelReason>;
  /** Share of loaded bytes, from 0 to 1. Undefined before the first bytes. */
  progress: number | undefined;
  /** State of the tiled models, if there are any. */
  tiles: TilesState | undefined;
  readonly #services: ModelServices;
  #lastRequestedObject: string | undefined;
  /** The approached tag that is fitted in the next frame. */
  #tagToFit: object | undefined;
  #disposeLayers = (): void => undefined;

  constructor(services: ModelServices) {
    this.#services = services;
    this.viewer = services.viewers.create({
      module: modelModule,
      formatReason: (error) => (error instanceof ModelDamaged ? 'damaged' : undefined),
    });
    makeObservable(this, { progress: observableRef, tiles: observableRef });
  }

  start(host: HTMLElement, label: string): () => void {
    return this.viewer.start({
      open: () => this.#services.cache.getEngine(),
      enter: (engine) => this.#connect(engine, host, label),
      reload: () => this.#load(),
    });
  }

  /** Retries failed tiles. If their model was replaced or deleted, loads the current models instead. */
  async retryTiles(): Promise<void> {
    const { cache, modelView } = this.#services;
    const { signal } = this.viewer;
    const outdated = await cache.isOutdated(signal).catch(() => false);
    if (signal.aborted) return;
    if (outdated) this.#load();
    else modelView.engine?.retryTiles();
  }

  #load(): void {
    const location = this.#services.store.opened?.tour.location;
    if (location === undefined) return;
    this.#disposeLayers();
    runInAction(() => (this.progress = undefined));
    void this.viewer.load((signal) => this.#show(location, signal));
  }

  async #show(location: string, signal: AbortSignal): Promise<ViewerStatus<ModelReason> | undefined> {
    const { cache, modelView, store } = this.#services;
    const hasModels = await cache.load(location, signal, (fraction) => runInAction(() => (this.progress = fraction)));
    if (signal.aborted) return undefined;
    runInAction(() => (this.tiles = modelView.engine?.tiles));
    this.#selectTag(getSelectedNumbers(store));
    this.#fitApproachedTag();
    this.#showRequestedObject();
    this.#disposeLayers = this.#syncLayers();
    return hasModels ? { state: 'ready' } : { state: 'empty', reason: 'noModel' };
  }

  /** Writes section, x-ray mode and hidden objects into the URL, and restores them from it. */
  #syncLayers(): () => void {
    const { modelView, store } = this.#services;
    const disposers = [
      store.setViewLayer(
        sectionLayer,
        () =>
          modelView.section &&
          `${modelView.section.flipped ? '-' : ''}${modelView.section.axis}${Number(modelView.section.offset.toFixed(3))}`,
        (value) => modelView.setSection(parseSection(value)),
      ),
      store.setViewLayer(
        xrayLayer,
        () => (modelView.xray ? '1' : undefined),
        (value) => modelView.setXray(value === '1'),
      ),
      store.setViewLayer(
        hiddenLayer,
        () => formatHidden(modelView.hidden, modelView.tree.objects.length),
        (value) => modelView.setHidden(parseHidden(value, modelView.tree.objects.length)),
      ),
    ];
    return () => {
      for (const dispose of disposers) dispose();
    };
  }

  /** Selects the object that the URL names and brings it into view, once for each object. */
  #showRequestedObject(): void {
    const { modelView, store } = this.#services;
    const requestedObject = store.layers[objectLayer];
    if (requestedObject === undefined || requestedObject === this.#lastRequestedObject) return;
    this.#lastRequestedObject = requestedObject;
    const object = modelView.tree.objects.find(({ model, key }) => `${model} ${key}` === requestedObject);
    if (!object) return store.reportMissing({ message: 'model-3d.missing.object' });
    modelView.select([object.id]);
    modelView.engine?.fit(modelView.tree.getSubtree(object.id));
  }

  #connect(engine: ModelEngine, host: HTMLElement, label: string): readonly (() => void)[] {
    const { modelView, store, surfaces, layout, appearance } = this.#services;
    const { viewer } = this;
    runInAction(() => (this.tiles = engine.tiles));
    modelView.setEngine(engine);
    return [
      () => modelView.setEngine(undefined),
      engine.attach(host, { label, getFreeArea: () => layout.findFreeArea(host) }),
      surfaces.register(createModelSurface(host, engine, modelView)),
      engine.on('tiles', (tiles) => runInAction(() => (this.tiles = tiles))),
      engine.on('moved', (view) => viewer.report(view)),
      engine.on('clicked', ({ object, add }) => this.#handleClick(object, add)),
      viewer.follow({ setView: (view) => engine.setView(view), turnTo: (view) => engine.flyTo(view) }),
      reaction(
        () => readAppearance(modelView),
        (appearance3d) => engine.setAppearance(appearance3d),
        { fireImmediately: true },
      ),
      reaction(
        () => appearance.dark,
        (dark) => engine.setDark(dark),
        { fireImmediately: true },
      ),
      reaction(
        () => getSelectedNumbers(store).join('\n'),
        () => this.#selectTag(getSelectedNumbers(store)),
      ),
      reaction(
        () => store.approachedTag,
        () => this.#fitApproachedTag(),
      ),
      reaction(
        () => store.opened?.tour.location,
        () => this.#load(),
        { fireImmediately: true },
      ),
      () => this.#disposeLayers(),
    ];
  }

  #handleClick(object: number | undefined, add: boolean): void {
    const { modelView, store } = this.#services;
    store.setLayer(objectLayer, undefined);
    const selectable = object === undefined ? undefined : modelView.tree.findSelectable(object);
    const previousSelection = add && modelView.selectedObject ? [...modelView.selected] : [];
    modelView.select(selectable === undefined ? previousSelection : [...previousSelection, selectable], object);
    const tag = selectable === undefined ? undefined : modelView.tree.objects[selectable]?.tag;
    const selectedNumbers = getSelectedNumbers(store);
    const isUnchanged = tag === undefined ? selectedNumbers.length === 0 : selectedNumbers.includes(tag);
    if (!isUnchanged) void store.selectTag(tag);
  }

  /**
   * After the tour went to a tag in this module, brings the object of the tag, or else its position, into view once. In
   * a split view, the camera keeps the position of the other half.
   */
  #fitApproachedTag(): void {
    const { modelView, store } = this.#services;
    const { approachedTag, secondaryModule } = store;
    if (approachedTag?.module !== modelModule) return;
    if (approachedTag === modelView.fittedTag || approachedTag === this.#tagToFit) return;
    const numbers = getSelectedNumbers(store);
    this.#selectTag(numbers);
    const object = numbers.includes(modelView.selectedObject?.tag ?? '') ? modelView.selectedObject : undefined;
    const position = store.selectedTag?.details?.position ?? undefined;
    if (modelView.tree.objects.length === 0 || !(object ?? position)) return;
    if (object && modelView.hidden.has(object.id)) modelView.setSubtreeHidden(object.id, false);
    if (secondaryModule !== undefined) {
      modelView.fittedTag = approachedTag;
      return;
    }
    const { engine } = modelView;
    this.#tagToFit = approachedTag;
    // The tag's panel has its size in the next frame.
    requestAnimationFrame(() => {
      if (this.#tagToFit !== approachedTag) return;
      this.#tagToFit = undefined;
      if (!engine || modelView.engine !== engine) return;
      modelView.fittedTag = approachedTag;
      engine.fit(object ? modelView.tree.getSubtree(object.id) : position && toBox(position));
    });
  }

  /** Selects the object of a tag. Keeps the selection if the tag came from it or matches no object. */
  #selectTag([number, ...former]: readonly string[]): void {
    const { modelView } = this.#services;
    if (number === undefined) {
      if (modelView.selectedObject?.tag !== undefined) modelView.select([]);
      return;
    }
    const object = modelView.tree.findByTag(number, ...former);
    const selectedTag = modelView.selectedObject?.tag;
    if (object !== undefined && selectedTag !== number && !former.includes(selectedTag ?? ''))
      modelView.select([object]);
  }
}

const toBox = ([x, y, z]: Point3): Box => ({
  min: [x - tagRadius, y - tagRadius, z - tagRadius],
  max: [x + tagRadius, y + tagRadius, z + tagRadius],
});

/** The number of the selected tag, followed by its former numbers. The file may contain any of them. */
const getSelectedNumbers = ({ selectedTag }: TourStore): readonly string[] =>
  selectedTag ? [selectedTag.number, ...(selectedTag.details?.formerNumbers ?? [])] : [];

const readAppearance = ({ selected, hidden, xray, section }: ModelViewStore): Appearance3d => ({
  selected,
  hidden,
  xray,
  section,
});

function parseSection(value: string | undefined): Section | undefined {
  const [, flipped, axis, offset] = /^(-?)([xyz])(-?\d+(?:\.\d+)?)$/.exec(value ?? '') ?? [];
  return axis === 'x' || axis === 'y' || axis === 'z'
    ? { axis, offset: Number(offset), flipped: flipped === '-' }
    : undefined;
}
