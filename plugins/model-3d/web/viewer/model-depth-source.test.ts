import { describe, expect, it, vi } from 'vitest';
import type { ModelCache } from './model-cache.ts';
import { ModelDepthSource } from './model-depth-source.ts';

function setup() {
  const finishers: (() => void)[] = [];
  const load = vi.fn<ModelCache['load']>(
    (_, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        finishers.push(() => resolve(true));
      }),
  );
  const cache = { load, hasTiles: false, getEngine: async () => ({}) } as unknown as ModelCache;
  return { source: new ModelDepthSource(cache, { engine: 'internal' } as never), load, finishers };
}

describe('ModelDepthSource', () => {
  it('[TOUR-21] loads the models once for concurrent requests', async () => {
    const { source, load, finishers } = setup();
    const openings = Promise.all([source.open('unit'), source.open('unit')]);
    await vi.waitFor(() => expect(load).toHaveBeenCalled());
    for (const finish of finishers) finish();
    expect((await openings).map((depth) => depth !== undefined)).toEqual([true, true]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('loads the models again after the tour was closed', async () => {
    const { source, load, finishers } = setup();
    const opening = source.open('unit');
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
    source.close();
    const reopening = source.open('other');
    await expect(opening).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    finishers[1]?.();
    expect(await reopening).toBeDefined();
    expect(load.mock.calls.map(([location]) => location)).toEqual(['unit', 'other']);
  });
});
