import { inject, injectable } from 'inversify';
import { PluginSettings } from '#core/web';
import type { DepthSource, SiteDepth } from '#plugins/tour';
import type manifest from '../../plugin.ts';
import { ModelCache } from './model-cache.ts';

/**
 * Computes the depth of panoramas from the models of the tour. Tiled models and the external engine provide no depth: a
 * tiled model is loaded only where the 3D module looks, and the external engine gives no access to triangles.
 */
@injectable()
export class ModelDepthSource implements DepthSource {
  readonly #cache: ModelCache;
  readonly #settings: PluginSettings<typeof manifest>;
  #abort = new AbortController();
  /** The load that all eyes share while it runs. */
  #loading: Promise<boolean> | undefined;

  constructor(
    @inject(ModelCache) cache: ModelCache,
    @inject(PluginSettings) settings: PluginSettings<typeof manifest>,
  ) {
    this.#cache = cache;
    this.#settings = settings;
  }

  async open(location: string): Promise<SiteDepth | undefined> {
    if (this.#settings.engine === 'external') return undefined;
    const engine = await this.#cache.getEngine();
    const hasModels = await this.#load(location);
    if (!hasModels || this.#cache.hasTiles) return undefined;
    return {
      pick: async (ray) => engine.pickAlong(ray),
      findSurfacePoints: async (pick, radius) => engine.findSurfacePoints(pick, radius),
      mesh: async (pick, radius) => engine.mesh(pick, radius),
    };
  }

  /** The cache frees the models when the tour is closed. */
  close(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#loading = undefined;
  }

  #load(location: string): Promise<boolean> {
    const loading = (this.#loading ??= this.#cache.load(location, this.#abort.signal, () => undefined));
    const clear = (): void => {
      if (this.#loading === loading) this.#loading = undefined;
    };
    loading.then(clear, clear);
    return loading;
  }
}
