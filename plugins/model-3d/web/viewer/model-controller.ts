import { makeObservable, observableRef, reaction, runInAction } from 'mobx';
import type { Appearance } from '#core/web';
import type { TourStore, Viewer, Viewers, ViewerStatus, ViewSurfaces } from '#plugins/tour';
import type { ModelEngine, Section } from './engine-types.ts';
import type { TilesState } from './model-content.ts';
import { parseHidden, formatHidden } from './hidden-objects.ts';
import type { ModelViewStore } from '../stores/model-view-store.ts';
import { ModelDamaged, type ModelCache } from './model-cache.ts';
import { modelModule } from '../../contract/index.ts';
import { modelSurface } from './model-surface.ts';

/** Layer of the tour's address with a model and the key of one of its objects. */
const objectLayer = 'object';
/**
 * Layers of the tour's address: the section, such as `z12.5` or `-z12.5` (flipped), in metres; whether unselected
 * objects are transparent; and the hidden objects (`formatHidden`).
 */
const sectionLayer = 'section';
const xrayLayer = 'xray';
const hiddenLayer = 'hidden';

type ModelReason = 'damaged' | 'noModel';

export interface ModelParts {
  readonly cache: ModelCache;
  readonly modelView: ModelViewStore;
  readonly store: TourStore;
  readonly viewers: Viewers;
  readonly surfaces: ViewSurfaces;
  readonly appearance: Appearance;
}

/**
 * Synchronizes the engine and the tour while the module is on screen: position, direction and selected tag, both ways.
 * Observable.
 */
export class ModelController {
  readonly viewer: Viewer<ModelReason>;
  /** Share of the bytes, 0 to 1; undefined before the first. */
  progress: number | undefined;
  /** Undefined if there are no tiled models. */
  tiles: TilesState | undefined;
  readonly #parts: ModelParts;
  #shownObject: string | undefined;
  #endLayers = (): void => undefined;

  constructor(parts: ModelParts) {
    this.#parts = parts;
    this.viewer = parts.viewers.create({
      module: modelModule,
      formatReason: (error) => (error instanceof ModelDamaged ? 'damaged' : undefined),
    });
    makeObservable(this, { progress: observableRef, tiles: observableRef });
  }

  start(host: HTMLElement, label: string): () => void {
    return this.viewer.start({
      open: () => this.#parts.cache.engine(),
      enter: (engine) => this.#enter(engine, host, label),
      reload: () => this.#load(),
    });
  }

  /** Retries failed tiles. If their model was replaced or deleted, loads the current models instead. */
  async retryTiles(): Promise<void> {
    const { cache, modelView } = this.#parts;
    const { signal } = this.viewer;
    const outdated = await cache.isOutdated(signal).catch(() => false);
    if (signal.aborted) return;
    if (outdated) this.#load();
    else modelView.engine?.retryTiles();
  }

  #load(): void {
    const location = this.#parts.store.opened?.tour.location;
    if (location === undefined) return;
    this.#endLayers();
    runInAction(() => (this.progress = undefined));
    void this.viewer.load((signal) => this.#show(location, signal));
  }

