import { inject, injectable } from 'inversify';
import { reaction } from 'mobx';
import { distanceBetween, type Point3 } from '#core';
import { TourStore, type DepthSource, type SiteDepth } from '#plugins/tour';

/** Loads a source. Rejects if its code cannot be loaded. */
export type LoadDepthSource = () => Promise<DepthSource>;

/** Eye positions at most this far apart share one result. */
const maxSharedEyeDistanceMetres = 0.01;

/** Finds the depth around a picture that has no range image, in the depth sources of plugins. */
@injectable()
export class SiteDepthLookup {
  readonly #store: TourStore;
  #loaders: readonly LoadDepthSource[] = [];
  readonly #openedSources = new Set<DepthSource>();
  #latestRequest:
    | { readonly location: string; readonly eye: Point3; readonly depth: Promise<SiteDepth | undefined> }
    | undefined;
  /** Incremented by each request and when the tour is closed. Both end the search of an earlier request. */
  #generation = 0;

  constructor(@inject(TourStore) store: TourStore) {
    this.#store = store;
    reaction(
      () => store.opened?.tour.location,
      () => this.#close(),
    );
  }

  /** Sets the sources, best first. */
  setSources(loaders: readonly LoadDepthSource[]): void {
    this.#loaders = loaders;
  }

  /** True if a plugin provides depth. */
  get hasSources(): boolean {
    return this.#loaders.length > 0;
  }

  /**
   * Returns the depth around an eye position from the first source that has it. Undefined if no source has depth or
   * no tour is open. Rejects if no source has depth and one failed to load. The next call retries after a rejection.
   */
  find(eye: Point3): Promise<SiteDepth | undefined> {
    const location = this.#store.opened?.tour.location;
    if (location === undefined) return Promise.resolve(undefined);
    const latest = this.#latestRequest;
    if (latest?.location === location && distanceBetween(latest.eye, eye) <= maxSharedEyeDistanceMetres)
      return latest.depth;
    const request = { location, eye, depth: this.#findInSources(location, eye) };
    this.#latestRequest = request;
    request.depth.catch(() => {
      if (this.#latestRequest === request) this.#latestRequest = undefined;
    });
    return request.depth;
  }

  /**
   * Clears the result, so that the next `find` calls the sources again. Used after a failed pick, because the access
   * token of a source may have expired.
   */
  clear(): void {
    this.#latestRequest = undefined;
  }

  async #findInSources(location: string, eye: Point3): Promise<SiteDepth | undefined> {
    const generation = ++this.#generation;
    const errors: unknown[] = [];
    for (const load of this.#loaders) {
      try {
        const source = await load();
        if (generation !== this.#generation) throw new Error('The depth of this place is not requested any more.');
        this.#openedSources.add(source);
        const depth = await source.open(location, eye);
        if (depth) return depth;
      } catch (error) {
        if (generation !== this.#generation) throw error;
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return undefined;
  }

  #close(): void {
    this.#generation++;
    this.#latestRequest = undefined;
    for (const source of this.#openedSources) source.close();
    this.#openedSources.clear();
  }
}
