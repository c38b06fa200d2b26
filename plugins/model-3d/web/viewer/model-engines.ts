import { inject, injectable } from 'inversify';
import { token } from '#core';
import { CameraControllers } from '#plugins/tour';
import type { ModelContent } from './model-content.ts';
import type { ModelEngine } from './engine-types.ts';
import type { ModelSource } from './read-model.ts';
import type { TiledModelFiles } from './tiles/read-tiled-model.ts';

/** Loads the code of the built-in engine with three.js when the first model is shown. */
export const ModelEngines = token<ModelEngines>('model-3d.ModelEngines');
export interface ModelEngines {
  /** Rejects with `WebGlUnavailable`, or if the code cannot be loaded. */
  createEngine(): Promise<ModelEngine>;
  /** Reads a GLB. Rejects if the bytes cannot be read. */
  readModel(bytes: ArrayBuffer, source: ModelSource): Promise<ModelContent>;
  /** Reads a tiled model without its tiles. Rejects if the files cannot be read. */
  readTiledModel(files: TiledModelFiles, source: ModelSource): Promise<ModelContent>;
  /** Creates the small plant of the device check. */
  createSample(): Promise<ModelContent>;
}

@injectable()
export class ThreeModelEngines implements ModelEngines {
  readonly #cameraControllers: CameraControllers;

  constructor(@inject(CameraControllers) cameraControllers: CameraControllers) {
    this.#cameraControllers = cameraControllers;
  }

  async createEngine(): Promise<ModelEngine> {
    const { ThreeModelEngine } = await import('./lazy-engine.ts');
    return new ThreeModelEngine(this.#cameraControllers);
  }

  async readModel(bytes: ArrayBuffer, source: ModelSource): Promise<ModelContent> {
    const { readModel } = await import('./lazy-engine.ts');
    return readModel(bytes, source);
  }

  async readTiledModel(files: TiledModelFiles, source: ModelSource): Promise<ModelContent> {
    const { readTiledModel } = await import('./tiles/lazy-tiles.ts');
    return readTiledModel(files, source);
  }

  async createSample(): Promise<ModelContent> {
    const { createSamplePlant } = await import('./lazy-engine.ts');
    return createSamplePlant();
  }
}
