import { inject, injectable } from 'inversify';
import type { PanoramaArea, PanoramaEngine, PanoramaEngines, PictureCorrection } from '#plugins/tour';
import { WebGlPanoramaEngine } from './panorama-engine.ts';
import { SiteDepths } from './surface/site-depths.ts';

@injectable()
export class WebGlPanoramaEngines implements PanoramaEngines {
  /** Engines by module, in the order of their assignment. */
  readonly #engines = new Map<string, PanoramaEngine>();
  #coveredAreas: readonly PanoramaArea[] = [];
  #correction: PictureCorrection | undefined;
  readonly #depths: SiteDepths;

  constructor(@inject(SiteDepths) depths: SiteDepths) {
    this.#depths = depths;
  }

  getEngine(module: string): PanoramaEngine {
    const existingEngine = this.#engines.get(module);
    if (existingEngine) return existingEngine;
    const [previousModule, detachedEngine] = [...this.#engines].find(([, engine]) => !engine.attached) ?? [];
    if (previousModule !== undefined) this.#engines.delete(previousModule);
    const engine = detachedEngine ?? new WebGlPanoramaEngine(this.#depths);
    engine.keepClear(this.#coveredAreas);
    if (this.#correction) engine.correct(this.#correction);
    this.#engines.set(module, engine);
    return engine;
  }

  keepClear(areas: readonly PanoramaArea[]): void {
    this.#coveredAreas = areas;
    for (const engine of this.#engines.values()) engine.keepClear(areas);
  }

  correct(correction: PictureCorrection): void {
    this.#correction = correction;
    for (const engine of this.#engines.values()) engine.correct(correction);
  }
}
