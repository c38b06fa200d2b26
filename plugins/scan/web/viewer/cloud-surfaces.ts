import { inject, injectable } from 'inversify';
import { token } from '#core';
import { CameraControllers } from '#plugins/tour';
import type { CloudSurfaceOptions, ShownCloud } from './cloud/cloud-surface.ts';

/** Loads the viewer of point clouds when one is first looked at. */
export const CloudSurfaces = token<CloudSurfaces>('scan.CloudSurfaces');
export interface CloudSurfaces {
  /** Rejects where the code cannot be fetched. */
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
