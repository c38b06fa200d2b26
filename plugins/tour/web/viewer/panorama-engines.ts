import { inject, injectable } from 'inversify';
import type { PanoramaArea, PanoramaEngine, PanoramaEngines, PictureCorrection } from '#plugins/tour';
import { WebGlPanoramaEngine } from './panorama-engine.ts';
import { SiteDepthLookup } from './surface/site-depth-lookup.ts';

@injectable()
export class WebGlPanoramaEngines implements PanoramaEngines {
  /** Engines by module id, in the order in which they were assigned. */
  readonly #engines = new Map<string, PanoramaEngine>();
  #coveredAreas: readonly PanoramaArea[] = [];
  #correction: PictureCorrection | undefined;
  readonly #depthLookup: SiteDepthLookup;

  constructor(@inject(SiteDepthLookup) depthLookup: SiteDepthLookup) {
    this.#depthLookup = depthLookup;
  }

  getEngine(module: string): PanoramaEngine {
    const existingEngine = this.#engines.get(module);
    if (existingEngine) return existingEngine;
    const [previousModule, detachedEngine] = [...this.#engines].find(([, engine]) => !engine.attached) ?? [];
    if (previousModule !== undefined) this.#engines.delete(previousModule);
    const engine = detachedEngine ?? new WebGlPanoramaEngine(this.#depthLookup);
    engine.setCoveredAreas(this.#coveredAreas);
    if (this.#correction) engine.correct(this.#correction);
    this.#engines.set(module, engine);
    return engine;
  }

  setCoveredAreas(areas: readonly PanoramaArea[]): void {
    this.#coveredAreas = areas;
    for (const engine of this.#engines.values()) engine.setCoveredAreas(areas);
  }

  correct(correction: PictureCorrection): void {
    this.#correction = correction;
    for (const engine of this.#engines.values()) engine.correct(correction);
  }
}
