import { minus, dotProduct, plus, times, unitVector, type Point3 } from '#core';
import type { SurfacePick, ViewSurface } from '#plugins/tour';

/**
 * A pinhole camera at (0, 0, 1.7) that looks north. It has 800 x 600 pixels and a focal length of `focal` pixels. In
 * front of it are an upright pipe of NPS 6 around (1, 3) and a wall at y = 5, both 3 m high.
 */
export class FakeSurface implements ViewSurface {
  readonly module: string = 'fixture.scan';
  readonly host = document.createElement('div');
  readonly radius = 0.08415;
  readonly eye: Point3 = [0, 0, 1.7];
  readonly #listeners = new Set<() => void>();
  pickCount = 0;
  depth = true;
  moving = false;
  focal = 400;
  /** The promise that `ready` waits for. */
  loading: Promise<void> = Promise.resolve();

  constructor() {
    Object.assign(this.host, {
      tabIndex: 0,
      getBoundingClientRect: () => new DOMRect(0, 0, 800, 600),
    });
  }

  hasDepth(): boolean {
    return this.depth;
  }

  isMoving(): boolean {
    return this.moving;
  }

  ready(): Promise<void> {
    return this.loading;
  }

  async pick(x: number, y: number): Promise<SurfacePick | undefined> {
    this.pickCount += 1;
    const ray = unitVector([(x - 400) / this.focal, 1, (300 - y) / this.focal]);
    const wallRange = 5 / ray[1];
    const range = Math.min(wallRange, this.#computePipeRange(ray));
    const point = plus(this.eye, times(ray, range));
    if (point[2] > 3) return undefined;
    return { point, normal: undefined, source: 'RANGE_IMAGE', sigma: 0.002, edge: Math.abs(x - 533) < 1 };
  }

  async findSurfacePoints(pick: SurfacePick, radius: number): Promise<Float64Array> {
    const onPipe = pick.point[1] < 4;
    const points: number[] = [];
    for (let k = 0; k < 900; k += 1) {
      const angle = -Math.PI / 2 - 0.3 + (((k * 7) % 30) / 30 - 0.5) * 2.4;
      const up = pick.point[2] + (Math.floor(k / 30) / 30 - 0.5) * Math.min(0.4, radius);
      const sideways = ((k % 30) / 30 - 0.5) * radius;
      points.push(
        ...(onPipe
          ? [1 + Math.cos(angle) * this.radius, 3 + Math.sin(angle) * this.radius, up]
          : [pick.point[0] + sideways, 5, up]),
      );
    }
    return Float64Array.from(points);
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const [x, y, z] = minus(point, this.eye);
    return y > 0 ? { x: 400 + (x / y) * this.focal, y: 300 - (z / y) * this.focal } : undefined;
  }

  sees(): boolean {
    return true;
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  takePicture(): Promise<Blob> {
    return Promise.resolve(new Blob([], { type: 'image/png' }));
  }

  #computePipeRange(ray: Point3): number {
    const centre: Point3 = [1, 3, 0];
    const a = ray[0] ** 2 + ray[1] ** 2;
    const b = -dotProduct([ray[0], ray[1], 0], centre);
    const discriminant = b * b - a * (10 - this.radius ** 2);
    return discriminant > 0 ? (-b - Math.sqrt(discriminant)) / a : Infinity;
  }
}
