import { inject, injectable } from 'inversify';
import { token } from '#core';
import { CameraControllers, type SiteDepth } from '#plugins/tour';
import type { CloudSource, CloudDepth, CloudSurfaceOptions, ShownCloud } from './cloud/cloud-surface.ts';

/** A point cloud that is opened for picks only and is not shown. The caller closes it. */
export type HiddenCloud = SiteDepth & Pick<CloudDepth, 'close'>;

/** Loads the point cloud viewer on first use. */
export const CloudSurfaces = token<CloudSurfaces>('scan.CloudSurfaces');
export interface CloudSurfaces {
  /** Creates a surface. Rejects if the code of the viewer cannot be loaded. */
  create(options: CloudSurfaceOptions): Promise<ShownCloud>;
  /** Opens a point cloud without showing it. Rejects with `CloudUnreadable`, or if code or network fail. */
  openHidden(source: CloudSource): Promise<HiddenCloud>;
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

  async openHidden(source: CloudSource): Promise<HiddenCloud> {
    const { CloudDepth, openCloud } = await import('./cloud/cloud-surface.ts');
    return new CloudDepth(await openCloud(source));
  }
}
