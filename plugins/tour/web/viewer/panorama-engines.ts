import { injectable } from 'inversify';
import type { PanoramaArea, PanoramaEngine, PanoramaEngines, PictureCorrection } from '#plugins/tour';
import { WebGlPanoramaEngine } from './panorama-engine.ts';

@injectable()
export class WebGlPanoramaEngines implements PanoramaEngines {
  /** In order of use, the most recent one last. */
  readonly #byPart = new Map<string, PanoramaEngine>();
  #clear: readonly PanoramaArea[] = [];
  #correction: PictureCorrection | undefined;

  of(part: string): PanoramaEngine {
    const existing = this.#byPart.get(part);
    if (existing) return existing;
    const [owner, free] = [...this.#byPart].find(([, engine]) => !engine.attached) ?? [];
    if (owner !== undefined) this.#byPart.delete(owner);
    const engine = free ?? new WebGlPanoramaEngine();
    engine.keepClear(this.#clear);
    if (this.#correction) engine.correct(this.#correction);
    this.#byPart.set(part, engine);
    return engine;
  }

  keepClear(areas: readonly PanoramaArea[]): void {
    this.#clear = areas;
    for (const engine of this.#byPart.values()) engine.keepClear(areas);
  }

  correct(correction: PictureCorrection): void {
    this.#correction = correction;
    for (const engine of this.#byPart.values()) engine.correct(correction);
  }
}