  async #show(location: string, signal: AbortSignal): Promise<ViewerStatus<ModelReason> | undefined> {
    const { cache, modelView, store } = this.#parts;
    const any = await cache.load(location, signal, (share) => runInAction(() => (this.progress = share)));
    if (signal.aborted) return undefined;
    runInAction(() => (this.tiles = modelView.engine?.tiles));
    this.#selectTag(selectedNumbers(store));
    this.#showRequestedObject();
    this.#endLayers = this.#syncLayers();
    return any ? { state: 'ready' } : { state: 'empty', reason: 'noModel' };
  }

  /** The address restores the same state of the model for another person. */
  #syncLayers(): () => void {
    const { modelView, store } = this.#parts;
    const ends = [
      store.setViewLayer(
        sectionLayer,
        () =>
          modelView.section &&
          `${modelView.section.flipped ? '-' : ''}${modelView.section.axis}${Number(modelView.section.offset.toFixed(3))}`,
        (words) => modelView.setSection(parseSection(words)),
      ),
      store.setViewLayer(
        xrayLayer,
        () => (modelView.xray ? '1' : undefined),
        (words) => modelView.setXray(words === '1'),
      ),
      store.setViewLayer(
        hiddenLayer,
        () => formatHidden(modelView.hidden, modelView.tree.objects.length),
        (words) => modelView.setHidden(parseHidden(words, modelView.tree.objects.length)),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  /** An address may name an object, as in the admin's list of objects. It is selected and brought into view once. */
  #showRequestedObject(): void {
    const { modelView, store } = this.#parts;
    const asked = store.layers[objectLayer];
    if (asked === undefined || asked === this.#shownObject) return;
    this.#shownObject = asked;
    const object = modelView.tree.objects.find(({ model, key }) => `${model} ${key}` === asked);
    if (!object) return;
    modelView.select([object.id]);
    modelView.engine?.fit(modelView.tree.below(object.id));
  }

  #enter(engine: ModelEngine, host: HTMLElement, label: string): readonly (() => void)[] {
    const { modelView, store, surfaces, appearance } = this.#parts;
    const { viewer } = this;
    runInAction(() => (this.tiles = engine.tiles));
    modelView.setEngine(engine);
    return [
      () => modelView.setEngine(undefined),
      engine.attach(host, { label }),
      surfaces.register(modelSurface(host, engine, modelView)),
      engine.on('tiles', (tiles) => runInAction(() => (this.tiles = tiles))),
      engine.on('moved', (view) => viewer.report(view)),
      engine.on('clicked', ({ object, add }) => this.#clicked(object, add)),
      viewer.follow({ setView: (view) => engine.setState(view), turnTo: (view) => engine.flyTo(view) }),
      reaction(
        () => ({
          selected: modelView.selected,
          hidden: modelView.hidden,
          xray: modelView.xray,
          section: modelView.section,
        }),
        (looks) => engine.setAppearance(looks),
        { fireImmediately: true },
      ),
      reaction(
        () => appearance.dark,
        (dark) => engine.setDark(dark),
        { fireImmediately: true },
      ),
      reaction(
        () => selectedNumbers(store).join('\n'),
        () => this.#selectTag(selectedNumbers(store)),
      ),
      reaction(
        () => store.opened?.tour.location,
        () => this.#load(),
        { fireImmediately: true },
      ),
      () => this.#endLayers(),
    ];
  }

  #clicked(object: number | undefined, add: boolean): void {
    const { modelView, store } = this.#parts;
    store.setLayer(objectLayer, undefined);
    const meant = object === undefined ? undefined : modelView.tree.meant(object);
    const others = add && modelView.object ? [...modelView.selected] : [];
    modelView.select(meant === undefined ? others : [...others, meant]);
    const tag = meant === undefined ? undefined : modelView.tree.objects[meant]?.tag;
    const selected = selectedNumbers(store);
    if (tag === undefined ? selected.length > 0 : !selected.includes(tag)) void store.selectTag(tag);
  }

  /** Keeps the selection if the tag came from it or matches no object. */
  #selectTag([number, ...former]: readonly string[]): void {
    const { modelView } = this.#parts;
    if (number === undefined) {
      if (modelView.object?.tag !== undefined) modelView.select([]);
      return;
    }
    const object = modelView.tree.withTag(number, ...former);
    const selected = modelView.object?.tag;
    if (object !== undefined && selected !== number && !former.includes(selected ?? '')) modelView.select([object]);
  }
}

/** The current number of the selected tag, then its former ones, which the file may still contain. */
const selectedNumbers = ({ selectedTag }: TourStore): readonly string[] =>
  selectedTag ? [selectedTag.number, ...(selectedTag.details?.formerNumbers ?? [])] : [];

function parseSection(words: string | undefined): Section | undefined {
  const [, flipped, axis, offset] = /^(-?)([xyz])(-?\d+(?:\.\d+)?)$/.exec(words ?? '') ?? [];
  return axis === 'x' || axis === 'y' || axis === 'z'
    ? { axis, offset: Number(offset), flipped: flipped === '-' }
    : undefined;
}
