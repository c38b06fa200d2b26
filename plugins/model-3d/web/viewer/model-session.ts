import { makeObservable, observableRef, reaction, runInAction } from 'mobx';
import type { Appearance } from '#core/web';
import { WebGlUnavailable, type TourStore, type TourTools, type ViewSurfaces } from '#plugins/tour';
import type { ModelEngine, Section } from './engine-types.ts';
import type { TilesState } from './model-content.ts';
import { parseHidden, formatHidden } from '../stores/hidden-objects.ts';
import type { ModelViewStore } from '../stores/model-view-store.ts';
import { ModelDamaged, type ModelCache } from '../stores/model-cache.ts';
import { modelModule } from '../../contract/index.ts';
import { modelSurface } from './model-surface.ts';

/** Layer of the tour's address: a model and the key of an object of it. */
const objectLayer = 'object';
/**
 * Layers of it: what is cut away, such as `z12.5` or `-z12.5` (flipped), in metres; whether one sees through what is
 * not selected; and what is hidden (`formatHidden`).
 */
const sectionLayer = 'section';
const xrayLayer = 'xray';
const hiddenLayer = 'hidden';

export type ModelStatus = 'loading' | 'shown' | 'failed' | 'damaged' | 'noModel' | 'noWebGl';

export interface ModelParts {
  readonly cache: ModelCache;
  readonly modelView: ModelViewStore;
  readonly store: TourStore;
  readonly tools: TourTools;
  readonly surfaces: ViewSurfaces;
  readonly appearance: Appearance;
}

/**
 * Synchronizes the engine and the tour while the module is on screen: position, direction and selected tag, both ways.
 * Observable.
 */
export class ModelSession {
  status: ModelStatus = 'loading';
  /** 0 to 1 of the bytes; undefined before the first. */
  progress: number | undefined;
  contextLost = false;
  /** Undefined where nothing comes in tiles. */
  tiles: TilesState | undefined;
  readonly #parts: ModelParts;
  #abort = new AbortController();
  #shownObject: string | undefined;
  #begin = (): void => undefined;
  #endLayers = (): void => undefined;

  constructor(parts: ModelParts) {
    this.#parts = parts;
    makeObservable(this, {
      status: observableRef,
      progress: observableRef,
      contextLost: observableRef,
      tiles: observableRef,
    });
  }

