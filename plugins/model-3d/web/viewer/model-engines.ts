import { inject, injectable } from 'inversify';
import { token } from '#core';
import { CameraControllers } from '#plugins/tour';
import type { ModelContent } from './model-content.ts';
import type { ModelEngine } from './engine-types.ts';
import type { ModelSource } from './read-model.ts';
import type { TiledModelFiles } from './tiles/read-tiled-model.ts';

/** Loads the built-in engine, with three.js, when the first model is shown. */
export const ModelEngines = token<ModelEngines>('model-3d.ModelEngines');
export interface ModelEngines {
  /** Rejects with `WebGlUnavailable`, or if the code cannot be loaded. */
  make(): Promise<ModelEngine>;
  /** Rejects if the bytes cannot be read. */
  read(bytes: ArrayBuffer, source: ModelSource): Promise<ModelContent>;
  /** Reads a tiled model; its tiles load later. Rejects if the files cannot be read. */
  readTiled(files: TiledModelFiles, source: ModelSource): Promise<ModelContent>;
  /** The small plant of the device check. */
  sample(): Promise<ModelContent>;
}

@injectable()
export class ThreeModelEngines implements ModelEngines {
  readonly #walks: CameraControllers;

  constructor(@inject(CameraControllers) walks: CameraControllers) {
    this.#walks = walks;
  }

  async make(): Promise<ModelEngine> {
    const { ThreeModelEngine } = await import('./lazy-engine.ts');
    return new ThreeModelEngine(this.#walks);
  }

  async read(bytes: ArrayBuffer, source: ModelSource): Promise<ModelContent> {
    const { readModel } = await import('./lazy-engine.ts');
    return readModel(bytes, source);
  }

  async readTiled(files: TiledModelFiles, source: ModelSource): Promise<ModelContent> {
    const { readTiledModel } = await import('./tiles/lazy-tiles.ts');
    return readTiledModel(files, source);
  }

  async sample(): Promise<ModelContent> {
    const { samplePlant } = await import('./lazy-engine.ts');
    return samplePlant();
  }
}
