import { inject, injectable } from 'inversify';
import { reaction } from 'mobx';
import { distanceBetween, type Point3 } from '#core';
import { TourStore, type DepthSource, type SiteDepth } from '#plugins/tour';

/** Loads a source. Rejects if its code cannot be loaded. */
export type LoadDepthSource = () => Promise<DepthSource>;

/** Distance between two eyes that share one result, metres. */
const sameEyeMetres = 0.01;

/** Finds the depth of pictures without ranges, by the sources of the plugins. */
@injectable()
export class SiteDepths {
  readonly #store: TourStore;
  #loaders: readonly LoadDepthSource[] = [];
  readonly #opened = new Set<DepthSource>();
  #latest:
    | { readonly location: string; readonly eye: Point3; readonly depth: Promise<SiteDepth | undefined> }
    | undefined;
  /** Increased by each request and by the end of a tour, which end the search of an earlier request. */
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

  /** Whether any plugin provides depth. */
  get hasSources(): boolean {
    return this.#loaders.length > 0;
  }

  /**
   * Returns the depth around an eye by the first source that knows it. Undefined if none does. Rejects with the error
   * of a source if none does but one could not be loaded. The next call then tries again.
   */
  find(eye: Point3): Promise<SiteDepth | undefined> {
    const location = this.#store.opened?.tour.location;
    if (location === undefined) return Promise.resolve(undefined);
    const latest = this.#latest;
    if (latest?.location === location && distanceBetween(latest.eye, eye) <= sameEyeMetres) return latest.depth;
    const next = { location, eye, depth: this.#open(location, eye) };
    this.#latest = next;
    next.depth.catch(() => {
      if (this.#latest === next) this.#latest = undefined;
    });
    return next.depth;
  }

  /** Lets the next call of `find` ask the sources again, such as after a failed pick: access may have expired. */
  forget(): void {
    this.#latest = undefined;
  }

  async #open(location: string, eye: Point3): Promise<SiteDepth | undefined> {
    const generation = ++this.#generation;
    const errors: unknown[] = [];
    for (const load of this.#loaders) {
      try {
        const source = await load();
        if (generation !== this.#generation) throw new Error('The depth of this place is not requested any more.');
        this.#opened.add(source);
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
    this.#latest = undefined;
    for (const source of this.#opened) source.close();
    this.#opened.clear();
  }
}
