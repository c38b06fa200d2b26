import { inject, injectable } from 'inversify';
import { reaction } from 'mobx';
import { HttpClient } from '#core/web';
import { TourStore } from '#plugins/tour';
import type { listMappings, listModels, Model } from '../../contract/api.ts';
import { objectsFile } from '../../contract/index.ts';
import type { ModelEngine } from './engine-types.ts';
import { joinContents, type ModelContent } from './model-content.ts';
import { applyMappings } from '../stores/object-tree.ts';
import { ModelViewStore } from '../stores/model-view-store.ts';
import { ModelEngines } from './model-engines.ts';

/** A model whose bytes were loaded but cannot be read. */
export class ModelDamaged extends Error {
  override readonly name = 'ModelDamaged';
}

type PlacedModel = Model & { readonly address: string };

/** Rethrows a read error of loaded bytes as `ModelDamaged`. */
async function intact({ name }: Model, content: Promise<ModelContent>): Promise<ModelContent> {
  try {
    return await content;
  } catch (cause) {
    throw new ModelDamaged(`The model ${name} cannot be read: it may be damaged or cut off.`, { cause });
  }
}

/** Each version of a model has its own address. */
const formatVersions = (models: readonly Model[]): string => models.flatMap(({ address }) => address ?? []).join(' ');

/**
 * Keeps the engine and the loaded models while a tour is open, so that returning to the model takes no time. Frees both
 * when the tour is left.
 */
@injectable()
export class ModelCache {
  readonly #http: HttpClient;
  readonly #engines: ModelEngines;
  readonly #modelView: ModelViewStore;
  #engine: Promise<ModelEngine> | undefined;
  #loaded: { readonly location: string; readonly any: boolean; readonly versions: string } | undefined;

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(ModelEngines) engines: ModelEngines,
    @inject(ModelViewStore) modelView: ModelViewStore,
    @inject(TourStore) store: TourStore,
  ) {
    this.#http = http;
    this.#engines = engines;
    this.#modelView = modelView;
    reaction(
      () => store.opened?.tour.location,
      (_, before) => before === undefined || this.#leave(),
    );
  }

  /** Rejects with `WebGlUnavailable`, or if the code cannot be loaded. */
  engine(): Promise<ModelEngine> {
    this.#engine ??= this.#engines.make().catch((error: unknown) => {
      this.#engine = undefined;
      throw error;
    });
    return this.#engine;
  }

  /**
   * Loads the models of a location into the engine and the view store, once. Resolves to whether there are any. Rejects
   * with `ModelDamaged`, or if they cannot be fetched. `onProgress`: 0 to 1.
   */
  async load(location: string, signal: AbortSignal, onProgress: (share: number) => void): Promise<boolean> {
    if (this.#loaded?.location === location) return this.#loaded.any;
    const params = { location };
    const [engine, models, mappings] = await Promise.all([
      this.engine(),
      this.#models(location, signal),
      this.#http.call<typeof listMappings>('GET', '/api/model-3d/:location/mappings', { params }, { signal }),
    ]);
    const shown = models.flatMap((model) => (model.address === null ? [] : [{ ...model, address: model.address }]));
    const all = shown.reduce((sum, model) => sum + (model.tiles > 0 ? 0 : model.bytes), 0);
    const arrived = new Map<string, number>();
    const contents: ModelContent[] = [];
    for (const model of shown) {
      const onArrived = (loaded: number): void => {
        arrived.set(model.uid, loaded);
        onProgress(Math.min(1, [...arrived.values()].reduce((sum, part) => sum + part, 0) / Math.max(1, all)));
      };
      contents.push(await (model.tiles > 0 ? this.#tiled(model, signal) : this.#whole(model, signal, onArrived)));
      signal.throwIfAborted();
    }
    const content = joinContents(contents);
    const objects = applyMappings(content.objects, mappings);
    engine.show({ ...content, objects });
    this.#modelView.setObjects(objects, engine.computeBounds());
    this.#loaded = {
      location,
      any: content.parts.length + (content.tiled ?? []).length > 0,
      versions: formatVersions(models),
    };
    return this.#loaded.any;
  }

  async #whole(model: PlacedModel, signal: AbortSignal, onArrived: (loaded: number) => void): Promise<ModelContent> {
    const bytes = await this.#http.raw<ArrayBuffer>({
      url: model.address,
      responseType: 'arraybuffer',
      signal,
      timeout: 0,
      onDownloadProgress: ({ loaded }) => onArrived(loaded),
    });
    signal.throwIfAborted();
    return intact(model, this.#engines.read(bytes, model));
  }

  async #tiled(model: PlacedModel, signal: AbortSignal): Promise<ModelContent> {
    const fetch = (address: string, until: AbortSignal): Promise<ArrayBuffer> =>
      this.#http.raw<ArrayBuffer>({ url: address, responseType: 'arraybuffer', signal: until, timeout: 0 });
    const [tileset, objects] = await Promise.all([
      fetch(model.address, signal),
      fetch(model.address.replace(/[^/]*$/, objectsFile), signal),
    ]);
    signal.throwIfAborted();
    return intact(
      model,
      this.#engines.readTiled(
        { address: model.address, tileset: new TextDecoder().decode(tileset), objects, fetch },
        model,
      ),
    );
  }

  /**
   * Checks whether a loaded model was replaced or deleted. The next `load` then reloads all. Rejects if the request
   * fails.
   */
  async isOutdated(signal: AbortSignal): Promise<boolean> {
    const loaded = this.#loaded;
    if (!loaded) return true;
    const models = await this.#models(loaded.location, signal);
    if (formatVersions(models) === loaded.versions) return false;
    if (this.#loaded === loaded) this.#loaded = undefined;
    return true;
  }

  #models(location: string, signal: AbortSignal): Promise<readonly Model[]> {
    return this.#http.call<typeof listModels>(
      'GET',
      '/api/model-3d/:location/models',
      { params: { location } },
      { signal },
    );
  }

  #leave(): void {
    this.#loaded = undefined;
    const engine = this.#engine;
    this.#engine = undefined;
    this.#modelView.setObjects([], undefined);
    // An engine that could not be created has nothing to free.
    engine?.then(
      (made) => made.dispose(),
      () => undefined,
    );
  }
}
