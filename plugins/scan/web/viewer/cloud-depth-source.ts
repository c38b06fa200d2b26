import { inject, injectable } from 'inversify';
import type { Point3 } from '#core';
import { HttpClient } from '#core/web';
import type { DepthSource, SiteDepth } from '#plugins/tour';
import type { openScans } from '../../contract/api.ts';
import type { listClouds } from '../../contract/api/cloud.ts';
import { findBlockedStatus } from '../stores/scan-status.ts';
import { CloudSurfaces, type HiddenCloud } from './cloud-surfaces.ts';
import { distanceToBox } from './cloud/cloud-camera.ts';
import { findNearestCloud, maxDistanceMetres } from './point-cloud/find-way-to-cloud.ts';

/** Computes the depth of panoramas from the point cloud around them. */
@injectable()
export class CloudDepthSource implements DepthSource {
  readonly #http: HttpClient;
  readonly #clouds: CloudSurfaces;
  #openCloud: { readonly url: string; readonly depth: Promise<HiddenCloud> } | undefined;
  /**
   * Increased by `open` and `close`, so that a late reply to an earlier call does not replace the cloud of a later
   * call.
   */
  #generation = 0;

  constructor(@inject(HttpClient) http: HttpClient, @inject(CloudSurfaces) clouds: CloudSurfaces) {
    this.#http = http;
    this.#clouds = clouds;
  }

  async open(location: string, eye: Point3): Promise<SiteDepth | undefined> {
    const generation = ++this.#generation;
    const params = { location };
    const [{ token }, clouds] = await Promise.all([
      this.#http.call<typeof openScans>('GET', '/api/scan/:location', { params }),
      this.#http.call<typeof listClouds>('GET', '/api/scan/:location/clouds', { params }),
    ]);
    const cloud = findNearestCloud(
      clouds.filter((cloudAtSite) => cloudAtSite.address !== null),
      eye,
    );
    if (findBlockedStatus(token) || !cloud?.extent || distanceToBox(eye, cloud.extent) > maxDistanceMetres)
      return undefined;
    const { kind, address } = cloud;
    if (address === null) return undefined;
    if (this.#openCloud?.url === address) return this.#openCloud.depth;
    if (generation !== this.#generation) throw new Error('The depth of another place was requested.');
    this.#release();
    const openCloud = { url: address, depth: this.#clouds.openHidden({ kind, url: address }) };
    this.#openCloud = openCloud;
    openCloud.depth.catch(() => {
      if (this.#openCloud === openCloud) this.#openCloud = undefined;
    });
    return openCloud.depth;
  }

  close(): void {
    this.#generation++;
    this.#release();
  }

  #release(): void {
    // Nothing is freed if the cloud could not be opened.
    this.#openCloud?.depth.then(
      (depth) => depth.close(),
      () => undefined,
    );
    this.#openCloud = undefined;
  }
}
