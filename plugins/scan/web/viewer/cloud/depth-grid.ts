import type { Point3 } from '#core';
import { project, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import { isInside, createTileReader, type ClippingBox } from './tile-reader.ts';

/** Edge of a cell. It is so wide that a sparse surface has a point in nearly every cell. */
const cellEdgePx = 8;
/** A point is hidden if it is farther behind the nearest one than these metres and this fraction of the depth. */
const occlusionTolerance = { metres: 0.15, fraction: 0.02 };

/** The depth of the nearest point in each cell of the screen. Valid until the camera or the points change. */
export class DepthGrid {
  readonly #camera: CloudCamera;
  readonly #columns: number;
  readonly #rows: number;
  readonly #depths: Float32Array;

  constructor(nodes: readonly CloudNode[], camera: CloudCamera, clip: ClippingBox | undefined) {
    this.#camera = camera;
    this.#columns = Math.max(1, Math.ceil(camera.width / cellEdgePx));
    this.#rows = Math.max(1, Math.ceil(camera.height / cellEdgePx));
    this.#depths = new Float32Array(this.#columns * this.#rows).fill(Infinity);
    const { position, right, up, forward, halfWidth, halfHeight } = camera;
    const point: [number, number, number] = [0, 0, 0];
    for (const { tile } of nodes) {
      if (!tile) continue;
      const reader = createTileReader(tile);
      for (let k = 0; k < reader.count; k++) {
        reader.readPosition(k, point);
        const [dx, dy, dz] = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
        const depth = dx * forward[0] + dy * forward[1] + dz * forward[2];
        if (depth < 0.05) continue;
        const column = Math.floor(
          (((dx * right[0] + dy * right[1] + dz * right[2]) / depth / halfWidth + 1) / 2) * this.#columns,
        );
        const row = Math.floor(((1 - (dx * up[0] + dy * up[1] + dz * up[2]) / depth / halfHeight) / 2) * this.#rows);
        if (column < 0 || column >= this.#columns || row < 0 || row >= this.#rows || !isInside(clip, point)) continue;
        const cell = row * this.#columns + column;
        if (depth < this.#depths[cell]!) this.#depths[cell] = depth;
      }
    }
  }

  /** True if a position of the site is in the view and no point occludes it. */
  isVisible(point: Point3): boolean {
    const pixel = project(this.#camera, point);
    if (!pixel) return false;
    const column = Math.floor((pixel.x / this.#camera.width) * this.#columns);
    const row = Math.floor((pixel.y / this.#camera.height) * this.#rows);
    if (column < 0 || column >= this.#columns || row < 0 || row >= this.#rows) return false;
    return (
      pixel.depth <=
      this.#depths[row * this.#columns + column]! * (1 + occlusionTolerance.fraction) + occlusionTolerance.metres
    );
  }
}
