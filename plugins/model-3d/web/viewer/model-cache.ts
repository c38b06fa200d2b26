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

type PublishedModel = Model & { readonly address: string };

/** Rethrows an error of reading loaded bytes as `ModelDamaged`. */
async function wrapReadError({ name }: Model, content: Promise<ModelContent>): Promise<ModelContent> {
  try {
    return await content;
  } catch (cause) {
    throw new ModelDamaged(`The model ${name} cannot be read. Its file may be damaged or truncated.`, { cause });
  }
}

/** Identifies the versions of the models by their URLs, because each version has its own URL. */
const formatVersions = (models: readonly Model[]): string => models.flatMap(({ address }) => address ?? []).join(' ');

/**
 * Keeps the engine and the loaded models while a tour is open, so that the module opens again at once. Frees both when
 * the tour is closed.
 */
@injectable()
export class ModelCache {
  readonly #http: HttpClient;
  readonly #engines: ModelEngines;
  readonly #modelView: ModelViewStore;
  #engine: Promise<ModelEngine> | undefined;
  #loaded:
    | { readonly location: string; readonly hasModels: boolean; readonly hasTiles: boolean; readonly versions: string }
    | undefined;

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
      (_, previous) => previous === undefined || this.#release(),
    );
  }

  /** Whether a loaded model is tiled, so that only a part of it may be in memory. */
  get hasTiles(): boolean {
    return this.#loaded?.hasTiles ?? false;
  }

  /** Creates the engine once. Rejects with `WebGlUnavailable`, or if the code cannot be loaded. */
  getEngine(): Promise<ModelEngine> {
    this.#engine ??= this.#engines.createEngine().catch((error: unknown) => {
      this.#engine = undefined;
      throw error;
    });
    return this.#engine;
  }

  /**
   * Loads the models of a location into the engine and the view store, once. Resolves to whether there are any. Rejects
   * with `ModelDamaged`, or if they cannot be fetched. `onProgress` receives the progress from 0 to 1.
   */
  async load(location: string, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<boolean> {
    if (this.#loaded?.location === location) return this.#loaded.hasModels;
    const params = { location };
    const [engine, models, mappings] = await Promise.all([
      this.getEngine(),
      this.#listModels(location, signal),
      this.#http.call<typeof listMappings>('GET', '/api/model-3d/:location/mappings', { params }, { signal }),
    ]);
    const publishedModels = models.flatMap((model) =>
      model.address === null ? [] : [{ ...model, address: model.address }],
    );
    const totalBytes = publishedModels.reduce((sum, model) => sum + (model.tiles > 0 ? 0 : model.bytes), 0);
    const loadedBytes = new Map<string, number>();
    const contents: ModelContent[] = [];
    for (const model of publishedModels) {
      const onLoaded = (bytes: number): void => {
        loadedBytes.set(model.uid, bytes);
        onProgress(
          Math.min(1, [...loadedBytes.values()].reduce((sum, part) => sum + part, 0) / Math.max(1, totalBytes)),
        );
      };
      contents.push(await (model.tiles > 0 ? this.#loadTiles(model, signal) : this.#loadGlb(model, signal, onLoaded)));
      signal.throwIfAborted();
    }
    const content = joinContents(contents);
    const objects = applyMappings(content.objects, mappings);
    engine.show({ ...content, objects });
    this.#modelView.setObjects(objects, engine.computeBounds());
    this.#loaded = {
      location,
      hasModels: content.parts.length + (content.tiled ?? []).length > 0,
      hasTiles: (content.tiled ?? []).length > 0,
      versions: formatVersions(models),
    };
    return this.#loaded.hasModels;
  }

  async #loadGlb(model: PublishedModel, signal: AbortSignal, onLoaded: (bytes: number) => void): Promise<ModelContent> {
    const bytes = await this.#http.raw<ArrayBuffer>({
      url: model.address,
      responseType: 'arraybuffer',
      signal,
      timeout: 0,
      onDownloadProgress: ({ loaded }) => onLoaded(loaded),
    });
    signal.throwIfAborted();
    return wrapReadError(model, this.#engines.readModel(bytes, model));
  }

  async #loadTiles(model: PublishedModel, signal: AbortSignal): Promise<ModelContent> {
    const fetchFile = (url: string, fetchSignal: AbortSignal): Promise<ArrayBuffer> =>
      this.#http.raw<ArrayBuffer>({ url, responseType: 'arraybuffer', signal: fetchSignal, timeout: 0 });
    const [tileset, objects] = await Promise.all([
      fetchFile(model.address, signal),
      fetchFile(model.address.replace(/[^/]*$/, objectsFile), signal),
    ]);
    signal.throwIfAborted();
    return wrapReadError(
      model,
      this.#engines.readTiledModel(
        { url: model.address, tileset: new TextDecoder().decode(tileset), objects, fetch: fetchFile },
        model,
      ),
    );
  }

  /**
   * Checks whether a loaded model was replaced or deleted. If so, the next `load` reloads all models. Rejects if the
   * request fails.
   */
  async isOutdated(signal: AbortSignal): Promise<boolean> {
    const loadedModels = this.#loaded;
    if (!loadedModels) return true;
    const models = await this.#listModels(loadedModels.location, signal);
    if (formatVersions(models) === loadedModels.versions) return false;
    if (this.#loaded === loadedModels) this.#loaded = undefined;
    return true;
  }

  #listModels(location: string, signal: AbortSignal): Promise<readonly Model[]> {
    return this.#http.call<typeof listModels>(
      'GET',
      '/api/model-3d/:location/models',
      { params: { location } },
      { signal },
    );
  }

  #release(): void {
    this.#loaded = undefined;
    const engine = this.#engine;
    this.#engine = undefined;
    this.#modelView.setObjects([], undefined);
    // Nothing is freed if the engine could not be created.
    engine?.then(
      (createdEngine) => createdEngine.dispose(),
      () => undefined,
    );
  }
}
