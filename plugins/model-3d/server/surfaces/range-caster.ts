import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Point3 } from '#core';
import type { RangeView } from '#plugins/tour';

/** The longest range that 16 bits of millimetres can store, metres. */
const maxRangeMetres = 65.535;
/** Triangles that are held at once. With their tree they take about 250 MB. */
const maxTriangles = 1_500_000;

/**
 * Computes range images of some views from triangles that are given in parts. Its thread needs memory for the images
 * and for one part of the triangles, however many there are.
 */
class RangeCaster {
  readonly #worker = new Worker(new URL('./cast-ranges-worker.mjs', import.meta.url));
  readonly #origin: Point3;
  readonly #min: Point3;
  readonly #max: Point3;
  #held = new Float32Array(9 * 1024);
  #count = 0;

  readonly #signal: AbortSignal;

  private constructor(views: readonly RangeView[], signal: AbortSignal) {
    this.#signal = signal;
    // Floats are exact to a tenth of a millimetre near the views.
    this.#origin = views[0]?.position ?? [0, 0, 0];
    const bound = (axis: 0 | 1 | 2, sign: 1 | -1): number =>
      sign * (Math.max(...views.map(({ position }) => sign * position[axis])) + maxRangeMetres);
    this.#min = [bound(0, -1), bound(1, -1), bound(2, -1)];
    this.#max = [bound(0, 1), bound(1, 1), bound(2, 1)];
  }

  /** Methods reject if `signal` is aborted. Close it in any case. */
  static async open(views: readonly RangeView[], signal: AbortSignal): Promise<RangeCaster> {
    const caster = new RangeCaster(views, signal);
    const [x, y, z] = caster.#origin;
    const relative = views.map(({ position, ...view }) => ({
      ...view,
      position: [position[0] - x, position[1] - y, position[2] - z],
    }));
    await caster.#call('open', { views: relative });
    return caster;
  }

  /** Adds triangles, nine numbers each. Those beyond the reach of all views are left out. */
  async add(triangles: Float64Array): Promise<void> {
    for (let at = 0; at + 9 <= triangles.length; at += 9) {
      if (!this.#isNear(triangles, at)) continue;
      if (this.#count === maxTriangles) await this.#flush();
      if (9 * this.#count === this.#held.length) {
        const larger = new Float32Array(Math.min(2 * this.#held.length, 9 * maxTriangles));
        larger.set(this.#held);
        this.#held = larger;
      }
      for (let k = 0; k < 9; k++) this.#held[9 * this.#count + k] = triangles[at + k]! - this.#origin[k % 3]!;
      this.#count++;
    }
  }

  /** The ranges of a view in millimetres, row by row; 0 is no surface. */
  async read(view: number): Promise<Uint16Array> {
    await this.#flush();
    return (await this.#call('read', { view })) as Uint16Array;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #isNear(triangles: Float64Array, at: number): boolean {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [triangles[at + axis]!, triangles[at + 3 + axis]!, triangles[at + 6 + axis]!];
      if (Math.max(a, b, c) < this.#min[axis]! || Math.min(a, b, c) > this.#max[axis]!) return false;
    }
    return true;
  }

  async #flush(): Promise<void> {
    if (this.#count === 0) return;
    const triangles = this.#held.slice(0, 9 * this.#count);
    this.#count = 0;
    await this.#call('cast', { triangles }, [triangles.buffer]);
  }

  async #call(step: string, input: object, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    const reply = once(this.#worker, 'message', { signal: this.#signal });
    this.#worker.postMessage({ step, ...input }, transfer);
    const [value] = (await reply) as [unknown];
    return value;
  }
}

/** Yields the range images of views, in the order of the views, from triangles that are given in parts. */
export async function* castRanges(
  views: readonly RangeView[],
  triangles: AsyncIterable<Float64Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint16Array> {
  const caster = await RangeCaster.open(views, signal);
  try {
    for await (const part of triangles) await caster.add(part);
    for (const index of views.keys()) yield await caster.read(index);
  } finally {
    await caster.close();
  }
}
