import type { SiteSurfaces, SurfaceProvider } from '#plugins/tour';

/** The providers of surfaces that plugins have registered. */
export class SurfaceProviders implements SiteSurfaces {
  readonly #providers: SurfaceProvider[] = [];

  register(provider: SurfaceProvider): void {
    this.#providers.push(provider);
  }

  /** The first provider, by registration, that has surfaces at one of these locations. */
  async find(locations: readonly string[]): Promise<SurfaceProvider | undefined> {
    for (const provider of this.#providers) if (await provider.hasSurfaces(locations)) return provider;
    return undefined;
  }
}
