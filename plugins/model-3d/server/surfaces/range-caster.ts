import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Point3 } from '#core';
import type { RangeView } from '#plugins/tour';

/** The longest range that 16 bits of millimetres can store, metres. */
const maxRangeMetres = 65.535;
/** Maximum number of triangles in memory. With their search tree they take about 250 MB. */
const maxTriangles = 1_500_000;

/**
 * Computes range images of views from triangles that are added in batches. Its worker thread needs memory only for the
 * images and for `maxTriangles` triangles.
 */
class RangeCaster {
  readonly #worker = new Worker(new URL('./cast-ranges-worker.mjs', import.meta.url));
  readonly #origin: Point3;
  readonly #min: Point3;
  readonly #max: Point3;
  #buffer = new Float32Array(9 * 1024);
  #triangleCount = 0;

  readonly #signal: AbortSignal;

  private constructor(views: readonly RangeView[], signal: AbortSignal) {
    this.#signal = signal;
    // Coordinates are relative to a view, because 32-bit floats are exact to a tenth of a millimetre near the origin.
    this.#origin = views[0]?.position ?? [0, 0, 0];
    const computeBound = (axis: 0 | 1 | 2, sign: 1 | -1): number =>
      sign * (Math.max(...views.map(({ position }) => sign * position[axis])) + maxRangeMetres);
    this.#min = [computeBound(0, -1), computeBound(1, -1), computeBound(2, -1)];
    this.#max = [computeBound(0, 1), computeBound(1, 1), computeBound(2, 1)];
  }

  /** All methods reject if `signal` is aborted. The caller must always call `close`. */
  static async open(views: readonly RangeView[], signal: AbortSignal): Promise<RangeCaster> {
    const caster = new RangeCaster(views, signal);
    const [x, y, z] = caster.#origin;
    const relativeViews = views.map(({ position, ...view }) => ({
      ...view,
      position: [position[0] - x, position[1] - y, position[2] - z],
    }));
    await caster.#call('open', { views: relativeViews });
    return caster;
  }

  /** Adds triangles, nine numbers each. Ignores triangles beyond the reach of all views. */
  async add(triangles: Float64Array): Promise<void> {
    for (let offset = 0; offset + 9 <= triangles.length; offset += 9) {
      if (!this.#isNear(triangles, offset)) continue;
      if (this.#triangleCount === maxTriangles) await this.#flush();
      if (9 * this.#triangleCount === this.#buffer.length) {
        const largerBuffer = new Float32Array(Math.min(2 * this.#buffer.length, 9 * maxTriangles));
        largerBuffer.set(this.#buffer);
        this.#buffer = largerBuffer;
      }
      for (let component = 0; component < 9; component++)
        this.#buffer[9 * this.#triangleCount + component] =
          triangles[offset + component]! - this.#origin[component % 3]!;
      this.#triangleCount++;
    }
  }

  /** Returns the ranges of a view in millimetres, row by row. 0 means no surface. */
  async read(view: number): Promise<Uint16Array> {
    await this.#flush();
    return (await this.#call('read', { view })) as Uint16Array;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #isNear(triangles: Float64Array, offset: number): boolean {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [triangles[offset + axis]!, triangles[offset + 3 + axis]!, triangles[offset + 6 + axis]!];
      if (Math.max(a, b, c) < this.#min[axis]! || Math.min(a, b, c) > this.#max[axis]!) return false;
    }
    return true;
  }

  async #flush(): Promise<void> {
    if (this.#triangleCount === 0) return;
    const triangles = this.#buffer.slice(0, 9 * this.#triangleCount);
    this.#triangleCount = 0;
    await this.#call('cast', { triangles }, [triangles.buffer]);
  }

  async #call(step: string, input: object, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    const reply = once(this.#worker, 'message', { signal: this.#signal });
    this.#worker.postMessage({ step, ...input }, transfer);
    const [value] = (await reply) as [unknown];
    return value;
  }
}

/** Yields a range image for each view, in the order of the views, from triangles that arrive in batches. */
export async function* castRanges(
  views: readonly RangeView[],
  triangles: AsyncIterable<Float64Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint16Array> {
  const caster = await RangeCaster.open(views, signal);
  try {
    for await (const batch of triangles) await caster.add(batch);
    for (const index of views.keys()) yield await caster.read(index);
  } finally {
    await caster.close();
  }
}