  start(host: HTMLElement, label: string): () => void {
    const abort = new AbortController();
    this.#abort = abort;
    let detach = (): void => undefined;
    const enter = (engine: ModelEngine): void => {
      if (abort.signal.aborted) return;
      this.#begin = () => void this.#load();
      const end = reaction(
        () => this.#parts.store.opened?.tour.location,
        () => void this.#load(),
      );
      const leave = this.#enter(engine, host, label);
      detach = () => {
        end();
        leave();
      };
      void this.#load();
    };
    // The code of the engine may not come either: it is asked for anew, and what follows from it too.
    this.#begin = () => {
      this.#setStatus('loading');
      this.#parts.cache
        .engine()
        .then(
          enter,
          (error: unknown) =>
            abort.signal.aborted || this.#setStatus(error instanceof WebGlUnavailable ? 'noWebGl' : 'failed'),
        );
    };
    this.#begin();
    return () => {
      abort.abort();
      this.#endLayers();
      detach();
    };
  }

  /** Fetches once more what could not be fetched. */
  retry(): void {
    this.#begin();
  }

  /**
   * Fetches tiles once more that could not be fetched; those of a model that was replaced or removed never come, so
   * that what is there now takes its place.
   */
  async retryTiles(): Promise<void> {
    const { cache, modelView } = this.#parts;
    const { signal } = this.#abort;
    const outdated = await cache.isOutdated(signal).catch(() => false);
    if (signal.aborted) return;
    if (outdated) await this.#load();
    else modelView.engine?.retryTiles();
  }

  #setStatus(status: ModelStatus): void {
    runInAction(() => (this.status = status));
  }

  async #load(): Promise<void> {
    const { cache, store } = this.#parts;
    const { signal } = this.#abort;
    const location = store.opened?.tour.location;
    if (location === undefined) return;
    this.#endLayers();
    runInAction(() => {
      this.status = 'loading';
      this.progress = undefined;
    });
    try {
      const any = await cache.load(location, signal, (share) => runInAction(() => (this.progress = share)));
      if (signal.aborted) return;
      runInAction(() => {
        this.tiles = this.#parts.modelView.engine?.tiles;
        this.status = any ? 'shown' : 'noModel';
      });
      this.#selectTag(selectedNumbers(store));
      this.#showRequestedObject();
      this.#endLayers = this.#syncLayers();
    } catch (error) {
      if (!signal.aborted)
        this.#setStatus(
          error instanceof WebGlUnavailable ? 'noWebGl' : error instanceof ModelDamaged ? 'damaged' : 'failed',
        );
    }
  }

  /** A colleague who opens the address sees the same of the model. */
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

  /**
   * An address may ask for an object, as the admin's list of objects does: it is selected and brought into view, once.
   */
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

  #enter(engine: ModelEngine, host: HTMLElement, label: string): () => void {
    const { modelView, store, tools, surfaces, appearance } = this.#parts;
    runInAction(() => {
      this.contextLost = engine.lost;
      this.tiles = engine.tiles;
    });
    engine.setState({ ...tools.view, ...(tools.position ? { position: tools.position } : {}) });
    const ends = [
      engine.attach(host, { label }),
      surfaces.offer(modelSurface(host, engine, modelView)),
      engine.on('contextLost', () => runInAction(() => (this.contextLost = true))),
      engine.on('contextRestored', () => runInAction(() => (this.contextLost = false))),
      engine.on('tiles', (tiles) => runInAction(() => (this.tiles = tiles))),
      engine.on('moved', ({ position, pan, tilt, fov }) => {
        runInAction(() => {
          tools.setView({ pan, tilt, fov }, modelModule);
          if (position !== tools.position) store.moveTo(position, modelModule);
        });
      }),
      engine.on('clicked', ({ object, add }) => this.#clicked(object, add)),
      reaction(
        () => ({
          view: tools.view,
          position: tools.position,
          byOthers: { view: tools.viewAuthor !== modelModule, position: tools.positionAuthor !== modelModule },
        }),
        ({ view, position, byOthers }, before) => {
          // What stays as it was would end a glide.
          const moved = {
            ...(byOthers.view && view !== before?.view ? view : {}),
            ...(byOthers.position && position && position !== before?.position ? { position } : {}),
          };
          if (Object.keys(moved).length > 0) engine.setState(moved);
        },
      ),
      reaction(
        () => tools.wanted,
        (wanted) => {
          if (!wanted) return;
          const { turn, pan, tilt, fov } = wanted;
          const view = {
            ...(pan === undefined ? {} : { pan }),
            ...(tilt === undefined ? {} : { tilt }),
            ...(fov === undefined ? {} : { fov }),
          };
          if (turn) engine.flyTo(view);
          else engine.setState(view);
        },
      ),
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
    ];
    modelView.setEngine(engine);
    return () => {
      for (const end of ends.toReversed()) end();
      modelView.setEngine(undefined);
    };
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

/** The number of the selected tag, then those that it had before: a file may still name it by one of them. */
const selectedNumbers = ({ selectedTag }: TourStore): readonly string[] =>
  selectedTag ? [selectedTag.number, ...(selectedTag.details?.formerNumbers ?? [])] : [];

function parseSection(words: string | undefined): Section | undefined {
  const [, flipped, axis, offset] = /^(-?)([xyz])(-?\d+(?:\.\d+)?)$/.exec(words ?? '') ?? [];
  return axis === 'x' || axis === 'y' || axis === 'z'
    ? { axis, offset: Number(offset), flipped: flipped === '-' }
    : undefined;
}
