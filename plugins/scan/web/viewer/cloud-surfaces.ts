import { inject, injectable } from 'inversify';
import { token } from '#core';
import { CameraControllers } from '#plugins/tour';
import type { CloudSurfaceOptions, ShownCloud } from './cloud/cloud-surface.ts';

/** Loads the point cloud viewer on first use. */
export const CloudSurfaces = token<CloudSurfaces>('scan.CloudSurfaces');
export interface CloudSurfaces {
  /** Creates a surface. Rejects if the code of the viewer cannot be loaded. */
  create(options: CloudSurfaceOptions): Promise<ShownCloud>;
}

@injectable()
export class LazyCloudSurfaces implements CloudSurfaces {
  readonly #cameras: CameraControllers;

  constructor(@inject(CameraControllers) cameras: CameraControllers) {
    this.#cameras = cameras;
  }

  async create(options: CloudSurfaceOptions): Promise<ShownCloud> {
    const { CloudSurface } = await import('./cloud/cloud-surface.ts');
    return new CloudSurface(this.#cameras, options);
  }
}
