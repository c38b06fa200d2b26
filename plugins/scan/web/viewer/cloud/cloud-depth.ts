import { toRadians, toPanTilt } from '#core';
import type { SightRay, SiteDepth, SurfacePick } from '#plugins/tour';
import { listNodes } from './choose-nodes.ts';
import { createCloudCamera, distanceToBox } from './cloud-camera.ts';
import type { CloudNode, OpenCloud } from './cloud-node.ts';
import { findConnectedPoints } from './find-connected-points.ts';
import { NodeLoader, type OnNodeFailed } from './node-loader.ts';
import { computePickAperture, findPointsAround, pickPoint } from './pick-point.ts';
import { isBoxNearRay } from './points-near-ray.ts';

/** Maximum number of points in memory besides those of the current request. */
const maxCachedPoints = 2_000_000;
/** Field of view of the camera of a pick, whose ray is its centre. */
const pickFovDegrees = 10;

/** Picks points of a point cloud that is not on screen. Loads only the nodes along the rays, in full detail. */
export class CloudDepth implements SiteDepth {
  readonly #cloud: OpenCloud;
  readonly #loader: NodeLoader;
  #cachedNodes = new Set<CloudNode>();
  readonly #rays = new WeakMap<SurfacePick, SightRay>();
  /** The latest request. Requests run one after the other, because they share the loader. */
  #latest: Promise<unknown> = Promise.resolve();
  #failure: string | undefined;
  #closed = false;
  #onProgress = (): void => undefined;

  constructor(
    cloud: OpenCloud,
    createLoader = (onLoaded: () => void, onFailed: OnNodeFailed): NodeLoader => new NodeLoader(onLoaded, onFailed),
  ) {
    this.#cloud = cloud;
    this.#loader = createLoader(
      () => this.#onProgress(),
      (reason) => {
        this.#failure = reason;
        this.#onProgress();
      },
    );
  }

  pick(ray: SightRay): Promise<SurfacePick | undefined> {
    return this.#enqueue(async () => {
      const { origin, direction, pixelRadians } = ray;
      const fov = pickFovDegrees;
      const size = (2 * Math.tan(toRadians(fov) / 2)) / pixelRadians;
      const camera = createCloudCamera({ position: origin, ...toPanTilt(direction), fov }, size, size);
      const corridor = { origin, direction, aperture: computePickAperture(camera) };
      const nodes = await this.#loadNodes(ray, (node) => isBoxNearRay(node, corridor));
      const cloudPick = pickPoint(nodes, camera, size / 2, size / 2);
      if (!cloudPick) return undefined;
      const { point, normal, sigma, edge } = cloudPick;
      const pick: SurfacePick = { point, normal, source: 'POINT_CLOUD', sigma, edge };
      this.#rays.set(pick, ray);
      return pick;
    });
  }

  findSurfacePoints(pick: SurfacePick, radius: number): Promise<Float64Array> {
    return this.#enqueue(async () => {
      const { point } = pick;
      const ray = this.#rays.get(pick);
      if (!ray) return new Float64Array();
      const nodes = await this.#loadNodes(ray, ({ box }) => distanceToBox(point, box) <= radius);
      return findConnectedPoints(findPointsAround(nodes, point, radius), point, radius);
    });
  }

  /** Pending and later requests reject. */
  close(): void {
    this.#closed = true;
    this.#loader.close();
    this.#cachedNodes.clear();
    this.#onProgress();
  }

  #enqueue<T>(request: () => Promise<T>): Promise<T> {
    const result = this.#latest.then(request);
    this.#latest = result.catch(() => undefined);
    return result;
  }

  /** Loads the nodes that fulfil a condition. Rejects if one of them fails to load, or if the point cloud is closed. */
  async #loadNodes(
    { origin: eye, pixelRadians }: SightRay,
    isRequired: (node: CloudNode) => boolean,
  ): Promise<readonly CloudNode[]> {
    this.#failure = undefined;
    if (!this.#closed) this.#loader.retry();
    for (;;) {
      if (this.#closed) throw new Error('The point cloud was closed.');
      const { nodes, unexpanded } = listNodes(this.#cloud.root, isRequired, { eye, pixelRadians });
      this.#loader.setRequestedNodes(nodes);
      if (unexpanded.length > 0) await Promise.all(unexpanded.map((node) => node.expand?.()));
      else if (this.#loader.busy) await new Promise<void>((resolve) => (this.#onProgress = resolve));
      else {
        this.#evict(nodes);
        if (this.#failure !== undefined) throw new Error(this.#failure);
        return nodes;
      }
    }
  }

  /** Releases the points of the nodes that were used least recently. */
  #evict(usedNodes: readonly CloudNode[]): void {
    this.#cachedNodes = new Set([...this.#cachedNodes].filter((node) => !usedNodes.includes(node)));
    let points = [...this.#cachedNodes].reduce((sum, { count }) => sum + count, 0);
    for (const node of this.#cachedNodes) {
      if (points <= maxCachedPoints) break;
      points -= node.count;
      node.tile = undefined;
      this.#cachedNodes.delete(node);
    }
    for (const node of usedNodes) this.#cachedNodes.add(node);
  }
}
