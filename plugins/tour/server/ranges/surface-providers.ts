import type { SiteSurfaces, SurfaceProvider } from '#plugins/tour';

/** The providers of surfaces that plugins have registered. */
export class SurfaceProviders implements SiteSurfaces {
  readonly #providers: SurfaceProvider[] = [];

  register(provider: SurfaceProvider): void {
    this.#providers.push(provider);
  }

  /** The first provider, by registration, that has surfaces for a location. */
  async find(location: string): Promise<SurfaceProvider | undefined> {
    for (const provider of this.#providers) if (await provider.hasSurfaces(location)) return provider;
    return undefined;
  }
}
