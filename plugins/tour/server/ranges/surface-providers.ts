import type { RangeView, SiteSurfaces, SurfaceProvider } from '#plugins/tour';

type RangeSource = SurfaceProvider['source'];

/** A range image with the source of most of its ranges. */
export interface SourcedRanges {
  readonly ranges: Uint16Array;
  readonly source: RangeSource;
}

/** The surfaces at some locations, of one or several providers. */
export interface Surfaces {
  /** See `SurfaceProvider.computeRanges`. */
  computeRanges(views: readonly RangeView[], signal: AbortSignal): AsyncIterable<SourcedRanges>;
}

/** The providers of surfaces that plugins have registered. */
export class SurfaceProviders implements SiteSurfaces {
  readonly #providers: SurfaceProvider[] = [];
  readonly dropRanges: SiteSurfaces['dropRanges'];

  constructor(dropRanges: SiteSurfaces['dropRanges']) {
    this.dropRanges = dropRanges;
  }

  register(provider: SurfaceProvider): void {
    this.#providers.push(provider);
  }

  async hasSurfaces(locations: readonly string[]): Promise<boolean> {
    for (const provider of this.#providers) if (await provider.hasSurfaces(locations)) return true;
    return false;
  }

  /** The surfaces at these locations. Undefined if no provider has any. */
  async find(locations: readonly string[]): Promise<Surfaces | undefined> {
    const providers: SurfaceProvider[] = [];
    for (const provider of this.#providers) if (await provider.hasSurfaces(locations)) providers.push(provider);
    return providers.length === 0
      ? undefined
      : { computeRanges: (views, signal) => computeNearest(providers, locations, views, signal) };
  }
}

/** Yields the nearest range of all providers per pixel: clouds show the as-built state, models fill their gaps. */
async function* computeNearest(
  providers: readonly SurfaceProvider[],
  locations: readonly string[],
  views: readonly RangeView[],
  signal: AbortSignal,
): AsyncGenerator<SourcedRanges> {
  const images = providers.map((provider) => provider.computeRanges(locations, views, signal)[Symbol.asyncIterator]());
  try {
    for (let index = 0; index < views.length; index++) {
      const sourcedRanges: SourcedRanges[] = [];
      for (const [k, image] of images.entries()) {
        const next = await image.next();
        if (!next.done) sourcedRanges.push({ ranges: next.value, source: providers[k]!.source });
      }
      yield mergeRanges(sourcedRanges);
    }
  } finally {
    for (const image of images) await image.return?.();
  }
}

function mergeRanges([first, ...otherImages]: readonly SourcedRanges[]): SourcedRanges {
  if (!first) throw new Error('A provider of surfaces yielded no range image.');
  const ranges = first.ranges;
  const pixelsBySource = new Map<RangeSource, number>([
    [first.source, ranges.reduce((sum, range) => sum + Math.sign(range), 0)],
  ]);
  for (const otherImage of otherImages) {
    let takenPixels = 0;
    let replacedPixels = 0;
    for (const [pixel, range] of otherImage.ranges.entries()) {
      const nearest = ranges[pixel]!;
      if (range === 0 || (nearest > 0 && nearest <= range)) continue;
      if (nearest > 0) replacedPixels++;
      ranges[pixel] = range;
      takenPixels++;
    }
    pixelsBySource.set(first.source, pixelsBySource.get(first.source)! - replacedPixels);
    pixelsBySource.set(otherImage.source, (pixelsBySource.get(otherImage.source) ?? 0) + takenPixels);
  }
  const [[source] = [first.source]] = [...pixelsBySource].toSorted(([, a], [, b]) => b - a);
  return { ranges, source };
}
