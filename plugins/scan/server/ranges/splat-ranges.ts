import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RangeView } from '#plugins/tour';

/**
 * Yields the range image of each view, in millimetres, row by row, 0 if unknown. `readPoints` yields batches of points
 * in metres of the site frame, three numbers each. It is called twice, first to measure the spacing of the points.
 * Needs 14 bytes per pixel of each view.
 */
export async function* splatRanges(
  views: readonly RangeView[],
  readPoints: () => AsyncIterable<Float64Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint16Array> {
  const worker = new Worker(new URL('./splat-ranges-worker.mjs', import.meta.url));
  const call = async (step: string, input: object, transfer: readonly ArrayBuffer[] = []): Promise<unknown> => {
    const reply = once(worker, 'message', { signal });
    worker.postMessage({ step, ...input }, transfer);
    const [value] = (await reply) as [unknown];
    return value;
  };
  // Coordinates relative to a view are small enough for floats with an error below a tenth of a millimetre.
  const origin = views[0]?.position ?? [0, 0, 0];
  try {
    await call('open', {
      views: views.map(({ position, ...view }) => ({
        ...view,
        position: position.map((value, axis) => value - origin[axis]!),
      })),
    });
    for (const step of ['count', 'add'])
      for await (const positions of readPoints()) {
        const points = new Float32Array(positions.length);
        for (let k = 0; k < positions.length; k++) points[k] = positions[k]! - origin[k % 3]!;
        await call(step, { points }, [points.buffer]);
      }
    for (const view of views.keys()) yield (await call('read', { view })) as Uint16Array;
  } finally {
    await worker.terminate();
  }
}
