import { inject, injectable } from 'inversify';
import { token } from '#core';
import { CameraControllers } from '#plugins/tour';
import type { CloudSurfaceOptions, ShownCloud } from './cloud/cloud-surface.ts';

/** Loads the point cloud viewer on first use. */
export const CloudSurfaces = token<CloudSurfaces>('scan.CloudSurfaces');
export interface CloudSurfaces {
  /** Rejects if the code cannot be loaded. */
  make(options: CloudSurfaceOptions): Promise<ShownCloud>;
}

@injectable()
export class LazyCloudSurfaces implements CloudSurfaces {
  readonly #walks: CameraControllers;

  constructor(@inject(CameraControllers) walks: CameraControllers) {
    this.#walks = walks;
  }

  async make(options: CloudSurfaceOptions): Promise<ShownCloud> {
    const { CloudSurface } = await import('./cloud/cloud-surface.ts');
    return new CloudSurface(this.#walks, options);
  }
}
