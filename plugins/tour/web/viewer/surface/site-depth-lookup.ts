import { inject, injectable } from 'inversify';
import { reaction } from 'mobx';
import { distanceBetween, type Point3 } from '#core';
import { TourStore, type DepthSource, type SiteDepth } from '#plugins/tour';

/** Loads a source. Rejects if its code cannot be loaded. */
export type LoadDepthSource = () => Promise<DepthSource>;

/** Distance between two eyes that share one result, metres. */
const sameEyeMetres = 0.01;

/** Finds the depth around pictures without ranges in the depth sources that plugins provide. */
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
   * Returns the depth around an eye position from the first source that has it. Undefined if no source has depth.
   * Rejects if no source has depth and one failed to load. The next call retries after a rejection.
   */
  find(eye: Point3): Promise<SiteDepth | undefined> {
    const location = this.#store.opened?.tour.location;
    if (location === undefined) return Promise.resolve(undefined);
    const latest = this.#latestRequest;
    if (latest?.location === location && distanceBetween(latest.eye, eye) <= sameEyeMetres) return latest.depth;
    const next = { location, eye, depth: this.#findInSources(location, eye) };
    this.#latestRequest = next;
    next.depth.catch(() => {
      if (this.#latestRequest === next) this.#latestRequest = undefined;
    });
    return next.depth;
  }

  /**
   * Clears the result, so that the next `find` calls the sources again. Used after a failed pick, because access may
   * have expired.
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
